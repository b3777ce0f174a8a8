"""K-anonymous masking: a small mask to hide the person from attackers.

units (words masked together) ─ objective (one an attacker) ─ search ─ shrink ─▶ masks joined

or, with generalizations in place of masks,

offers (options of an entity) ─ EditObjective ─ search ─▶ text
"""

from __future__ import annotations

from .anonymize import Anonymized, AttackResult, anonymize, attack_result, check_k, make_objective
from .edits import Edited, EditSpace, edit
from .units import MaskUnit, entity_units, mask_of, masked_spans, word_units

__all__ = [
    "Anonymized",
    "AttackResult",
    "EditSpace",
    "Edited",
    "MaskUnit",
    "anonymize",
    "attack_result",
    "check_k",
    "edit",
    "entity_units",
    "make_objective",
    "mask_of",
    "masked_spans",
    "word_units",
]
