"""Semantic types as bits, as the ontology's file has them."""

from __future__ import annotations

from collections.abc import Iterable

from ...document import SemanticType

TYPES = {"LOC": 1, "ORG": 2, "DEM": 4, "MISC": 8}
"""Bit of each type that has an ontology."""


def mask_of(types: Iterable[str | SemanticType]) -> int:
    """Return the bits of some types; types without an ontology have none."""
    mask = 0
    for type in types:
        mask |= TYPES.get(str(type), 0)
    return mask
