"""Dates as written: read with certainty, and written in the same format.

| read | example |
|---|---|
| year, month, day | ``1993-05-03`` · ``1993-05-03T14:30:00Z`` |
| day, month, year | ``12.06.1993`` · ``3 May 1993`` · ``the 3rd of May, 1993`` · ``Monday, 3 May 1993 at 14:30`` |
| month, day, year | ``May 4th, 1993`` · ``06/25/1993`` |
| month and year, year | ``March 1994`` · ``1994`` |
| day and month | ``3 May``, in any year |

Nothing else is read: not ``3/4/2004`` if the document doesn't settle the order, no wrong weekday,
no day outside the calendar, no year before 1600 or after 2100, no range, no time of day alone. As a
check, each written date is read again.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from calendar import isleap
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from ...policy.schema import DateMoving
from ...shipped import shipped_patterns
from ...text.dates import years_ending_in
from ...text.numerals import ordinal_ending
from ...text.spans import edited_text
from .drawing import MONTH, WEEKDAY, Draw, month_like, month_number, weekday_like, weekday_number

_EARLIEST, _LATEST = 1600, 2100
# For dates without a year, so that no leap day is lost.
_LEAP_YEAR = 2004
_HALF_DAY = 12
_SATURDAY, _WEEK = 5, 7
_READ = shipped_patterns("english_contexts", "formats_of_dates", weekday=WEEKDAY, month=MONTH)
_FORMATS = (
    *(_READ["iso"], _READ["numbers"], _READ["day_first"], _READ["month_first"]),
    *(_READ["month_alone"], _READ["year_alone"]),
)
_SLASHED = re.compile(
    r"(?<![\w./-])([0-9]{1,2})([-/])([0-9]{1,2})\2(?:[12][0-9]{3}|[0-9]{2})(?![\w/])"
)
_NAMED = re.compile(
    rf"(?<![\w.])[0-9]{{1,2}}(?:st|nd|rd|th)? (?:{MONTH})(?!\w)|(?<!\w)(?P<month>(?:{MONTH}) [0-9]{{1,2}}, [0-9])"
)
_BRITISH = re.compile(r"\b[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}\b|\bNHS\b|\+44\b")
"""Marks of texts from the United Kingdom, where the day comes first: postcodes, for one."""
_WEEKDAY_BEFORE = re.compile(rf"(?<!\w)(?:{WEEKDAY})\.?,?\s(?:(?:the|den|dia)\s)?\Z", re.IGNORECASE)


class Grain(IntEnum):
    """The precision of a date."""

    YEAR = 0
    MONTH = 1
    DAY = 2


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date with its format.

    Attributes:
        date: the day, or the middle of a month or year given alone.
        grain: its precision.
        has_year: whether it has a year; if not, ``date`` is in a leap year.
        minutes: time of day in minutes from midnight, or None if none is given.
        string: the original string.
        month_first: in a date like ``3/4/2004``, whether the month comes before the day.
        language: the text's language.
        on_weekday: whether its weekday is named, in it or before it.
    """

    date: dt.date
    grain: Grain
    has_year: bool
    minutes: int | None
    string: str = field(repr=False)
    month_first: bool = False
    language: str = "en"
    on_weekday: bool = False

    def at(self, date: dt.date, minutes: int | None) -> str | None:
        """Return another date in this format, or None if the format can't express it."""
        string = _written(self, date, minutes)
        again = read_date(string, self.month_first, self.language)
        if again is None or again.minutes != minutes or again.grain != self.grain:
            return None
        return string if _is_written(again, date) else None


def month_comes_first(text: str, language: str = "en") -> bool | None:
    """Return whether a text writes ``month/day/year`` or *March 4, 1994*, or None if it is unclear or it writes both."""
    orders = {
        int(second) > 12
        for first, _, second in _SLASHED.findall(text)
        if (int(first) > 12) != (int(second) > 12)
    }
    orders = orders or {match["month"] is not None for match in _NAMED.finditer(text)}
    if not orders and (language != "en" or _BRITISH.search(text)):
        return False
    return orders.pop() if len(orders) == 1 else None


def names_weekday(before: str) -> bool:
    """Return whether a weekday is named right before a date."""
    return _WEEKDAY_BEFORE.search(before) is not None


