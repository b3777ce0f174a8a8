"""Find dates among folded words, in every usual format and precision, with the word of each part.

| written | read as |
|---|---|
| ``1897-04-09``, ``9.4.1897``, ``4/9/1897``, ``9-Apr-1897``, ``9th of April 1897``, ``April 9, 1897`` | a day; twice if two orders are possible |
| ``April 1897``, ``9 April`` | a month and year; a day and month |
| ``1897``, ``1890s`` | a year; a decade |

This is the only reader of months, days and years; ``rewrite/generalize/date_parsing`` uses it to
read periods and dates in words.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from .normal_form import fold_text
from .tokens import words

MONTHS: Final = (
    "january february march april may june july august september october november december"
).split()
_MONTHS = {name: number for number, name in enumerate(MONTHS, 1)} | {
    name[:3]: number for number, name in enumerate(MONTHS, 1)
}
_MONTHS["sept"] = 9
MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
"""The name of a month, written out or short, for use in a pattern over folded text."""
YEAR: Final = "(?:1[0-9]{3}|20[0-9]{2})"
"""A year of four digits, for use in a pattern."""
_YEAR = re.compile(YEAR)
_DECADE = re.compile(r"(1[0-9]{2}|20[0-9])0s")
_DAY = re.compile(r"(0?[1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)?")
_SHORT = re.compile(r"[0-9]{2}")
_NEAR = frozenset({" ", "-", ", ", ". ", ".", "/", " , ", "., ", "' "})
_MARKS = frozenset("-/.")

LONGEST_LIFE: Final = 115
"""Years; hardly anybody lives longer."""


def years_ending_in(digits: int, *, is_birth: bool = False) -> tuple[int, ...]:
    """Return the years in living memory that end in two digits, the latest first.

    The one rule for such years in texts, fields and registers: the latest that is not in the future, for texts about
    people tell what was. A fixed year between two centuries would make a grandfather, born in '35, unborn.

    Args:
        digits: the last two digits, 0 to 99.
        is_birth: whether it is a year of birth, which may be a century earlier.
    """
    today = date.today().year
    last = today - (today - digits) % 100
    is_open = is_birth and today - (last - 100) <= LONGEST_LIFE
    return (last, last - 100) if is_open else (last,)


def month_number(name: str) -> int:
    """Return the number of a month, given its folded name or abbreviation.

    Raises:
        KeyError: if it isn't a month.
    """
    return _MONTHS[name]


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date, as precise as is known; unknown parts are 0.

    Attributes:
        year, month, day: its parts.
        decade: the first year of a decade if only that is known, otherwise 0.
        places: indexes of the words with year (or decade), month and day; -1 for unknown parts.
        end: index of the word after it.
    """

    year: int
    month: int
    day: int
    places: tuple[int, int, int]
    end: int
    decade: int = 0

    def calendar(self) -> date:
        """The calendar day, for a date that is known to the day."""
        return date(self.year, self.month, self.day)

    def written(self) -> str:
        """The date as texts write it: ``April 9, 1897``, ``April 1897``, ``April 9`` or ``1897``."""
        if not self.month:
            return str(self.year) if self.year else f"{self.decade}s"
        month = MONTHS[self.month - 1].title()
        day = f"{month} {self.day}" if self.day else month
        return f"{day}{',' if self.day else ''} {self.year}" if self.year else day


def find_dates(keys: Sequence[str], gaps: Sequence[str]) -> Iterator[FoundDate]:
    """Yield the dates in a text, in order; a date with two possible orders of day and month is yielded twice.

    Args:
        keys: the folded words.
        gaps: the folded text between each word and the next, [words].
    """
    place = 0
    while place < len(keys):
        dates = _at(keys, gaps, place)
        yield from dates
        place = dates[0].end if dates else place + 1


def _at(keys: Sequence[str], gaps: Sequence[str], place: int) -> list[FoundDate]:
    """Return the date that starts at a word, in one or two readings; empty if there is none."""
    key = keys[place]
    if key[0].isdigit():
        return (
            _of_digits(keys, gaps, place)
            or _day_first(keys, gaps, place)
            or (
                [FoundDate(int(key), 0, 0, (place, -1, -1), place + 1)]
                if _YEAR.fullmatch(key)
                else []
            )
            or (
                [FoundDate(0, 0, 0, (place, -1, -1), place + 1, int(key[:-1]))]
                if _DECADE.fullmatch(key)
                else []
            )
        )
    return _month_first(keys, gaps, place) if key in _MONTHS else []


