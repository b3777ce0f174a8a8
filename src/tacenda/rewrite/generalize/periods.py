"""The words of which dates consist, as one pattern over lower-case text."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from .candidates import Candidate

MONTHS = {
    name: number
    for number, name in enumerate(
        "jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1
    )
}
"""The first three letters of a month to its number."""


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a date.

    Attributes:
        kind: D day, M month, Y year or decade, N the number of a day (in pairs: both readings);
            R range, P part of a period, S season, A approximately.
        value: day, month, year, or ordinal of the day; 0 for marks.
        length: years that a Y is long, 1 or 10.
    """

    kind: str
    value: int
    length: int = 1


_MONTH = (
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_PART = (
    r"(?:early|mid|late|later|(?:the\s)?(?:beginning|start|middle|end|(?:first|second|latter)\shalf"
    r"|(?:first|second|third|fourth|last)\squarter)\sof|(?:christmas|easter)(?:\sof)?)"
)
_TIME = r"(?:at\s|t|(?<!\d))[0-2]?\d[:.][0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:\s?z|\s?[+-]\d\d:?\d\d)?(?:\s?[ap]\.?m\.?)?"

TOKEN = re.compile(
    r"(?P<iso>[12]\d{3}[-./]\d{2}[-./]\d{2}(?!\d))"
    r"|(?P<digits>\d{1,2}(?P<mark>[-./])\s?\d{1,2}(?P=mark)\s?(?:[12]\d{3}|\d{2})(?!\d))"
    rf"|(?P<time>{_TIME}(?!\d))"
    r"|(?P<decade>[12]\d{2}0'?s|'?[2-9]0s)"
    r"|(?P<short>(?<=\d)[-/]\d{2}(?!\d))"
    r"|(?P<year>[12]\d{3}(?!\d))"
    r"|(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\da-z])"
    rf"|(?P<month>{_MONTH})\b\.?"
    rf"|(?P<weekday>{_WEEKDAY})\b\.?"
    rf"|(?P<part>{_PART})(?=[\s-])"
    r"|(?P<season>(?:spring|summer|autumn|fall|winter)(?:\sof)?)\b"
    r"|(?P<circa>(?:circa|about|around|approximately|approx\.|ca?\.))"
    r"|(?P<range>\b(?:to|until|till|through|between)\b|(?<=[\da-z])\s?-\s?(?=[\da-z])|(?<=\d)/(?=\d))"
    r"|(?P<word>(?:and|or|of|in|on|the|from|since|during|for|by|before|after|as)\b|&|[,\s.()\"'-])"
)


# A stretch of days, and the months, years, decades and centuries that hold it.


DAYS = 73_049.0
"""Scope of dates: days of two centuries."""


class Number(StrEnum):
    """What a text calls a stretch of days: one date, several, or all days from one to another."""

    ONE = "date"
    SEVERAL = "dates"
    RANGE = "period"


@dataclass(frozen=True, slots=True)
class Period:
    """All days that a text may mean, from the first to the last.

    Where a text can be read in two ways (3/4/2004), the days of both readings.

    Attributes:
        first: first day.
        last: last day, not before the first.
        number: one date, several or a range.
        vague: whether only a part of the days is meant (``early 1994``), which is not known.
    """

    first: date
    last: date
    number: Number = Number.ONE
    vague: bool = False

    @property
    def days(self) -> int:
        """Number of days, at least 1."""
        return (self.last - self.first).days + 1

    def within(self, period: Period) -> bool:
        """Tell whether every day is one of the other's."""
        return period.first <= self.first and self.last <= period.last


def of_month(year: int, month: int) -> Period:
    """Return the days of a month."""
    return Period(date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]))


def of_years(first: int, last: int) -> Period:
    """Return the days of the years from ``first`` to ``last``."""
    return Period(date(first, 1, 1), date(last, 12, 31))


def candidates(period: Period) -> list[Candidate]:
    """Return what holds the period, the narrowest first; nothing as narrow as itself."""
    return [
        Candidate(text, source, float(holder.days), DAYS)
        for text, source, holder in _holders(period)
        if holder.days > period.days or (period.vague and period.within(holder))
    ]


def _holders(period: Period) -> Iterator[tuple[str, str, Period]]:
    first, last = period.first, period.last
    if (first.year, first.month) == (last.year, last.month):
        month = of_month(first.year, first.month)
        yield f"{calendar.month_name[first.month]} {first.year}", "rule:month", month
    if first.year == last.year:
        yield str(first.year), "rule:year", of_years(first.year, first.year)
    decade, end = first.year // 10 * 10, last.year // 10 * 10
    if decade == end:
        holder = of_years(decade, decade + 9)
        yield f"{period.number} in the {decade}s", "rule:decade", holder
    else:
        joint = (
            "from the {0}s to the {1}s"
            if period.number is Number.RANGE
            else ("in the {0}s or the {1}s" if end == decade + 10 else "from the {0}s to the {1}s")
        )
        text = f"{period.number} {joint.format(decade, end)}"
        yield text, "rule:decades", of_years(decade, min(end + 9, 9999))
    # People count 1900 to either century; only what both ways agree on is said.
    century = first.year // 100 + 1
    if century == last.year // 100 + 1 == (first.year - 1) // 100 + 1:
        holder = of_years(century * 100 - 99, century * 100)
        yield f"{period.number} in the {ordinal(century)} century", "rule:century", holder


def ordinal(number: int) -> str:
    """Return ``1st``, ``2nd``, ``11th``."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 % 10 == 1 else ending}"
