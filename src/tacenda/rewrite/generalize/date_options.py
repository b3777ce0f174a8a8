"""Options of DATETIME: month, year, decade, century, and finally ``DATE`` (Olstad et al., section 3.1).

| original | options |
|---|---|
| ``12 March 1994`` | March 1994 · 1994 · date in the 1990s · date in the 20th century · DATE |
| ``3/4/2004`` | 2004 · … : the order of month and day is unknown |
| ``from 3 to 5 May 1994`` | May 1994 · 1994 · period in the 1990s · … |
| ``the following day`` | later date · DATE |
| ``two years`` | between 1 and 5 years · X years · DATE |
| ``10.30 a.m.``, ``Monday`` | morning · time of day · DATE, weekday · DATE |

``DATE`` is a tag, the paper's name for the type: it only says that a time or duration was there.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

from ...document import Document, Entity, Option, Span
from ...shipped import shipped_patterns
from ...text.dates import MONTH, YEAR, years_ending_in
from . import date_parsing
from .candidates import Candidate, build_options, strings
from .date_parsing import DAYS, parse_first, parse_month, parse_period, years_of
from .nouns import WORDS
from .numerals import WORDS as NUMERALS
from .numerals import fold_numerals
from .quantities import UNIT_DAYS, age_candidates, duration_candidates

# Dates that count from another one: ``seven years later`` → years later · later date.
#
# Their reference date is in the text, so nothing more specific is allowed.


_UNITS = {unit: days for unit, days in UNIT_DAYS.items() if 1 / 24 <= days < 36_525} | {
    "night": 1.0
}
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})s?"
_WORDS_OF_DATES = {"dates": "|".join(WORDS["calendar"]), "stretches": "|".join(WORDS["stretches"])}
_PATTERNS = shipped_patterns(
    "english_contexts",
    "relative_dates",
    month=MONTH,
    numerals=NUMERALS,
    year=YEAR,
    unit=_UNIT,
    **_WORDS_OF_DATES,
)
_LABEL_LENGTH = 60
"""Characters before a date in which a label of birth is looked for."""
_MAX_COUNT = 100
"""How many units, at most, a text counts."""


def relative_candidates(original: str) -> list[Candidate]:
    """Return the candidates for a date relative to another one, or none if it isn't one."""
    text = fold_numerals(original)
    counted = _PATTERNS["counted"].fullmatch(text)
    if counted is not None:
        later = counted["side"] in {"later", "after", "afterwards", "thereafter"}
        unit, side = counted["unit"], "later" if later else "earlier"
        days = min(max(_UNITS[unit] * _MAX_COUNT, 1.0), DAYS / 4)
        side_only = Candidate(f"{side} date", "rule:relative", DAYS / 2, DAYS)
        return [Candidate(f"{unit}s {side}", "rule:relative-unit", days, DAYS), side_only]
    if _PATTERNS["later"].fullmatch(text):
        return [Candidate("later date", "rule:relative", DAYS / 2, DAYS)]
    if _PATTERNS["earlier"].fullmatch(text):
        return [Candidate("earlier date", "rule:relative", DAYS / 2, DAYS)]
    return []


# Times of day and days of the week: ``10.30 a.m.`` → morning · time of day; ``Monday`` → weekday.
#
# An hour from 1 to 12 without a.m. or p.m. may be either: its only class is time of day.


_MINUTES = 1_440.0
"""Scope of times of day."""
_PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))
_WORDS = {"noon": 12, "midday": 12, "midnight": 0}
_WORKING = re.compile(r"(?:on\s)?(?:mon|tues|wednes|thurs|fri)days?")
_WEEKEND = re.compile(r"(?:on\s)?(?:satur|sun)days?")


def time_candidates(original: str) -> list[Candidate]:
    """Return the candidates for a time or a weekday, or none if it is neither."""
    text = fold_numerals(original)
    for pattern, label, days in (
        (_WORKING, "weekday", 5.0),
        (_WEEKEND, "day of the weekend", 2.0),
    ):
        if pattern.fullmatch(text):
            return [Candidate(label, "rule:weekday", days, 7.0)]
    hours = _hours(text)
    if not hours:
        return []
    parts = {_part(hour) for hour in hours}
    candidates = [Candidate("time of day", "rule:time", _MINUTES, _MINUTES)]
    if len(parts) == 1:
        candidates.insert(0, Candidate(parts.pop(), "rule:part-of-day", 300.0, _MINUTES))
    return candidates