def read_date(string: str, month_first: bool | None, language: str = "en") -> WrittenDate | None:
    """Return the date that all of ``string`` is, or None if it isn't one or is ambiguous.

    Args:
        string: the string, without white space around it.
        month_first: whether ``3/4/2004`` is in March, or None if unknown.
        language: the text's language.
    """
    for format in _FORMATS:
        match = format.fullmatch(string)
        if match is not None:
            return _read(match, month_first, language)
    return None


def _read(match: re.Match[str], month_first: bool | None, language: str) -> WrittenDate | None:
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
    if ending.strip(".") and ending.lower() != ordinal_ending(date.day):
        return None
    weekday = parts["weekday"]
    if weekday and not (parts["year"] and weekday_number(weekday) == date.weekday()):
        return None
    minutes = _minutes_of_time(parts)
    if parts.get("hour") and minutes is None:
        return None
    has_year, named = parts["year"] is not None, weekday is not None
    return WrittenDate(date, grain, has_year, minutes, match[0], turned, language, named)


def _year(digits: str | None) -> int:
    if digits is None:
        return _LEAP_YEAR
    if len(digits) > 2:
        return int(digits)
    return years_ending_in(int(digits))[0]


def _minutes_of_time(parts: dict[str, str | None]) -> int | None:
    """Return the minutes from midnight, or None if there is no time or no valid one."""
    if parts.get("hour") is None:
        return None
    hour, minute = int(parts["hour"] or 0), int(parts["minute"] or 0)
    half = (parts["half"] or "").strip().lower()
    if half:
        if not 1 <= hour <= _HALF_DAY:
            return None
        hour = hour % _HALF_DAY + _HALF_DAY * half.startswith("p")
    return hour * 60 + minute if hour < 24 else None


def _written(like: WrittenDate, date: dt.date, minutes: int | None) -> str:
    match = next(hit for format in _FORMATS if (hit := format.fullmatch(like.string)))
    parts = {name: part for name, part in match.groupdict().items() if part is not None}
    new = {"year": str(date.year).zfill(4)[-len(parts.get("year", "")) :]}
    if "weekday" in parts:
        new["weekday"] = weekday_like(date.weekday(), parts["weekday"], like.language)
    if "name" in parts:
        new["name"] = month_like(date.month, parts["name"], like.language)
        new["day"] = _padded(date.day, parts.get("day", "").startswith("0"))
    else:
        one, two = ("first", "second") if "first" in parts else ("day", "month")
        padded = min(len(parts.get(one, "")), len(parts.get(two, ""))) > 1
        if like.month_first:
            one, two = two, one
        new |= {one: _padded(date.day, padded), two: _padded(date.month, padded)}
    if parts.get("ending", ".") != ".":
        ending = ordinal_ending(date.day)
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
    return edited_text(
        like.string, sorted((*match.span(name), new[name]) for name in parts if name in new)
    )


def _padded(number: int, padded: bool) -> str:
    return f"{number:02}" if padded else str(number)


def _is_written(again: WrittenDate, date: dt.date) -> bool:
    """Return whether a date, when read again, is the intended one at its precision."""
    first, second = again.date, date
    if again.grain is Grain.YEAR:
        return first.year == second.year
    if not again.has_year:
        first, second = first.replace(year=_LEAP_YEAR), second.replace(year=_LEAP_YEAR)
    if again.grain is Grain.MONTH:
        return (first.year, first.month) == (second.year, second.month)
    return first == second


# How a document's dates move: each by its own number of days, or all by the same one.
#
# *jitter*: each year becomes another, by a keyed random number of its own in addition to one for
# all, up to half of the time between the first and the last, keeping their order. Within a year,
# the days are redrawn, also in order. So two things stay true: the order, and that two dates are in
# the same year (or month, if a month is given alone): "May 2007" and "6 May 2007" agree. Equal
# dates stay equal. Intervals don't, but a life doesn't become longer by more than a third, adults
# stay adults, and an interval of thirty years or more becomes half to one and a half times as long.
# Dates that stay in the text keep their order with these.
#
# *shift*: one keyed number of days per document, at least 14 months and at most 10 years into the past,
# so the number of days between two dates stays true. These differences are a fingerprint: anyone
# with many people's true dates, such as a hospital, can find the document's person by them alone
# (``benchmarks/RESULTS.md``), whatever the number is.
#
# In both, times of day move by one number of minutes per document, within their day.


