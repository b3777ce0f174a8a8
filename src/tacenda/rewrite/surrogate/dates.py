"""Dates as they are written: read with certainty, and written again in the same format.

| read | example |
|---|---|
| year, month, day | ``1993-05-03`` · ``1993-05-03T14:30:00Z`` |
| day, month, year | ``12.06.1993`` · ``3 May 1993`` · ``the 3rd of May, 1993`` · ``Monday, 3 May 1993 at 14:30`` |
| month, day, year | ``May 4th, 1993`` · ``06/25/1993`` |
| month and year, year | ``March 1994`` · ``1994`` |
| day and month | ``3 May``, in any year |

Nothing else is read: not ``3/4/2004`` where the document leaves the order open, no wrong week day,
no day outside the calendar, no year before 1600 or after 2100, no range, no time of day alone. A
written date is read again as a check.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from ...policy import DateMoving
from .drawing import MONTH, WEEKDAY, Draw, month_like, month_number, weekday_like, weekday_number

_EARLIEST, _LATEST = 1600, 2100
# For dates without a year: no leap day is lost in it.
_LEAP_YEAR = 2004
_PIVOT = 30
_HALF_DAY = 12
_YEAR = r"(?P<year>[12][0-9]{3})"
_TIME = (
    r"(?P<at>T|,?\s(?:at\s)?)(?P<hour>[0-9]{1,2})(?P<colon>[:.])(?P<minute>[0-5][0-9])"
    r"(?P<seconds>:[0-5][0-9](?:\.[0-9]+)?)?(?P<half>\s?[ap](?:m|\.m\.?))?"
    r"(?P<zone>\s?(?:Z|UTC|GMT|CET|CEST)|[+-][0-9]{2}:?[0-9]{2})?"
)
_DAY = r"(?P<day>[0-9]{1,2})(?P<ending>st|nd|rd|th|\.)?"
_FORMATS = tuple(
    re.compile(
        rf"(?:(?P<weekday>{WEEKDAY})(?P<comma>,?\s))?(?P<the>the\s)?{written}", re.IGNORECASE
    )
    for written in (
        rf"{_YEAR}(?P<sign>[-./])(?P<month>[0-9]{{1,2}})(?P=sign)(?P<day>[0-9]{{1,2}})(?:{_TIME})?",
        r"(?P<first>[0-9]{1,2})(?P<sign>[-/]|\.\s?)(?P<second>[0-9]{1,2})(?P=sign)"
        rf"(?P<year>[12][0-9]{{3}}|[0-9]{{2}})(?:{_TIME})?",
        rf"{_DAY}(?P<gap>\s?-?/?(?:of\s|de\s)?)(?P<name>{MONTH})"
        rf"(?:(?P<gap_year>\.?,?(?:\s|-|/)(?:of\s|de\s)?){_YEAR})?(?:{_TIME})?",
        rf"(?P<name>{MONTH})(?P<gap>\.?\s){_DAY}(?:(?P<gap_year>,?\s){_YEAR})?(?:{_TIME})?",
        rf"(?P<name>{MONTH})(?P<gap_year>\.?,?\s(?:of\s)?){_YEAR}",
        _YEAR,
    )
)
_SLASHED = re.compile(
    r"(?<![\w./-])([0-9]{1,2})([-/])([0-9]{1,2})\2(?:[12][0-9]{3}|[0-9]{2})(?![\w/])"
)


class Grain(IntEnum):
    """Precision of a date."""

    YEAR = 0
    MONTH = 1
    DAY = 2


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """Date with its format.

    Attributes:
        date: the day; the middle of a month or a year given alone.
        grain: its precision.
        has_year: whether it has a year; if not, ``date`` is in a leap year.
        minutes: time of day, in minutes from midnight; None if none is given.
        string: the original string.
        month_first: of a date like ``3/4/2004``, whether the month is before the day.
    """

    date: dt.date
    grain: Grain
    has_year: bool
    minutes: int | None
    string: str = field(repr=False)
    month_first: bool = False

    def at(self, date: dt.date, minutes: int | None) -> str | None:
        """Return another date in this format; None where the format can't hold it."""
        string = _written(self, date, minutes)
        again = read_date(string, self.month_first)
        if again is None or again.minutes != minutes or again.grain != self.grain:
            return None
        return string if _is_written(again, date) else None