def _hours(text: str) -> tuple[int, ...]:
    """Return the hours of the day that ``text`` can mean, or none if it isn't a time."""
    if text in _WORDS:
        return (_WORDS[text],)
    match = _PATTERNS["time"].fullmatch(text)
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


def _is_date(string: str) -> bool:
    """Return whether a string names a date: a lone number, a dose, an age, a school year or "a week" does not."""
    if _PATTERNS["calendar"].search(string):
        return True
    if _PATTERNS["rate"].fullmatch(string):
        return False
    return bool(_PATTERNS["unit_alone"].search(string)) and not _PATTERNS["count_before"].search(
        string
    )


class Dates:
    """The rule for the months, years, decades and centuries around a date."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return the periods that contain every mention of the entity, then ``DATE`` and ``***``."""
        candidates = (
            _period_candidates(document, entity)
            or age_candidates(document, entity)
            or duration_candidates(document, entity)
            or _common(document, entity)
        )
        if candidates or all(map(_is_date, strings(document, entity))):
            candidates.append(_TAG)
        return build_options(document, entity, candidates)


def _period_candidates(document: Document, entity: Entity) -> list[Candidate]:
    years = years_of(document.text)
    results = [parse_period(string, years) for string in strings(document, entity)]
    parsed = [period for period in results if period is not None]
    if _has_open_century(document, entity, parsed):
        return []
    if not parsed:
        days = [_year_after(document.text, mention.span, years) for mention in entity.mentions]
        parsed = [day for day in days if day is not None]
        if len(parsed) < len(days):
            return []
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


def _has_open_century(
    document: Document, entity: Entity, periods: Sequence[date_parsing.Period]
) -> bool:
    """Return whether a birth year has two digits and could be in either century: ``born 3/4/19``."""
    text = document.text
    starts = [mention.span.start for mention in entity.mentions]
    is_birth = any(
        _PATTERNS["birth_before"].search(text, max(0, start - _LABEL_LENGTH), start)
        for start in starts
    )
    return is_birth and any(
        len(years_ending_in(period.first.year % 100, is_birth=True)) > 1
        and not any(str(period.first.year) in string for string in strings(document, entity))
        for period in periods
    )


def _year_after(text: str, span: Span, years: tuple[int, ...]) -> date_parsing.Period | None:
    """Return the days of a date that takes its year from a later one: "17 May and 28 October 1999"."""
    if parse_month(span.of(text)) is None:
        return None
    following = _PATTERNS["following"].match(text, span.end, span.end + _LIST_LENGTH)
    if following is None:
        return None
    return parse_first(text[span.start : following.end()], years)


def _common(document: Document, entity: Entity) -> list[Candidate]:
    """Return the candidates common to all mentions, of which none is a date in a known year."""
    groups = [
        relative_candidates(string)
        or time_candidates(string)
        or _season_candidates(string)
        or _month_candidates(string)
        for string in strings(document, entity)
    ]
    return [candidate for candidate in groups[0] if all(candidate in group for group in groups)]


def _season_candidates(string: str) -> list[Candidate]:
    if not _PATTERNS["season"].fullmatch(string):
        return []
    return [Candidate("season", "rule:season", DAYS / 4, DAYS)]


def _month_candidates(string: str) -> list[Candidate]:
    month = parse_month(string)
    if month is None:
        return []
    half = "first" if month <= 6 else "second"
    several = _PATTERNS["days_of_month"].search(string)
    noun = (
        "date"
        if several is None
        else "dates"
        if several[1] in {",", "and", "&", "or"}
        else "period"
    )
    return [
        Candidate(f"{noun} in {calendar.month_name[month]}", "rule:month", 30.0, 365.0),
        Candidate(f"{noun} in the {half} half of the year", "rule:half-year", 181.0, 365.0),
    ]


_LIST_LENGTH = 120
"""Characters after a date, at most, in which the year of its list stands."""
