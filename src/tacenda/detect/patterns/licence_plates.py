"""License plates: after words that announce one, or in a format that is rarely anything else."""

from __future__ import annotations

from collections.abc import Iterator

from ...shipped import shipped_patterns
from .base import Hit

_PATTERNS = shipped_patterns("pattern_forms", "licence_plates")

_ANNOUNCED_PLATE = _PATTERNS["announced_plate"]
_VEHICLE = _PATTERNS["vehicle"]
_STRONG = _PATTERNS["strong"]


def find_plates(text: str) -> Iterator[Hit]:
    """Yield license plates (kind ``licence_plate``) with at least a letter and two digits."""
    for pattern in (_ANNOUNCED_PLATE, _VEHICLE):
        for match in pattern.finditer(text):
            plate = match["plate"]
            digits = sum(map(str.isdigit, plate))
            if digits >= 2 and any(map(str.isalpha, plate)) and len(plate) >= 5:
                yield Hit(match.start("plate"), match.end("plate"), "licence_plate")
    for match in _STRONG.finditer(text):
        yield Hit(match.start(), match.end(), "licence_plate")