def month_comes_first(text: str) -> bool | None:
    """Return whether a text writes ``month/day/year``; None if unknown, or if it writes both."""
    orders = {
        int(second) > 12
        for first, _, second in _SLASHED.findall(text)
        if (int(first) > 12) != (int(second) > 12)
    }
    return orders.pop() if len(orders) == 1 else None


def read_date(string: str, month_first: bool | None) -> WrittenDate | None:
    """Return the date in all of ``string``; None if it is none, or ambiguous.

    Args:
        string: without white space at its ends.
        month_first: whether ``3/4/2004`` is in March; None if unknown.
    """
    for format in _FORMATS:
        match = format.fullmatch(string)
        if match is not None:
            return _read(match, month_first)
    return None


def _read(match: re.Match[str], month_first: bool | None) -> WrittenDate | None:
    parts = match.groupdict()
    day, month, turned = parts.get("day"), parts.get("month"), False
    if parts.get("first"):
        first, second, sign = parts["first"], parts["second"], parts["sign"]
        if "." in sign or int(first) > 12 or first == second:
            day, month = first, second
        elif int(second) > 12 or month_first:
            day, month, turned = second, first, True
        elif month_first is None:
            return None
        else:
            day, month = first, second
    if parts.get("name"):
        month = str(month_number(parts["name"]))
    grain = Grain.DAY if day else Grain.MONTH if month else Grain.YEAR
    if grain is not Grain.DAY and (parts["weekday"] or parts["the"]):
        return None
    year = _year(parts["year"])
    if not _EARLIEST <= year <= _LATEST:
        return None
    try:
        date = dt.date(year, int(month or 7), int(day or (15 if month else 1)))
    except ValueError:
        return None
    ending = parts.get("ending") or ""
    if ending.strip(".") and ending.lower() != _ordinal(date.day):
        return None
    if parts["weekday"] and not (parts["year"] and _fits(parts["weekday"], date)):
        return None
    minutes = _minutes_of_time(parts)
    if parts.get("hour") and minutes is None:
        return None
    return WrittenDate(date, grain, bool(parts["year"]), minutes, match[0], turned)


def _year(digits: str | None) -> int:
    if digits is None:
        return _LEAP_YEAR
    if len(digits) > 2:
        return int(digits)
    return int(digits) + (2000 if int(digits) < _PIVOT else 1900)


def _minutes_of_time(parts: dict[str, str | None]) -> int | None:
    """Return the minutes from midnight; None if there is no time, or no such time."""
    if parts.get("hour") is None:
        return None
    hour, minute = int(parts["hour"] or 0), int(parts["minute"] or 0)
    half = (parts["half"] or "").strip().lower()
    if half:
        if not 1 <= hour <= _HALF_DAY:
            return None
        hour = hour % _HALF_DAY + _HALF_DAY * half.startswith("p")
    return hour * 60 + minute if hour < 24 else None


def _fits(weekday: str, date: dt.date) -> bool:
    """Return whether a week day is right for a date."""
    return weekday_number(weekday) == date.weekday()


def _written(like: WrittenDate, date: dt.date, minutes: int | None) -> str:
    match = next(hit for format in _FORMATS if (hit := format.fullmatch(like.string)))
    parts = {name: part for name, part in match.groupdict().items() if part is not None}
    new = {"year": str(date.year).zfill(4)[-len(parts.get("year", "")) :]}
    if "weekday" in parts:
        new["weekday"] = weekday_like(date.weekday(), parts["weekday"])
    if "name" in parts:
        new["name"] = month_like(date.month, parts["name"])
        new["day"] = _padded(date.day, parts.get("day", "").startswith("0"))
    else:
        one, two = ("first", "second") if "first" in parts else ("day", "month")
        padded = min(len(parts.get(one, "")), len(parts.get(two, ""))) > 1
        if like.month_first:
            one, two = two, one
        new |= {one: _padded(date.day, padded), two: _padded(date.month, padded)}
    if parts.get("ending", ".") != ".":
        ending = _ordinal(date.day)
        new["ending"] = ending.upper() if parts["ending"].isupper() else ending
    if minutes is not None and "hour" in parts:
        hour = minutes // 60
        if "half" in parts:
            sign = "p" if hour >= _HALF_DAY else "a"
            sign = sign if parts["half"].islower() else sign.upper()
            new["half"] = re.sub("[ap]", sign, parts["half"], count=1, flags=re.IGNORECASE)
            hour = (hour - 1) % _HALF_DAY + 1
        padded = parts["hour"].startswith("0") or ("half" not in parts and len(parts["hour"]) > 1)
        new |= {"hour": _padded(hour, padded), "minute": f"{minutes % 60:02}"}
    pieces: list[str] = []
    position = 0
    for start, end, name in sorted((*match.span(name), name) for name in parts if name in new):
        pieces += [like.string[position:start], new[name]]
        position = end
    return "".join([*pieces, like.string[position:]])


