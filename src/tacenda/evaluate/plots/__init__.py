"""Pictures for papers, by matplotlib (extra ``[plot]``); never on a screen, always to a file.

- ``heat_map``: where annotators disagree on the semantic type (TAB, Figure 6)
- ``kappa_map``: how far annotators agree on what is written (Olstad et al., Figure 2)
- ``error_bars``: errors of systems by kind and type (after TAB, Figures 4 and 5)
- ``drawing``, ``saving``: the blank figure, and the file
"""
