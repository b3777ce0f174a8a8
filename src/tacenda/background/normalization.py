"""Normalize registers: word a profile the way texts would, whatever its codes and formats.

A register has ``ND``, ``82`` and ``1897-04-09``; a text has *N. Dak.*, *the Eighty-second Congress*
and *April 9, 1897*. All attackers read profiles in this form, so that results don't depend on how a
register was typed. A code can only be interpreted together with the other values of its field, so
each field is first examined across all profiles.

| kind of field | read as |
|---|---|
| dates in any format | ``April 9, 1897``; both dates if no value in the field shows the order of day and month |
| whole numbers up to 999 | words, with digits as an alternative: ``eighty second``, ``82``; consecutive numbers also as ``eighty second and two succeeding`` |
| states, countries, by code or name | name and abbreviations, with the code as an alternative: ``North Dakota, N. Dak.``, ``ND`` |
| sexes by code | unchanged, with the word as an alternative: ``M``, ``male`` |
| anything else | unchanged, except that ISO dates are written out |
| a pair of fields ``x_start``, ``x_end`` of dates | one field with the period, and one with its years |

This is the standardization of fields, the first step of record linkage (Christen, *Data Matching*,
2012, chapter 3).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Final

from ..text.dates import FoundDate, read_date
from ..text.numerals import cardinal, ordinal
from ..text.place_codes import places_of
from ..text.tokens import word_list

OTHER_WORDING: Final = ""
"""Field of another wording of a value, for who looks for words; encoders know the usual one."""
Profile = Sequence[tuple[str, str]]
"""Fields and their values, in order; a field may repeat."""


class FieldKind(StrEnum):
    """The kind of a field's values across all profiles."""

    TEXT = "text"
    DAY_FIRST = "date, day first"
    MONTH_FIRST = "date, month first"
    DATE = "date"
    NUMBER = "number"
    NUMBERS = "numbers"
    SEX = "sex"
    US = "state of US"
    CA = "state of CA"
    AU = "state of AU"
    COUNTRY = "country"


_DATES: Final = (FieldKind.DAY_FIRST, FieldKind.MONTH_FIRST, FieldKind.DATE)
PLACE_SCHEMES: Final = {
    FieldKind.US: "US",
    FieldKind.CA: "CA",
    FieldKind.AU: "AU",
    FieldKind.COUNTRY: "country",
}
_SEXES: Final = {"m": "male", "f": "female"}
LIST = re.compile(r"\s*[,;|]\s*")
_SMALL = re.compile(r"0|[1-9][0-9]{0,2}")
_LONGEST: Final = 100
"""Characters of a value that is not text."""
_SHARE: Final = 0.9
"""Share of a field's values that must be of a kind; registers have errors."""


@lru_cache(maxsize=1 << 16)
def _kinds(value: str) -> frozenset[FieldKind]:
    """Return the kinds that a value may have; for dates, including the order of day and month."""
    if len(value) > _LONGEST:
        return frozenset()
    kinds = set()
    parts = LIST.split(value)
    if all(map(_SMALL.fullmatch, parts)):
        kinds.add(FieldKind.NUMBERS if len(parts) > 1 else FieldKind.NUMBER)
    if value.lower() in _SEXES:
        kinds.add(FieldKind.SEX)
    folded = [" ".join(word_list(part)) for part in parts]
    for kind, scheme in PLACE_SCHEMES.items():
        places = places_of(scheme)
        if all(part in places for part in folded):
            kinds.add(kind)
    dates = read_date(value)
    if dates:
        kinds.add(FieldKind.DATE)
    if len(dates) == 1 and dates[0].day and not value[:4].isdigit() and _NUMERIC.match(value):
        first = dates[0].places[2] < dates[0].places[1]
        kinds.add(FieldKind.DAY_FIRST if first else FieldKind.MONTH_FIRST)
    return frozenset(kinds)


_NUMERIC = re.compile(r"\d\d?[-./]\d\d?[-./]\d")


@dataclass(slots=True)
class FieldStatistics:
    """Counts what the values of each field look like; profiles are added one at a time."""

    _values: Counter[str] = field(default_factory=Counter)
    _fitting: Counter[tuple[str, FieldKind]] = field(default_factory=Counter)
    _several: set[str] = field(default_factory=set)

    def add(self, profile: Profile) -> None:
        """Count the values of a profile."""
        fields = Counter(key for key, _ in profile)
        self._several.update(key for key, count in fields.items() if count > 1)
        self._values.update(fields)
        self._fitting.update((key, kind) for key, value in profile for kind in _kinds(value))

    def kinds(self) -> dict[str, FieldKind]:
        """Return the kind of each field that isn't plain text."""
        return {key: kind for key in self._values if (kind := self._kind(key)) != FieldKind.TEXT}

    def _kind(self, key: str) -> FieldKind:
        counts = {kind: self._fitting[key, kind] for kind in FieldKind}
        minimum = _SHARE * self._values[key]
        if counts[FieldKind.NUMBER] + counts[FieldKind.NUMBERS] >= minimum:
            # Somebody with several of these has sessions, editions or terms, which texts enumerate.
            several = key in self._several or counts[FieldKind.NUMBERS]
            return FieldKind.NUMBERS if several else FieldKind.NUMBER
        if counts[FieldKind.DATE] >= minimum:
            day_first, month_first = counts[FieldKind.DAY_FIRST], counts[FieldKind.MONTH_FIRST]
            if day_first == month_first:
                return FieldKind.DATE
            return FieldKind.DAY_FIRST if day_first > month_first else FieldKind.MONTH_FIRST
        if counts[FieldKind.SEX] >= minimum:
            return FieldKind.SEX
        # Coding schemes share codes (CA, IN); if two schemes fit equally many values, the field's
        # name decides.
        country = "countr" in key.lower() or "nation" in key.lower()
        order = (FieldKind.COUNTRY, *PLACE_SCHEMES) if country else (*PLACE_SCHEMES,)
        best = max(order, key=lambda kind: counts[kind])
        return best if counts[best] >= minimum else FieldKind.TEXT


