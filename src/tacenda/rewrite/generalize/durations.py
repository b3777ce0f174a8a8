"""Spans of time: ``two years`` → between 1 and 5 years · X years; ``18 months`` → 1 to 5 years.

What is counted in small units is told in the next coarser ones as well: 895 days are between 1
and 5 years, nine months less than a year.
"""

from __future__ import annotations

import re

from ...document import Document, Entity
from .bins import FINE, around
from .candidate import Candidate
from .finishing import strings
from .numbers import WORDS, plain, readings

_DAYS = {
    "second": 1 / 86_400,
    "minute": 1 / 1_440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": 30.44,
    "year": 365.25,
    "decade": 3652.5,
    "century": 36_525.0,
}
_COARSER = {"minute": "hour", "hour": "day", "day": "month", "week": "month", "month": "year"}
SPANS = 36_525.0 * 1_440
"""Scope of spans of time: minutes of a century."""

_UNIT = "seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?"
_PART = re.compile(
    rf"(?P<number>[0-9]+(?:[.,][0-9]+)?|{WORDS})(?P<half>\sand\sa\shalf)?"
    rf"(?:\s(?:full|consecutive|further|additional|more))?(?P<join>[\s-])(?P<unit>{_UNIT})\b"
)
_JOIN = re.compile(r"'?(?:,\s?|\s)(?:and\s)?")
_LEAD = re.compile(r"(?:for|about|approximately|around|nearly|almost)\s")
_SIDED = re.compile(r"(?:more than|less than|over|under|at least|up to)\s")
_TAIL = re.compile(r"(?:'s?|-long|\slong)?")


def duration_candidates(document: Document, entity: Entity) -> list[Candidate]:
    """Return what may be written instead of a span of time; nothing if it is not one."""
    originals = [plain(original) for original in strings(document, entity)]
    parsed = [parse_duration(original) for original in originals]
    known = [each for each in parsed if each is not None]
    if len(known) != len(parsed) or len(set(known)) > 1:
        return []
    days, unit, adjective = known[0]
    joined = f"X-{unit}" if adjective else f"X {_plural(unit)}"
    candidates = [Candidate(joined, "rule:unit", SPANS / 10, SPANS)]
    if days is not None:
        units = [unit, _COARSER[unit]] if unit in _COARSER else [unit]
        for each in units:
            candidates += _bin(days, each, adjective)
    return candidates


def parse_duration(text: str) -> tuple[float | None, str, bool] | None:
    """Return length in days, largest unit, and whether it is an adjective; None if it is none.

    The length is None where the text says only a bound of it.
    """
    lead = _LEAD.match(text)
    sided = None if lead else _SIDED.match(text)
    position = lead.end() if lead else sided.end() if sided else 0
    days = 0.0
    unit = ""
    adjective = False
    while (part := _PART.match(text, position)) is not None:
        values = readings(part["number"])
        if not values:
            return None
        each = part["unit"].rstrip("s")
        unit = unit or each
        days += (values[0] + (0.5 if part["half"] else 0.0)) * _DAYS[each]
        adjective = part["join"] == "-" or not part["unit"].endswith("s")
        adjective = adjective and values[0] != 1
        position = part.end()
        join = _JOIN.match(text, position)
        if join is None or _PART.match(text, join.end()) is None:
            break
        position = join.end()
    if not unit or _TAIL.fullmatch(text, position) is None:
        return None
    return (None if sided else days), unit, adjective


def _bin(days: float, unit: str, adjective: bool) -> list[Candidate]:
    size = _DAYS[unit]
    value = days / size
    grain = 1.0 if size >= 7 else 1 / 1_440
    if value < 1:
        if adjective:
            return []
        article = "an" if unit == "hour" else "a"
        text = f"less than {article} {unit}"
        return [Candidate(text, "rule:coarser", size / grain, SPANS)]
    bin = around(value, value, FINE)
    if bin is None:
        return []
    text = (
        f"{bin.low:g}-to-{bin.high:g}-{unit}"
        if adjective
        else bin.between(after=f" {_plural(unit)}")
    )
    return [Candidate(text, "rule:duration", (bin.high - bin.low) * size / grain, SPANS)]


def _plural(unit: str) -> str:
    return "centuries" if unit == "century" else f"{unit}s"
