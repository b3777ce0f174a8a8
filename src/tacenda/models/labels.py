"""The label sets of the recognizer's two heads, in the order of the model's outputs."""

from __future__ import annotations

SEMANTIC_TYPES = ("PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC")
BIO_LABELS = ("O", *(f"{prefix}-{type}" for type in SEMANTIC_TYPES for prefix in "BI"))

NO_MASK, QUASI, DIRECT = 0, 1, 2


def bio_id(prefix: str, type: str) -> int:
    """Return the index of ``B-type`` or ``I-type`` in the type head's output."""
    return 1 + 2 * SEMANTIC_TYPES.index(type) + (prefix == "I")