def kinds_of(profiles: Iterable[Profile]) -> dict[str, FieldKind]:
    """Return the kind of each field that isn't plain text, based on all profiles."""
    statistics = FieldStatistics()
    for profile in profiles:
        statistics.add(profile)
    return statistics.kinds()


def normalize_profile(
    profile: Profile, kinds: Mapping[str, FieldKind]
) -> tuple[tuple[str, str], ...]:
    """Return a profile worded as texts would; alternative wordings are in the field ``OTHER_WORDING``.

    Args:
        profile: the profile as stored.
        kinds: the kinds of its fields, from ``FieldStatistics``.
    """
    values: dict[str, list[str]] = {}
    for key, value in profile:
        values.setdefault(key or "field", []).append(value)
    periods = []
    for stem, start, end in tuple(_pairs(values, kinds)):
        periods += _period(
            stem, (values.pop(start)[0], kinds[start]), (values.pop(end)[0], kinds[end])
        )
    readings = (
        reading
        for key, strings in values.items()
        for reading in _readings(key, strings, kinds.get(key, FieldKind.TEXT))
    )
    return (*readings, *periods)


def _readings(key: str, values: Sequence[str], kind: FieldKind) -> Iterator[tuple[str, str]]:
    match kind:
        case FieldKind.NUMBER | FieldKind.NUMBERS:
            yield from _numbers(key, values, kind)
        case FieldKind.SEX:
            yield from ((key, value) for value in values)
            names = (_SEXES.get(value.lower()) for value in values)
            yield from ((OTHER_WORDING, name) for name in names if name)
        case FieldKind.TEXT:
            yield from ((key, _ISO.sub(_spelled, value)) for value in values)
        case _ if kind in _DATES:
            for value in values:
                dates = dates_of(value, kind)
                yield key, " ".join(date.written() for date in dates) or value
        case _:
            known = places_of(PLACE_SCHEMES[kind])
            parts = [part for value in values for part in LIST.split(value)]
            places = dict.fromkeys(known.get(" ".join(word_list(part)), part) for part in parts)
            for place in places:
                if isinstance(place, str):
                    yield key, place
                else:
                    yield key, ", ".join(place.names)
                    yield OTHER_WORDING, place.codes[0]


def _numbers(key: str, values: Sequence[str], kind: FieldKind) -> Iterator[tuple[str, str]]:
    numbers = []
    for value in values:
        for part in LIST.split(value):
            if not _SMALL.fullmatch(part):
                yield key, part
                continue
            numbers.append(int(part))
            words = ordinal(int(part))
            if kind == FieldKind.NUMBER:
                words = f"{cardinal(int(part))} {words}"
            yield key, words
            yield OTHER_WORDING, part
    if kind == FieldKind.NUMBERS:
        for run in _runs(numbers):
            following = f" and {cardinal(len(run) - 1)} succeeding" if len(run) > 1 else ""
            yield f"{key} from", f"{ordinal(run[0])}{following}"


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Yield the runs of consecutive numbers."""
    in_order = sorted(set(numbers))
    for _, run in groupby(enumerate(in_order), key=lambda item: item[1] - item[0]):
        yield [number for _, number in run]


def dates_of(value: str, kind: FieldKind) -> tuple[FoundDate, ...]:
    """Return the possible readings of a date in the field's order of day and month; empty if it isn't a date."""
    dates = read_date(value)
    if len(dates) < 2 or kind == FieldKind.DATE:
        return dates
    day_first = kind == FieldKind.DAY_FIRST
    return tuple(date for date in dates if (date.places[2] < date.places[1]) == day_first)


_ISO = re.compile(r"\b\d{4}-\d\d-\d\d\b")


def _spelled(match: re.Match[str]) -> str:
    dates = read_date(match.group())
    return dates[0].written() if dates else match.group()


# Periods made of two fields: texts give both dates, or only the years.


_START = re.compile(r"(?i)(?P<stem>.*?)(?P<word>start|begin|from|since)(?P<after>[_ .-].*)?")
_END: Final = {"start": "end", "begin": "end", "from": "to", "since": "until"}


def _pairs(
    values: Mapping[str, Sequence[str]], kinds: Mapping[str, FieldKind]
) -> Iterator[tuple[str, str, str]]:
    """Yield (name, start field, end field) for each period whose two fields have one date each."""
    for start in values:
        match = _START.fullmatch(start)
        if match is None:
            continue
        stem, word, after = match["stem"], match["word"].lower(), match["after"] or ""
        end = f"{stem}{_END[word]}{after}"
        pair = (start, end)
        if all(kinds.get(key) in _DATES and len(values.get(key, ())) == 1 for key in pair):
            yield stem.strip("_ .-") or "period", start, end


def _period(
    name: str, start: tuple[str, FieldKind], end: tuple[str, FieldKind]
) -> list[tuple[str, str]]:
    """Return a period's dates, and its years, given the dates of two fields and their kinds."""
    dates = [dates_of(*value) for value in (start, end)]
    days = " - ".join(
        " ".join(date.written() for date in readings) or value
        for readings, (value, _) in zip(dates, (start, end), strict=True)
    )
    years = dict.fromkeys(str(date.year) for readings in dates for date in readings if date.year)
    return [(name, days), *((f"{name} years", year) for year in years)]
