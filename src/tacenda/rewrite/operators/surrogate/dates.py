"""Dates and times, all moved by one number of days (and of minutes) a document.

Intervals stay true, and week days fit their dates; the number is at least 14 months and at most
10 years into the past, and never whole weeks, so that every year and week day changes. Each date
keeps the format it is written in. Where ``3/4/2004`` may be both, the day comes first unless
another date of the document says otherwise. What is no date (an age, a duration) is moved as a
number.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

from .draw import Draw
from .months import MONTH, WEEKDAY, month_like, month_number, weekday_like
from .numbers import NUMBER, WORDS, digits, ordinal, word

_NEAREST = 426
_FARTHEST = 3650
_MINUTES = 24 * 60
# For dates without a year: no leap day is lost in it.
_LEAP_YEAR = 2004
_PIVOT = 30
_PARTS: dict[str, str] = {
    "iso": r"(?<!\d)(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d)",
    "numeric": r"(?<!\d)(\d{1,2})([-./]\s?)(\d{1,2})\2(\d{4}|\d{2})(?!\d)",
    "day_first": rf"(?:(?<!\d)(\d{{1,2}})(st|nd|rd|th)?(\s?(?:and|to|[-–,])\s?))?(?<!\d)(\d{{1,2}})"
    rf"(st|nd|rd|th|\.)?(\s?-?(?:of\s|de\s)?)\b({MONTH})\b(?:(\.?,?(?:\s|-|/)(?:of\s|de\s)?)(\d{{4}})(?!\d))?",
    "month_first_date": rf"\b({MONTH})\b(\.?\s)(\d{{1,2}})(st|nd|rd|th)?(?!\d)(?:(,?\s)(\d{{4}})(?!\d))?",
    "month": rf"\b({MONTH})\b(?:(\.?,?\s(?:of\s)?)(\d{{4}})(?!\d))?",
    "years": r"(?<!\d)([12]\d{3})([-–/])(\d{2})(?!\d)",
    "decade": r"(?<!\d)([12]\d{2})0(?=['’]?s\b)",
    "year": r"(?<![\d,.])([12]\d{3})(?![\d,]|\.\d)",
    "weekday": rf"\b({WEEKDAY})\b",
    "time": r"(?<![\d:.])([01]?\d|2[0-3])([:.])([0-5]\d)(?!\d)(\s?[ap]\.?m\b)?",
    "number": rf"{NUMBER}|\b(?:{WORDS})\b",
}
_COMPILED = {name: re.compile(part, re.IGNORECASE) for name, part in _PARTS.items()}
_MONTH_FIRST = re.compile(r"(?<!\d)\d{1,2}([-/])(?:1[3-9]|2\d|3[01])\1(?:\d{4}|\d{2})(?!\d)")


class Dates:
    """Moves the dates of a document.

    Args:
        draw: the keyed choices.
        text: the document; its offsets in days and minutes belong to this very text.
    """

    def __init__(self, draw: Draw, text: str) -> None:
        source = draw.source("dates", text)
        days = source.randrange(_NEAREST, _FARTHEST)
        self.days = -(days if days % 7 else days + 1)
        self.minutes = source.randrange(10, _MINUTES - 10)
        self._draw = draw
        self._month_first = _MONTH_FIRST.search(text) is not None

    def write(self, string: str) -> str | None:
        """Return ``string`` with all dates and numbers moved; None where there are none."""
        parts: list[str] = []
        position = 0
        while (found := self._next(string, position)) is not None:
            start, end, written = found
            parts += [string[position:start], written]
            position = end
        return "".join([*parts, string[position:]]) if parts else None

    def _next(self, string: str, position: int) -> tuple[int, int, str] | None:
        """Return where the next date is and what becomes of it, the first of those that begin there."""
        best: tuple[int, int, str] | None = None
        for name, pattern in _COMPILED.items():
            match = pattern.search(string, position)
            if match is None or (best is not None and match.start() >= best[0]):
                continue
            method: Callable[[re.Match[str]], str | None] = getattr(self, f"_{name}")
            written = method(match)
            if written is not None:
                best = (match.start(), match.end(), written)
        return best

    def _shifted(self, year: int, month: int, day: int) -> dt.date | None:
        try:
            return dt.date(year, month, day) + dt.timedelta(days=self.days)
        except (ValueError, OverflowError):
            return None

    def _iso(self, match: re.Match[str]) -> str | None:
        year, sign, month, day = match.groups()
        date = self._shifted(int(year), int(month), int(day))
        if date is None:
            return None
        return f"{date.year:04}{sign}{_as(date.month, month)}{sign}{_as(date.day, day)}"

    def _numeric(self, match: re.Match[str]) -> str | None:
        one, sign, two, written = match.groups()
        year = int(written)
        if len(written) == 2:
            year += 2000 if year < _PIVOT else 1900
        month_first = int(two) > 12 or (self._month_first and "." not in sign and int(one) <= 12)
        month, day = (one, two) if month_first else (two, one)
        date = self._shifted(year, int(month), int(day))
        if date is None:
            return None
        parts = (_as(date.day, day), _as(date.month, month))
        first, second = reversed(parts) if month_first else parts
        return f"{first}{sign}{second}{sign}{str(date.year)[-len(written) :]}"

    def _day_first(self, match: re.Match[str]) -> str | None:
        from_day, from_end, join, day, end, gap, month, gap_year, year = match.groups()
        number = month_number(month)
        date = self._shifted(int(year or _LEAP_YEAR), number, int(day))
        if date is None:
            return None
        begin = ""
        if from_day is not None:
            first = self._shifted(int(year or _LEAP_YEAR), number, int(from_day))
            if first is None:
                return None
            begin = _as(first.day, from_day) + _ordinal(first.day, from_end)
            begin += f" {month_like(first.month, month)}" if first.month != date.month else ""
            begin += f" {first.year}" if year and first.year != date.year else ""
            begin += join
        name = month_like(date.month, month)
        tail = f"{gap_year}{date.year}" if year else ""
        return f"{begin}{_as(date.day, day)}{_ordinal(date.day, end)}{gap}{name}{tail}"

    def _month_first_date(self, match: re.Match[str]) -> str | None:
        month, gap, day, end, gap_year, year = match.groups()
        date = self._shifted(int(year or _LEAP_YEAR), month_number(month), int(day))
        if date is None:
            return None
        tail = f"{gap_year}{date.year}" if year else ""
        written = _as(date.day, day) + _ordinal(date.day, end)
        return f"{month_like(date.month, month)}{gap}{written}{tail}"

    def _month(self, match: re.Match[str]) -> str | None:
        month, gap, year = match.groups()
        date = self._shifted(int(year or _LEAP_YEAR), month_number(month), 15)
        if date is None:
            return None
        return month_like(date.month, month) + (f"{gap}{date.year}" if year else "")

    def _years(self, match: re.Match[str]) -> str | None:
        first, sign, last = match.groups()
        moved = self._moved_year(int(first))
        length = (int(last) - int(first)) % 100
        return f"{moved}{sign}{(moved + length) % 100:02}"

    def _decade(self, match: re.Match[str]) -> str | None:
        year = int(match[1]) * 10
        return str(min(self._moved_year(year + 5) // 10 * 10, year - 10))

    def _year(self, match: re.Match[str]) -> str | None:
        return str(self._moved_year(int(match[1])))

    def _weekday(self, match: re.Match[str]) -> str | None:
        return weekday_like(match[1], self.days)

    def _time(self, match: re.Match[str]) -> str | None:
        hour, sign, minute, half = match.groups()
        start = int(hour) * 60 + int(minute)
        if half:
            start = start % (_MINUTES // 2) + ("p" in half.lower()) * _MINUTES // 2
        total = (start + self.minutes) % _MINUTES
        written = total // 60
        if half:
            half = re.sub("[ap]", "p" if written >= 12 else "a", half, flags=re.IGNORECASE)
            written = (written - 1) % 12 + 1
        return f"{_as(written, hour)}{sign}{total % 60:02}{half or ''}"

    def _number(self, match: re.Match[str]) -> str | None:
        found = match[0]
        return digits(found, self._draw) if found[0].isdigit() else word(found, self._draw)

    def _moved_year(self, year: int) -> int:
        date = self._shifted(year, 7, 1)
        return year - 1 if date is None else date.year


def _as(number: int, written: str) -> str:
    """Return a number with a leading zero where the one written has one."""
    return f"{number:02}" if written.startswith("0") else str(number)


def _ordinal(day: int, written: str | None) -> str:
    if written is None or written == ".":
        return written or ""
    ending = ordinal(day)
    return ending.upper() if written.isupper() else ending