_NEAREST, _FARTHEST = 426, 3650
_LAST_MINUTE = 24 * 60 - 1
_GROWN_UP = 16
_LONG = 30
"""Years without a date between two groups of dates."""
_STRETCH, _SHORTEST, _LONGEST, _LIFE = 0.5, 0.5, 1.33, 95


class Moves:
    """The moves of a document's dates.

    Args:
        draw: the keyed choices.
        text: the document's text, which determines its numbers.
        dates: all dates to move.
        moving: ``shift`` or ``jitter``.
        fixed: the dates that stay in the text.
        births: those of ``dates`` that are someone's date of birth.
    """

    def __init__(
        self,
        draw: Draw,
        text: str,
        dates: Iterable[WrittenDate],
        moving: DateMoving,
        fixed: Iterable[WrittenDate] = (),
        births: Collection[WrittenDate] = (),
    ) -> None:
        source = draw.source("dates", text)
        days = source.randrange(_NEAREST, _FARTHEST)
        dates = list(dates)
        # Whole weeks if a weekday is named; otherwise every weekday changes.
        named = any(date.on_weekday for date in dates)
        self._days = -(days - days % 7 if named else days if days % 7 else days + 1)
        times = [date.minutes for date in dates if date.minutes is not None]
        # So that none moves to the next day.
        self._minutes = _minutes(times, draw.source("minutes", text)) if times else 0
        self._places = None
        if moving == "jitter":
            source = draw.source("jitter", text)
            years = _moved_years(
                sorted({date.date.year for date in dates if date.has_year}),
                round(self._days / 730),
                sorted({date.date.year for date in fixed if date.has_year}),
                {date.date.year for date in births},
                source,
            )
            self._places = _jittered(dates, years, source)

    def date(self, source: WrittenDate) -> str | None:
        """Return a moved date, or None if it can't be moved."""
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
            return self._places.get((source.date, source.grain))
        try:
            return source.date + dt.timedelta(days=self._days)
        except OverflowError:
            return None


def _minutes(times: list[int], source: random.Random) -> int:
    """Return a shift in minutes that keeps each time on its day, or 0 if there is none."""
    options = [n for n in range(-min(times), _LAST_MINUTE - max(times) + 1) if n]
    return source.choice(options) if options else 0


def _moved_years(
    years: list[int], shift: int, fixed: list[int], births: Collection[int], source: random.Random
) -> dict[int, int]:
    """Return another year for each of ``years``, in order, leaving out years that have no room.

    Args:
        years: distinct years in order.
        shift: number of years by which all are moved.
        fixed: years that stay in the text, in order.
        births: those of ``years`` that are someone's year of birth.
        source: random number generator.
    """
    if not years:
        return {}
    numbers: list[int] = []
    for number, group in enumerate(_groups(years, births)):
        bound = 1 + 2 * (group[-1] - group[0]) // 3
        years_drawn = sorted(year + shift + source.randint(-bound, bound) for year in group)
        if number:
            gap = group[0] - years[len(numbers) - 1]
            minimum = _GROWN_UP if years[0] in births and number == 1 else 1
            gap = max(minimum, round(gap * source.uniform(1 - _STRETCH, 1 + _STRETCH)))
            years_drawn = [year - years_drawn[0] + numbers[-1] + gap for year in years_drawn]
        numbers += years_drawn
    # The last year stays close, so that nothing is in the future or an anachronism, and the whole
    # period grows by at most a third.
    length = max(numbers[-1] - numbers[0], 1)
    span = years[-1] - years[0]
    maximum = max(min(round(span * _LONGEST), max(span, _LIFE)), 1)
    if length > maximum > _GROWN_UP:
        maximum = round(maximum * source.uniform(_SHORTEST, 1))
        numbers = [numbers[0] + round((n - numbers[0]) * maximum / length) for n in numbers]
    late = numbers[-1] - years[-1] - shift - source.randint(-1, 0)
    numbers = [number - late for number in numbers]
    places: dict[int, int] = {}
    earliest = _EARLIEST
    for number, year in zip(numbers, years, strict=True):
        low = max([earliest, *(one for one in fixed if one < year)])
        high = min([_LATEST, *(one for one in fixed if one > year)])
        place = max(number, low)
        if fixed and place > high:
            place = source.randint(low, high) if low <= high else high + 1
        place += place == year
        if place <= high:
            places[year] = place
            earliest = place + 1
    return places


