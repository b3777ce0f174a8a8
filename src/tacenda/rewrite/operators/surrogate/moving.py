"""Where the dates of a document move to: all by one number of days, or each by its own.

*shift*: one keyed number of days a document, at least 14 months and at most 10 years into the past,
so that the days between two dates stay true. These differences are a fingerprint: whoever has the
true dates of many people, as a hospital's register does, finds by them alone whose document it is
(``benchmarks/RESULTS.md``). No choice of the number helps.

*jitter*: besides, each date by a keyed random number of days of its own, up to a year or half of
the time between the first date and the last, whichever is more. What stays true is the order: the
numbers are drawn for all dates and given out in order, so that each is within its bounds and
earlier dates stay earlier. Dates of different exactness never change places, but may fall together
(a day of March 1990 and "March 1990"). Equal dates stay equal; intervals and rates do not.

In both, times of day move by one number of minutes a document, within their day.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable, Iterator

from ....policy import DateMoving
from .dates import Grain, WrittenDate
from .draw import Draw

_NEAREST, _FARTHEST = 426, 3650
_LEAST_JITTER = 365
_LAST_MINUTE = 24 * 60 - 1


class Moves:
    """Says where each date of a document moves to.

    Args:
        draw: the keyed choices.
        text: the document; its numbers belong to this very text.
        dates: all of its dates that will be moved.
        moving: ``shift`` or ``jitter``.
    """

    def __init__(
        self, draw: Draw, text: str, dates: Iterable[WrittenDate], moving: DateMoving
    ) -> None:
        source = draw.source("dates", text)
        days = source.randrange(_NEAREST, _FARTHEST)
        # Never whole weeks, so that every week day changes.
        self._days = -(days if days % 7 else days + 1)
        dates = list(dates)
        times = [date.minutes for date in dates if date.minutes is not None]
        # So that none goes on to the next day.
        self._minutes = _minutes(times, draw.source("minutes", text)) if times else 0
        self._places = None
        if moving == "jitter":
            self._places = _jittered(dates, self._days, draw.source("jitter", text))

    def date(self, written: WrittenDate) -> str | None:
        """Return a date moved; None where it can't be."""
        moved = self._moved(written)
        if moved is None:
            return None
        if written.minutes is None:
            return written.at(moved, None)
        minutes = written.minutes + self._minutes
        if not self._minutes or not 0 <= minutes <= _LAST_MINUTE:
            return None
        return written.at(moved, minutes)

    def _moved(self, written: WrittenDate) -> dt.date | None:
        if self._places is not None:
            return self._places.get((written.date, written.grain)) if written.has_year else None
        try:
            return written.date + dt.timedelta(days=self._days)
        except OverflowError:
            return None


def _minutes(times: list[int], source: random.Random) -> int:
    """Return a number of minutes that moves no time into another day; 0 if there is none."""
    options = [n for n in range(-min(times), _LAST_MINUTE - max(times) + 1) if n]
    return source.choice(options) if options else 0


def _jittered(
    dates: list[WrittenDate], days: int, source: random.Random
) -> dict[tuple[dt.date, Grain], dt.date]:
    """Return where each date moves to, in order of the calendar."""
    points = sorted({(date.date, date.grain) for date in dates if date.has_year})
    if not points:
        return {}
    bound = max(_LEAST_JITTER, (points[-1][0] - points[0][0]).days // 2)
    numbers = sorted(date.toordinal() + days + source.randint(-bound, bound) for date, _ in points)
    return dict(zip(points, _in_order(points, numbers), strict=True))


def _in_order(points: list[tuple[dt.date, Grain]], numbers: list[int]) -> Iterator[dt.date]:
    """Yield a day for each point: as its number says, or as soon after as keeps the order."""
    earliest = 0
    before = points[0][0]
    last: dict[Grain, dt.date] = {}
    for number, (date, grain) in zip(numbers, points, strict=True):
        earliest += date > before
        unit = _unit(dt.date.fromordinal(max(number, earliest)), grain)
        # Not the date itself, nor what an earlier one became.
        while unit == _unit(date, grain) or (grain in last and unit <= last[grain]):
            unit = _next(unit, grain)
        last[grain] = unit
        earliest, before = max(number, earliest, unit.toordinal()), date
        yield unit


def _unit(date: dt.date, grain: Grain) -> dt.date:
    """Return the first day of the year or month that a date is in, or the day itself."""
    if grain is Grain.YEAR:
        return date.replace(month=1, day=1)
    return date.replace(day=1) if grain is Grain.MONTH else date


def _next(unit: dt.date, grain: Grain) -> dt.date:
    return _unit(unit + dt.timedelta(days=(366, 31, 1)[grain]), grain)
