"""K-anonymous masking: the smallest mask found under which attackers lose the person.

units (what is masked together) ─ game (one an attacker) ─ search ─ shrink ─▶ masks joined
"""

from __future__ import annotations

from .anonymize import Anonymized, Belief, anonymize, believe, make_game
from .masks import joined
from .units import Unit, entity_units, mask_of, word_units

__all__ = [
    "Anonymized",
    "Belief",
    "Unit",
    "anonymize",
    "believe",
    "entity_units",
    "joined",
    "make_game",
    "mask_of",
    "word_units",
]
