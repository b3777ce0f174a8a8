"""DATETIME: month, year, decade, century, and at last ``DATE`` (Olstad et al., section 3.1).

| original | options |
|---|---|
| ``12 March 1994`` | March 1994 · 1994 · date in the 1990s · date in the 20th century · DATE |
| ``3/4/2004`` | 2004 · … : the order of month and day is unknown |
| ``from 3 to 5 May 1994`` | May 1994 · 1994 · period in the 1990s · … |
| ``the following day`` | later date · DATE |
| ``two years`` | between 1 and 5 years · X years · DATE |
| ``10.30 a.m.``, ``Monday`` | morning · time of day · DATE, weekday · DATE |

``DATE`` is a tag, the paper's name of the type: something of when or how long stood there.
"""

from __future__ import annotations

import calendar
import re
from functools import lru_cache

from ...document import Document, Entity, Option
from . import date_parsing
from .candidates import Candidate, build_options, strings
from .date_parsing import DAYS, parse_month, parse_period, years_of
from .numerals import WORDS, plain
from .quantities import age_candidates, duration_candidates

# Dates that count from another one: ``seven years later`` → years later · later date.
#
# Their reference date is in the text, so nothing more specific is allowed.


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
    """Return the candidates for a date relative to another; none if it is not one."""
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


# Times of day and days of the week: ``10.30 a.m.`` → morning · time of day; ``Monday`` → weekday.
#
# An hour from 1 to 12 without a.m. or p.m. may be either: its only class is time of day.


_MINUTES = 1_440.0
"""Scope of times of day."""
_PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))
_TIME = re.compile(
    r"(?:at\s|around\s|about\s)?(?P<hour>[0-2]?\d)(?:[.:h](?P<minute>[0-5]\d))?(?:[.:][0-5]\d)?"
    r"(?:\s?(?P<half>[ap])\.?m\.?|\s?(?P<clock>o'clock|hours|hrs|h))?"
)
_WORDS = {"noon": 12, "midday": 12, "midnight": 0}
_WORKING = re.compile(r"(?:on\s)?(?:mon|tues|wednes|thurs|fri)days?")
_WEEKEND = re.compile(r"(?:on\s)?(?:satur|sun)days?")


def time_candidates(original: str) -> list[Candidate]:
    """Return the candidates for a time or a weekday; none if it is neither."""
    text = plain(original)
    for pattern, words, days in (
        (_WORKING, "weekday", 5.0),
        (_WEEKEND, "day of the weekend", 2.0),
    ):
        if pattern.fullmatch(text):
            return [Candidate(words, "rule:weekday", days, 7.0)]
    hours = _hours(text)
    if not hours:
        return []
    parts = {_part(hour) for hour in hours}
    candidates = [Candidate("time of day", "rule:time", _MINUTES, _MINUTES)]
    if len(parts) == 1:
        candidates.insert(0, Candidate(parts.pop(), "rule:part-of-day", 300.0, _MINUTES))
    return candidates


def _hours(text: str) -> tuple[int, ...]:
    """Return the possible hours of the day of ``text``; none if it is no time."""
    if text in _WORDS:
        return (_WORDS[text],)
    match = _TIME.fullmatch(text)
    if match is None or not (match["minute"] or match["half"] or match["clock"]):
        return ()
    hour = int(match["hour"])
    if match["half"]:
        return (hour % 12 + (12 if match["half"] == "p" else 0),) if 1 <= hour <= 12 else ()
    if hour > 23:
        return ()
    if match["clock"] in {"hours", "hrs", "h"} or hour > 12 or match["hour"].startswith("0"):
        return (hour,)
    return (hour % 12, hour % 12 + 12)


def _part(hour: int) -> str:
    return next(name for end, name in _PARTS if hour < end)


_TAG = Candidate("DATE", "type:DATETIME", date_parsing.DAYS * 1_440, date_parsing.DAYS * 1_440)


class Dates:
    """Rule of the months, years, decades and centuries around a date."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return the periods around every mention of the entity, ``DATE`` and ``***``."""
        candidates = (
            _period_candidates(document, entity)
            or age_candidates(document, entity)
            or duration_candidates(document, entity)
            or _common(document, entity)
        )
        return build_options(document, entity, [*candidates, _TAG])


def _period_candidates(document: Document, entity: Entity) -> list[Candidate]:
    years = _years(document.text)
    results = [parse_period(string, years) for string in strings(document, entity)]
    parsed = [period for period in results if period is not None]
    if not parsed:
        return []
    first = parsed[0]
    hull = date_parsing.Period(
        min(period.first for period in parsed),
        max(period.last for period in parsed),
        first.number,
        any(period.vague for period in parsed),
    )
    return date_parsing.candidates(hull)


def _common(document: Document, entity: Entity) -> list[Candidate]:
    """Return the common candidates of all mentions, none of them a date of a known year."""
    groups = [
        relative_candidates(string) or time_candidates(string) or _month_candidates(string)
        for string in strings(document, entity)
    ]
    return [candidate for candidate in groups[0] if all(candidate in group for group in groups)]


def _month_candidates(string: str) -> list[Candidate]:
    month = parse_month(string)
    if month is None:
        return []
    return [Candidate(f"date in {calendar.month_name[month]}", "rule:month", 30.0, 365.0)]


@lru_cache(maxsize=8)
def _years(text: str) -> tuple[int, ...]:
    return years_of(text)
