"""Parses dates, ranges and lists of dates, and parts of periods into their first and last day.

Months, years and days in digits are defined in ``text/dates``.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import lru_cache

from ...shipped import shipped_patterns
from ...text.dates import LONGEST_LIFE, MONTH, YEAR, month_number, read_date, years_ending_in
from ...text.numerals import ordinal_ending
from .candidates import Candidate
from .numerals import fold_numerals


@dataclass(frozen=True, slots=True)
class DateToken:
    """A part of a date.

    Attributes:
        kind: D day, M month, Y year or decade, N day number (in pairs: both readings), R range, P
            part of a period, S season, A approximately.
        value: day, month, year, or ordinal of the day; 0 for markers.
        length: length of a Y in years, 1 or 10.
    """

    kind: str
    value: int
    length: int = 1


TOKEN = shipped_patterns("english_contexts", "date_tokens", month=MONTH, year=YEAR)["token"]


# A stretch of days, and the months, years, decades and centuries around it.


DAYS = 73_049.0
"""Scope of dates: days of two centuries."""


class Number(StrEnum):
    """Whether a stretch of days is one date, several dates, or a range."""

    ONE = "date"
    SEVERAL = "dates"
    RANGE = "period"


@dataclass(frozen=True, slots=True)
class Period:
    """All days that a text can mean, from the first to the last.

    If a text can be read in two ways (3/4/2004), these are the days of both readings.

    Attributes:
        first: the first day.
        last: the last day, not before the first.
        number: whether it is one date, several or a range.
        vague: whether the text means only an unknown part of the days (``early 1994``).
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
        """Return whether the other period contains every day of this one."""
        return period.first <= self.first and self.last <= period.last


def of_month(year: int, month: int) -> Period:
    """Return the days of a month."""
    return Period(date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]))


def of_years(first: int, last: int) -> Period:
    """Return the days of the years from ``first`` to ``last``."""
    return Period(date(first, 1, 1), date(last, 12, 31))


def candidates(period: Period) -> list[Candidate]:
    """Return the periods wider than this one that contain it, the narrowest first."""
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
    # People count 1900 to either century; we name only a century that both agree on.
    century = first.year // 100 + 1
    if century == last.year // 100 + 1 == (first.year - 1) // 100 + 1:
        holder = of_years(century * 100 - 99, century * 100)
        yield f"{period.number} in the {ordinal(century)} century", "rule:century", holder


def ordinal(number: int) -> str:
    """Return ``1st``, ``2nd``, ``11th``."""
    return f"{number}{ordinal_ending(number)}"


# Dates in English texts and the days they can mean.
#
# Every word must be understood: a date with an unknown part isn't read as a date. A date with two
# readings gives the days of both: 3/4/2004 is a day between 4 March and 3 April. A two-digit year
# is the one near the document's years, in this century if possible; if it could also be in another
# century, it isn't read.


_CIRCA_YEARS = 2
"""How far, at most, a year that is said to be approximate is from the true one."""
_NEAR_YEARS = 60
_AHEAD_YEARS = 10
"""How far, at most, a year of two digits is after today and all years of the document."""
_RECENT_YEARS = 56
_YEAR = re.compile(rf"(?<!\d){YEAR}(?!\d)")


@lru_cache(maxsize=8)
def years_of(text: str) -> tuple[int, ...]:
    """Return the distinct four-digit years in a text."""
    return tuple(sorted({int(match[0]) for match in _YEAR.finditer(text)}))


@lru_cache(maxsize=2048)
def parse_period(text: str, years: tuple[int, ...] = ()) -> Period | None:
    """Return the days that ``text`` can mean, or None.

    Args:
        text: the words of a date, a range of dates or several dates.
        years: years in the document, to resolve two-digit years.
    """
    tokens = _tokens(fold_numerals(text), years)
    if not tokens:
        return None
    dated = [token for token in tokens if token.kind in "DMYN"]
    marks = {token.kind for token in tokens} - set("DMYN")
    try:
        spans = _spans(dated)
    except ValueError:  # 30 February, or no year
        return None
    if not spans:
        return None
    period = Period(min(span.first for span in spans), max(span.last for span in spans))
    if "R" in marks and len(spans) > 1:
        period = replace(period, number=Number.RANGE)
    elif len(spans) > 1:
        period = replace(period, number=Number.SEVERAL)
    if "P" in marks:
        period = replace(period, vague=True)
    if "S" in marks:  # a season of 1994 may begin in 1993 and end in 1995, by hemisphere
        first, last = period.first.year - 1, period.last.year + 1
        period = replace(period, first=date(first, 12, 1), last=date(last, 2, 28), vague=True)
    if "A" in marks:
        first = max(1, period.first.year - _CIRCA_YEARS)
        last = min(9999, period.last.year + _CIRCA_YEARS)
        period = replace(of_years(first, last), number=period.number, vague=True)
    return period


def parse_first(text: str, years: Sequence[int] = ()) -> Period | None:
    """Return the days the first of several dates can mean; its year may come after the last one.

    ``17 May and 28 October 1999``: 17 May 1999. None if the text isn't understood as dates.
    """
    tokens = _tokens(fold_numerals(text), years)
    try:
        spans = _spans([token for token in tokens if token.kind in "DMYN"])
    except ValueError:
        return None
    return spans[0] if spans and not any(token.kind in "PSA" for token in tokens) else None


def parse_month(text: str) -> int | None:
    """Return the month (1 to 12) of a day or month without a year, or None."""
    tokens = _tokens(fold_numerals(text), ())
    months = {token.value for token in tokens if token.kind == "M"}
    if len(months) != 1 or any(token.kind in "YNSPA" for token in tokens):
        return None
    return months.pop()


