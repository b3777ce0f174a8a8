"""The emulation of a search, learned from the answers of a local index (extra ``train``).

knowledge   what an adversary could know, as an index
cases       training judgments -> combinations of entities, with what Algorithm 1 says of them
network     the network of ``risk/search/emulated`` as torch
fitting     cases -> weights, curves, thresholds
figures     how well confidence tells what the index says, beside simple baselines
recipe      all of it, to the folder that is shipped
"""
