"""DATETIME: month, year, decade, century, and at last ``DATE`` (Olstad et al., section 3.1).

| original | options |
|---|---|
| ``12 March 1994`` | March 1994 · 1994 · date in the 1990s · date in the 20th century · DATE |
| ``3/4/2004`` | 2004 · … : month or day, nobody can tell |
| ``from 3 to 5 May 1994`` | May 1994 · 1994 · period in the 1990s · … |
| ``the following day`` | later date · DATE |
| ``two years`` | between 1 and 5 years · X years · DATE |
| ``10.30 a.m.``, ``Monday`` | morning · time of day · DATE, weekday · DATE |

``DATE`` is a tag, the paper's name of the type: something of when or how long stood there.
"""

from __future__ import annotations

import calendar
from functools import lru_cache

from ...document import Document, Entity, Option
from . import periods
from .ages import age_candidates
from .candidate import Candidate
from .date_parsing import parse_month, parse_period, years_of
from .durations import duration_candidates
from .finishing import finish, strings
from .relative_dates import relative_candidates
from .times_of_day import time_candidates

_TAG = Candidate("DATE", "type:DATETIME", periods.DAYS * 1_440, periods.DAYS * 1_440)


class Dates:
    """Writes the months, years, decades and centuries that hold a date."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return what holds every mention of the entity, ``DATE`` and ``***``."""
        found = (
            _period_candidates(document, entity)
            or age_candidates(document, entity)
            or duration_candidates(document, entity)
            or _common(document, entity)
        )
        return finish(document, entity, [*found, _TAG])


def _period_candidates(document: Document, entity: Entity) -> list[Candidate]:
    known = _years(document.text)
    found = [parse_period(string, known) for string in strings(document, entity)]
    parsed = [period for period in found if period is not None]
    if not parsed:
        return []
    first = parsed[0]
    hull = periods.Period(
        min(period.first for period in parsed),
        max(period.last for period in parsed),
        first.number,
        any(period.vague for period in parsed),
    )
    return periods.candidates(hull)


def _common(document: Document, entity: Entity) -> list[Candidate]:
    """Return what all mentions, which are no dates of a known year, have in common."""
    each = [
        relative_candidates(string) or time_candidates(string) or _month_candidates(string)
        for string in strings(document, entity)
    ]
    return [candidate for candidate in each[0] if all(candidate in other for other in each)]


def _month_candidates(string: str) -> list[Candidate]:
    month = parse_month(string)
    if month is None:
        return []
    return [Candidate(f"date in {calendar.month_name[month]}", "rule:month", 30.0, 365.0)]


@lru_cache(maxsize=8)
def _years(text: str) -> tuple[int, ...]:
    return years_of(text)
