"""The emulation of a search: what Algorithm 1 would find, when no index is at hand.

``explicit_risk_measures``, section 3.2.2: a network that was trained on the answers of a search says
whether one for some entities would bring up what is about the person.

    facts       an entity -> numbers that tell how rare its words are, and its vector
    network     combinations of entities -> the network's confidence
    indicator   ``EmulatedSearch``: the findings and combinations of a document

The search it was trained on was that of a local index (``risk/search/local``), by
``training/emulation``.
"""

from __future__ import annotations

from .indicator import EmulatedSearch

__all__ = ["EmulatedSearch"]