def _padded(number: int, padded: bool) -> str:
    return f"{number:02}" if padded else str(number)


def _is_written(again: WrittenDate, date: dt.date) -> bool:
    """Return whether a date, read again, is the intended one at its precision."""
    first, second = again.date, date
    if again.grain is Grain.YEAR:
        return first.year == second.year
    if not again.has_year:
        first, second = first.replace(year=_LEAP_YEAR), second.replace(year=_LEAP_YEAR)
    if again.grain is Grain.MONTH:
        return (first.year, first.month) == (second.year, second.month)
    return first == second


def _ordinal(number: int) -> str:
    """Return the suffix of an English ordinal."""
    return "th" if 10 < number % 100 < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


# Moves of a document's dates: all by one number of days, or each by its own.
#
# *shift*: one keyed number of days a document, at least 14 months and at most 10 years into the past,
# so the days between two dates stay true. These differences are a fingerprint: anybody with the
# true dates of many people, such as a hospital, finds the document's person by them alone
# (``benchmarks/RESULTS.md``). No choice of the number helps.
#
# *jitter*: besides, each date by a keyed random number of days of its own, up to a year or half of
# the time between the first date and the last, whichever is more. What stays true is the order: the
# numbers are drawn for all dates and given out in order, so that each is within its bounds and
# earlier dates stay earlier. Dates of different exactness never change places, but may fall together
# (a day of March 1990 and "March 1990"). Equal dates stay equal; intervals and rates do not.
#
# In both, times of day move by one number of minutes a document, within their day.


_NEAREST, _FARTHEST = 426, 3650
_LEAST_JITTER = 365
_LAST_MINUTE = 24 * 60 - 1


class Moves:
    """Moves of a document's dates.

    Args:
        draw: the keyed choices.
        text: the document; its numbers belong to this very text.
        dates: all dates to move.
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

    def date(self, source: WrittenDate) -> str | None:
        """Return a date moved; None where it can't be."""
        target = self._moved(source)
        if target is None:
            return None
        if source.minutes is None:
            return source.at(target, None)
        minutes = source.minutes + self._minutes
        if not self._minutes or not 0 <= minutes <= _LAST_MINUTE:
            return None
        return source.at(target, minutes)

    def _moved(self, source: WrittenDate) -> dt.date | None:
        if self._places is not None:
            return self._places.get((source.date, source.grain)) if source.has_year else None
        try:
            return source.date + dt.timedelta(days=self._days)
        except OverflowError:
            return None


def _minutes(times: list[int], source: random.Random) -> int:
    """Return a shift in minutes that keeps each time on its day; 0 if there is none."""
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
    """Yield a day for each point: that of its number, or the next one in order."""
    earliest = 0
    before = points[0][0]
    last: dict[Grain, dt.date] = {}
    for number, (date, grain) in zip(numbers, points, strict=True):
        earliest += date > before
        unit = _unit(dt.date.fromordinal(max(number, earliest)), grain)
        # Neither the date itself nor the new date of an earlier one.
        while unit == _unit(date, grain) or (grain in last and unit <= last[grain]):
            unit = _next(unit, grain)
        last[grain] = unit
        earliest, before = max(number, earliest, unit.toordinal()), date
        yield unit


def _unit(date: dt.date, grain: Grain) -> dt.date:
    """Return the first day of a date's year or month, or the day itself."""
    if grain is Grain.YEAR:
        return date.replace(month=1, day=1)
    return date.replace(day=1) if grain is Grain.MONTH else date


def _next(unit: dt.date, grain: Grain) -> dt.date:
    return _unit(unit + dt.timedelta(days=(366, 31, 1)[grain]), grain)
