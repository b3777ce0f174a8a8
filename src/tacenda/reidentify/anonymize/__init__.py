"""K-anonymous masking: the smallest mask found under which attackers lose the person.

units (what is masked together) ─ game (one an attacker) ─ search ─ shrink ─▶ masks joined

or, with something true to write in place of a mask,

offers (what may be written of an entity) ─ edit_game ─ edit_search ─▶ text
"""

from __future__ import annotations

from .anonymize import Anonymized, Belief, anonymize, believe, check_k, make_game
from .edit_search import Edited, Options, edit
from .units import Unit, entity_units, joined, mask_of, word_units

__all__ = [
    "Anonymized",
    "Belief",
    "Edited",
    "Options",
    "Unit",
    "anonymize",
    "believe",
    "check_k",
    "edit",
    "entity_units",
    "joined",
    "make_game",
    "mask_of",
    "word_units",
]