def _groups(years: list[int], births: Collection[int]) -> list[list[int]]:
    """Return the years in groups that are far apart, with the first birth by itself."""
    groups: list[list[int]] = []
    for year in years:
        gap = year - groups[-1][-1] if groups else 0
        of_age = len(groups) == 1 and groups[0][-1] in births and gap >= _GROWN_UP
        if groups and gap <= _LONG and not of_age:
            groups[-1].append(year)
        else:
            groups.append([year])
    return groups


def _jittered(
    dates: list[WrittenDate], years: dict[int, int], source: random.Random
) -> dict[tuple[dt.date, Grain], dt.date]:
    """Return where each date moves to in its new year, in calendar order."""
    points: dict[int, set[tuple[dt.date, Grain]]] = {}
    for date in dates:
        if date.has_year and date.date.year in years:
            points.setdefault(date.date.year, set()).add((date.date, date.grain))
    places: dict[tuple[dt.date, Grain], dt.date] = {}
    named = {date.date for date in dates if date.on_weekday}
    yearless = sorted({date.date for date in dates if not date.has_year})
    of_days = {date.date.year for date in dates if date.has_year and date.grain is not Grain.YEAR}
    alike: dict[dt.date, dt.date] = {}
    if not of_days:
        # If no date of a year has a day or month, days without a year have an order of their own.
        start, end = dt.date(_LEAP_YEAR, 1, 1), dt.date(_LEAP_YEAR, 12, 31)
        places |= _drawn(yearless, start, end, source, named)
    elif len(of_days) == 1 and not of_days.isdisjoint(years):
        # If all other days are in one year, days without a year are in it, too.
        (only,) = of_days
        alike = {
            day: day.replace(year=only)
            for day in yearless
            if isleap(only) or (day.month, day.day) != (2, 29)
        }
        points[only] |= {(day, Grain.DAY) for day in alike.values()}
    for year in sorted(points):
        target = years[year]
        days = sorted(date for date, grain in points[year] if grain is Grain.DAY)
        months = {date.month for date, grain in points[year] if grain is Grain.MONTH}
        places[dt.date(year, 7, 1), Grain.YEAR] = dt.date(target, 7, 1)
        if not months:
            start, end = dt.date(target, 1, 1), dt.date(target, 12, 31)
            places |= _drawn(days, start, end, source, named)
            continue
        months |= {date.month for date in days}
        for month, other in zip(
            sorted(months), sorted(source.sample(range(1, 13), len(months))), strict=True
        ):
            start = dt.date(target, other, 1)
            places[dt.date(year, month, 15), Grain.MONTH] = start
            within = [date for date in days if date.month == month]
            places |= _drawn(within, start, _end_of_month(start), source, named)
    for day, dated in alike.items():
        if (dated, Grain.DAY) in places:
            places[day, Grain.DAY] = places[dated, Grain.DAY]
    return places


def _drawn(
    days: list[dt.date],
    start: dt.date,
    end: dt.date,
    source: random.Random,
    named: Collection[dt.date],
) -> dict[tuple[dt.date, Grain], dt.date]:
    """Return a day from ``start`` to ``end`` for each of ``days``, in order.

    A working day stays one if there is room, and a day whose weekday is named keeps that weekday.
    """
    width = (end - start).days + 1
    if len(days) > width:
        return {}
    numbers = sorted(source.sample(range(max(len(days), width - _WEEK)), len(days)))
    working: list[int] = []
    for number, day in zip(numbers, days, strict=True):
        place = max(number, working[-1] + 1 if working else 0)
        kind = dt.date.weekday if day in named else _is_free
        while kind(start + dt.timedelta(days=place)) != kind(day):
            place += 1
        working.append(place)
    if working and working[-1] < width:
        numbers = working
    return {
        (day, Grain.DAY): start + dt.timedelta(days=number)
        for day, number in zip(days, numbers, strict=True)
    }


def _is_free(day: dt.date) -> bool:
    """Return whether a day is on a weekend."""
    return day.weekday() >= _SATURDAY


def _end_of_month(start: dt.date) -> dt.date:
    return (start + dt.timedelta(days=31)).replace(day=1) - dt.timedelta(days=1)
