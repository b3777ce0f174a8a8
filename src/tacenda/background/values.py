"""Typed values of a profile, stored as keys along with its words: what record linkage compares.

| key | of |
|---|---|
| ``date 1897-04-09``, ``month 1897-04``, ``day 04-09``, ``year 1897`` | a date, at each precision |
| ``interval 25200`` | two dates in a profile, by the number of days between them, which shifting dates doesn't change |
| ``number 82`` | a whole number up to 999 |
| ``place US ND``, ``place country DE`` | a state or country, in a field of states or countries |
| ``value democratic republican`` | any other value of at most eight words |
| ``name abbot`` | a word in the name |

Words in texts have no spaces, so no key is mistaken for a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Final, NamedTuple

from ..text.dates import FoundDate, find_dates, keys_and_gaps
from ..text.place_codes import places_of
from ..text.tokens import word_list
from .normalization import LIST, PLACE_SCHEMES, FieldKind, Profile, dates_of

LONGEST_VALUE: Final = 8
"""Words of a value that is compared as a whole."""
SHORTEST_INTERVAL: Final = 60
"""Days; shorter ones lie between the dates of many."""
_DATED: Final = 12
"""Dates of a profile that intervals are taken of; a text about a person has many."""


class Values(NamedTuple):
    """Typed values of a profile: their keys, and its first and last year, 0 if there is none."""

    keys: frozenset[str]
    first_year: int
    last_year: int


def values_of(name: str, profile: Profile, kinds: Mapping[str, FieldKind]) -> Values:
    """Return the typed values of a profile in a register."""
    dates: list[FoundDate] = []
    keys = {f"name {word}" for word in word_list(name) if len(word) > 1}
    for field, value in profile:
        kind = kinds.get(field, FieldKind.TEXT)
        found = dates_of(value, kind)
        if kind in PLACE_SCHEMES:
            keys.update(_places(value, PLACE_SCHEMES[kind]))
        elif kind in (FieldKind.NUMBER, FieldKind.NUMBERS):
            parts = LIST.split(value)
            keys.update(f"number {int(part)}" for part in parts if part.isdecimal())
        elif not found:
            words, gaps = keys_and_gaps(value)
            found = tuple(find_dates(words, gaps))
            if 0 < len(words) <= LONGEST_VALUE and kind == FieldKind.TEXT:
                keys.add(f"value {' '.join(words)}")
        dates += found
    keys.update(key for date in dates for key in date_keys(date))
    keys.update(interval_keys(days_of(dates)[:_DATED]))
    years = [date.year for date in dates if date.year]
    return Values(frozenset(keys), min(years, default=0), max(years, default=0))


def date_keys(found: FoundDate) -> Iterator[str]:
    """Yield the keys of a date, the most precise first."""
    month_and_day = f"{found.month:02}-{found.day:02}"
    if found.year and found.day:
        yield f"date {found.year}-{month_and_day}"
    if found.day:
        yield f"day {month_and_day}"
    if found.year and found.month:
        yield f"month {found.year}-{found.month:02}"
    if found.year:
        yield f"year {found.year}"


def days_of(dates: Sequence[FoundDate]) -> list[date]:
    """Return the distinct dates that are known to the day."""
    return list(dict.fromkeys(found.calendar() for found in dates if found.year and found.day))


def interval_key(first: date, second: date) -> str:
    """Return the key for the number of days between two dates; empty if they are few."""
    days = abs((first - second).days)
    return f"interval {days}" if days >= SHORTEST_INTERVAL else ""


def interval_keys(days: Sequence[date]) -> Iterator[str]:
    """Yield the keys for the number of days between every two dates."""
    yield from filter(None, (interval_key(*pair) for pair in combinations(days, 2)))


def _places(value: str, scheme: str) -> Iterator[str]:
    for part in LIST.split(value):
        place = places_of(scheme).get(" ".join(word_list(part)))
        if place is not None:
            yield f"place {scheme} {place.codes[0]}"