def _tokens(text: str, years: Sequence[int]) -> list[DateToken]:
    """Return the tokens of a text, or none if a part of it isn't understood."""
    tokens: list[DateToken] = []
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None or match.end() == position:
            return []
        token = _token(match, tokens, years)
        if token is None:
            return []
        tokens += token
        position = match.end()
    return tokens


def _token(
    match: re.Match[str], before: list[DateToken], years: Sequence[int]
) -> list[DateToken] | None:
    kind, string = match.lastgroup or "", match[0]
    if kind == "month":
        return [DateToken("M", month_number(match["month"]))]
    if kind == "day":
        number = int(match["day"])
        return [DateToken("D", number)] if 1 <= number <= 31 else None
    if kind == "year":
        return [DateToken("Y", int(string))]
    if kind == "decade":
        digits = int(re.sub(r"\D", "", string))
        year = digits if digits >= 1000 else _near(digits, years)
        return None if year is None else [DateToken("Y", year, 10)]
    if kind == "short":
        last = before[-1] if before else None
        if string[0] == "'":
            month_before = last is not None and last.kind in "DM"
            short_year = _near(int(string[1:]), years) or _of_this_time(int(string[1:]))
            return [DateToken("Y", short_year)] if month_before and short_year else None
        if last is None or last.kind != "Y" or last.length != 1:
            return None
        year = last.value // 100 * 100 + int(string[-2:])
        return [DateToken("R", 0), DateToken("Y", year)] if year > last.value else None
    if kind in ("iso", "digits"):
        text = re.sub(r"\s", "", string)
        short = re.fullmatch(r"(.*\D)(\d\d)", text) if kind == "digits" else None
        if short is not None:
            near = _near(int(short[2]), years)
            text = f"{short[1]}{near}" if near is not None else ""
        days = sorted(reading.calendar() for reading in read_date(text))
        # A date whose day and month may be in either order: both.
        return [DateToken("N", day.toordinal()) for day in (days[0], days[-1])] if days else None
    marks = {"range": "R", "part": "P", "season": "S", "circa": "A"}
    return [DateToken(marks[kind], 0)] if kind in marks else []


def _of_this_time(short: int) -> int | None:
    """Return the recent year that ends in ``short``, or None if it is so long ago that the next one may be meant."""
    (last,) = years_ending_in(short)
    return last if date.today().year - last <= _RECENT_YEARS else None


def _near(short: int, years: Sequence[int]) -> int | None:
    """Return the year that ``short`` probably means in the document, or None if that is unclear."""
    today = date.today().year
    latest = max(years, default=0)
    candidates = {
        year
        for year in (century + short for century in range(1000, 3000, 100))
        if year <= max(today, latest) + _AHEAD_YEARS
        and any(abs(year - reference) <= _NEAR_YEARS for reference in years)
    }
    (last,) = years_ending_in(short)
    if last in candidates and 2000 <= last <= latest + _AHEAD_YEARS:
        return last
    if len(candidates) != 1:
        return None
    year = candidates.pop()
    # The document's only years may be of someone's birth, while the date is recent.
    return None if year < last and latest + LONGEST_LIFE >= today else year


def _spans(tokens: list[DateToken]) -> list[Period]:
    """Return the days of each date; a date without year or month takes those of a later date.

    Raises:
        ValueError: if the tokens aren't a date, or a date doesn't exist.
    """
    if all(token.kind == "N" for token in tokens):
        days = [date.fromordinal(token.value) for token in tokens]
        # A date with two readings is one date; two dates are two.
        return [Period(days[place], days[place + 1]) for place in range(0, len(days), 2)]
    kinds = "".join(token.kind for token in tokens)
    if "N" in kinds or "Y" not in kinds or kinds[-1] != "Y":
        raise ValueError(f"not a date: {kinds}")
    groups = _groups(tokens, day_first=kinds.find("D") < kinds.find("M"))
    result: list[Period] = []
    following: date | None = None
    year = month = None
    length = 1
    for day, own_month, own_year in reversed(groups):
        if own_year is not None:
            year, length = own_year.value, own_year.length
            month = None
        if own_month is not None:
            month = own_month
        if year is None or (day is not None and month is None):
            raise ValueError(f"not a date: {kinds}")
        span = _span(year, month, day, length)
        if following is not None and own_year is None and span.first > following:
            span = _span(year - 1, month, day, length)  # from December to March 1994
            year -= 1
        following = span.first
        result.insert(0, span)
    return result


def _span(year: int, month: int | None, day: int | None, length: int) -> Period:
    if month is None:
        return of_years(year, year + length - 1)
    if day is None:
        return of_month(year, month)
    return Period(date(year, month, day), date(year, month, day))


_Group = tuple[int | None, int | None, DateToken | None]


def _groups(tokens: list[DateToken], day_first: bool) -> list[_Group]:
    """Return the day, month and year of each date, as written."""
    groups: list[_Group] = []
    day: int | None = None
    month: int | None = None
    for token in tokens:
        if token.kind == "Y":
            groups.append((day, month, token))
            day = month = None
        elif token.kind == "M":
            if month is not None or (day is not None and not day_first):
                groups.append((day, month, None))
                day = None
            month = token.value
        elif day_first and (day is not None or month is not None):
            groups.append((day, month, None))
            day, month = token.value, None
        elif day is not None:  # March 3 and 5, 1994: the month goes on
            groups.append((day, month, None))
            day = token.value
        else:
            day = token.value
    return groups
