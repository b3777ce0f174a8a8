"""K-anonymous masking: a small mask to hide the person from attackers, and what is true in place of masks.

units (words masked together) ─ objective (one an attacker) ─ search.greedy ─▶ masks
units (single words) ─ objective (of one attacker) ─ algorithm_1 ─▶ masks, as Morris et al. (2022) have them
masks, offers (options of an entity) ─ search.show ─▶ what stays masked, what is written ─▶ text
"""

from __future__ import annotations

from .anonymize import Anonymized, AttackResult, anonymize, attack_result, check_k, make_objective
from .options import Offer, offers_of
from .units import MaskUnit, entity_units, mask_of, masked_spans, word_units

__all__ = [
    "Anonymized",
    "AttackResult",
    "MaskUnit",
    "Offer",
    "anonymize",
    "attack_result",
    "check_k",
    "entity_units",
    "make_objective",
    "mask_of",
    "masked_spans",
    "offers_of",
    "word_units",
]
