"""Geographic coordinates: degrees, decimal pairs, national grids, plus codes, what3words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...shipped import shipped_patterns
from .base import Hit

_PATTERNS = shipped_patterns("pattern_forms", "coordinates")

_PRIME = r"\s?['’′]"
_SECOND = r"\s?(?:\"|”|″|''|’’|′′)"
_ANGLE = (
    rf"[0-9]{{1,3}}(?:\.[0-9]{{1,10}})?\s?(?:°|º|deg\b)"
    rf"(?:\s?[0-9]{{1,2}}(?:\.[0-9]{{1,8}})?{_PRIME}(?:\s?[0-9]{{1,2}}(?:\.[0-9]{{1,8}})?{_SECOND})?)?"
)
_DEGREES = re.compile(r"[0-9](?<![\w.][0-9])(?=[0-9.]{0,13}\s?(?:°|º|deg\b))")
_ANGLES = re.compile(
    rf"(?:{_ANGLE}\s?(?:[NSns]\b|north|south)\s?[,;/]?\s?(?:and\s)?{_ANGLE}\s?(?:[EWewOo]\b|east|west)"
    rf"|(?:{_ANGLE}),?\s(?:[NSEW]\s)?{_ANGLE}"
    rf"|{_ANGLE}\s?(?:[NSEW]\b|north\b|south\b|east\b|west\b))"
)
_LETTERS_FIRST = _PATTERNS["letters_first"]
# 52.52 N, 13.405 E, or two numbers with at least four decimals that may be latitude and longitude.
_PAIR = _PATTERNS["pair"]


# Squares in national and global grids, plus codes, and what3words addresses.
_GRID = _PATTERNS["grid"]
_WORD = r"[^\W\d_]{2,24}"
_THREE_WORDS = re.compile(
    rf"(?:(?<![\w:/])///|(?i:what3words(?:\.com/|\s?[:=]?\s?)(?:///)?|w3w(?:\.co/|\s?[:=]?\s?)(?:///)?))(?P<words>{_WORD}\.{_WORD}\.{_WORD})(?![\w.]\w)"
)


def find_coordinates(text: str) -> Iterator[Hit]:
    """Yield geographic positions (kind ``coordinates``)."""
    for pattern in (_GRID, _THREE_WORDS):
        for place in pattern.finditer(text):
            yield Hit(*place.span(place.lastgroup or 0), "coordinates")
    if "°" in text or "º" in text or " deg" in text:
        for degrees in _DEGREES.finditer(text):
            match = _ANGLES.match(text, degrees.start())
            if match is not None:
                yield Hit(match.start(), match.end(), "coordinates")
    for match in _LETTERS_FIRST.finditer(text):
        yield Hit(match.start(), match.end(), "coordinates")
    for match in _PAIR.finditer(text):
        start, second = match.start(), match["second"]
        if second is not None:
            if float(text[start] + match["rest"]) > 90 or abs(float(second)) > 180:
                continue
            start -= bool(start and text[start - 1] in "+-")
        yield Hit(start, match.end(), "coordinates")