def _of_digits(keys: Sequence[str], gaps: Sequence[str], place: int) -> list[FoundDate]:
    """Return a day written in digits: 1897-04-09, 9.4.1897, 4/9/97."""
    first, second, third = (*keys[place : place + 3], "", "")[:3]
    if not (
        third
        and gaps[place] == gaps[place + 1]
        and gaps[place].strip() in _MARKS
        and second.isdigit()
    ):
        return []
    end = place + 3
    if _YEAR.fullmatch(first):
        found = _valid(int(first), int(second), third, (place, place + 1, place + 2), end)
        return [found] if found else []
    if not (_YEAR.fullmatch(third) or _SHORT.fullmatch(third)) or not _DAY.fullmatch(first):
        return []
    year = int(third) if len(third) == 4 else years_ending_in(int(third))[0]
    places = (place + 2, place + 1, place)
    orders = [
        _valid(year, int(second), first, places, end),
        _valid(year, int(first), second, (places[0], places[2], places[1]), end),
    ]
    readings = [found for found in orders if found]
    return readings[:1] if first == second else readings


def _day_first(keys: Sequence[str], gaps: Sequence[str], place: int) -> list[FoundDate]:
    """Return ``9 April 1897``, ``9th of April``."""
    if not _DAY.fullmatch(keys[place]):
        return []
    month = place + 1
    if keys[month : month + 1] == ["of"]:
        month += 1
    if month >= len(keys) or keys[month] not in _MONTHS or gaps[place] not in _NEAR:
        return []
    year = _year_after(keys, gaps, month)
    value, end = (int(keys[year]), year + 1) if year >= 0 else (0, month + 1)
    found = _valid(value, _MONTHS[keys[month]], keys[place], (year, month, place), end)
    return [found] if found else []


def _month_first(keys: Sequence[str], gaps: Sequence[str], place: int) -> list[FoundDate]:
    """Return ``April 9, 1897``, ``April 1897``, ``April 9``."""
    month = _MONTHS[keys[place]]
    year = _year_after(keys, gaps, place)
    if year >= 0:
        return [FoundDate(int(keys[year]), month, 0, (year, place, -1), year + 1)]
    day = place + 1
    if day < len(keys) and gaps[place] in _NEAR and _DAY.fullmatch(keys[day]):
        year = _year_after(keys, gaps, day)
        value, end = (int(keys[year]), year + 1) if year >= 0 else (0, day + 1)
        found = _valid(value, month, keys[day], (year, place, day), end)
        return [found] if found else []
    if keys[place] in ("may", "mar", "march", "jan", "dec", "sep"):
        return []  # also words and names
    return [FoundDate(0, month, 0, (-1, place, -1), place + 1)]


def _year_after(keys: Sequence[str], gaps: Sequence[str], place: int) -> int:
    year = place + 1
    if keys[year : year + 1] in (["of"], ["in"]):
        year += 1
    near = year < len(keys) and gaps[place] in _NEAR and _YEAR.fullmatch(keys[year])
    return year if near else -1


def _valid(
    year: int, month: int, day: str, places: tuple[int, int, int], end: int
) -> FoundDate | None:
    match = _DAY.fullmatch(day)
    if match is None or not 1 <= month <= 12 or int(match[1]) > monthrange(year or 2000, month)[1]:
        return None
    return FoundDate(year, month, int(match[1]), places, end)


def read_date(text: str) -> tuple[FoundDate, ...]:
    """Return the readings of a text that consists of one date; empty if it doesn't.

    A time after the day is ignored; eight digits are year, month and day.
    """
    text = _TIME.sub("", text.strip())
    if _COMPACT.fullmatch(text):
        text = f"{text[:4]}-{text[4:6]}-{text[6:]}"
    elif (match := _MONTH_OF_YEAR.fullmatch(text)) is not None:
        year, month = (match["y"], match["m"]) if match["y"] else (match["year"], match["month"])
        return (FoundDate(int(year), int(month), 0, (0, 1, -1), 2),)
    keys, gaps = keys_and_gaps(text)
    dates = tuple(find_dates(keys, gaps))
    whole = dates and dates[0].end == len(keys) and (_at(keys, gaps, 0) == list(dates))
    return dates if whole else ()


_TIME = re.compile(r"(?<=\d)[T ]\d{1,2}:\d\d\S*(?: ?[ap]m)?\Z", re.IGNORECASE)
_COMPACT = re.compile(r"(?:1\d|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_MONTH_OF_YEAR = re.compile(
    r"(?P<y>(?:1\d|20)\d\d)[-/.](?P<m>0[1-9]|1[0-2])|(?P<month>0?[1-9]|1[0-2])[/.](?P<year>(?:1\d|20)\d\d)"
)


def keys_and_gaps(text: str) -> tuple[list[str], list[str]]:
    """Return the folded words of a text, and what follows each."""
    folded = fold_text(text)
    starts, ends = words(folded)
    keys = [folded[start:end] for start, end in zip(starts, ends, strict=True)]
    gaps = [folded[end:start] for end, start in zip(ends, [*starts[1:], len(folded)], strict=False)]
    return keys, gaps
