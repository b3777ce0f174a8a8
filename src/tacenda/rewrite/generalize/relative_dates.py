"""Dates that count from another one: ``seven years later`` → years later · later date.

What they count from is in the text, so nothing more specific than that may be said.
"""

from __future__ import annotations

import re

from .candidate import Candidate
from .numbers import WORDS, plain
from .periods import DAYS

_UNITS = {
    "hour": 1 / 24,
    "day": 1.0,
    "night": 1.0,
    "week": 7.0,
    "month": 30.44,
    "year": 365.25,
    "decade": 3652.5,
}
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})s?"
_COUNTED = re.compile(
    rf"(?:about\s|some\s|nearly\s|almost\s|over\s)?(?:\d+|{WORDS}|an?|several|few)[\s-]{_UNIT}\s"
    r"(?P<side>later|after|afterwards|thereafter|earlier|before|previously|ago)"
)
_LATER = re.compile(
    rf"(?:on\s|in\s)?(?:the\s)?(?:(?:very\s)?(?:following|next|subsequent)\s(?:{_UNIT}|\w+day|morning|evening|afternoon)"
    r"|day after|morning after|tomorrow)"
)
_EARLIER = re.compile(
    rf"(?:on\s|in\s)?(?:the\s)?(?:(?:previous|preceding|last)\s{_UNIT}|(?:previous|preceding|last)\s(?:\w+day|evening)"
    r"|day before|night before|yesterday)"
)
_FEW = 100
"""How many units, at most, a text counts."""


def relative_candidates(original: str) -> list[Candidate]:
    """Return what may be written instead of a date that counts from another; nothing if it is none."""
    text = plain(original)
    counted = _COUNTED.fullmatch(text)
    if counted is not None:
        later = counted["side"] in {"later", "after", "afterwards", "thereafter"}
        unit, side = counted["unit"], "later" if later else "earlier"
        days = min(max(_UNITS[unit] * _FEW, 1.0), DAYS / 4)
        side_only = Candidate(f"{side} date", "rule:relative", DAYS / 2, DAYS)
        return [Candidate(f"{unit}s {side}", "rule:relative-unit", days, DAYS), side_only]
    if _LATER.fullmatch(text):
        return [Candidate("later date", "rule:relative", DAYS / 2, DAYS)]
    if _EARLIER.fullmatch(text):
        return [Candidate("earlier date", "rule:relative", DAYS / 2, DAYS)]
    return []
