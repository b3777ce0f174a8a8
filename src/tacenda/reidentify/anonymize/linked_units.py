"""Words that must be masked together because one reveals the other: a register field in all its wordings.

| words | one unit |
|---|---|
| ``March 4, 1817`` and ``1817`` | a year with its months and days |
| ``1817`` of the register, ``1818``, ``1810s``, ``aged 41`` | a date in the register with adjacent years or those in a period, its decade, and the age it implies |
| ``Fifteenth`` … ``two succeeding`` | a field's numbers |
| ``Lynchburg, Campbell County, Va.`` and ``Virginia`` | a place in the register, with the places inside it |
| ``Anna Berg``, ``Berg's``, ``A. Berg``, ``aberg@…``, ``A. B.``, ``AB``, ``@anna_berg`` | the person's name |
| any other word | its occurrences |

If only one wording were masked, an attacker could infer it from the others. A unit's *crowd* is the
number of people whose profiles have all of the unit's words that the person's profile has; a unit
with a small crowd identifies the person on its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ...background.normalization import FieldKind, dates_of
from ...background.people import People
from ...background.profiles import terms
from ...detect.patterns.user_names import find_user_names
from ...detect.target_mentions import target_mentions
from ...document import Span
from ...text.dates import FoundDate, find_dates, keys_and_gaps
from ...text.given_names import full_names, short_forms
from ...text.information import UnigramSurprisal
from ...text.normal_form import fold_text
from ...text.numerals import read_number
from ...text.place_codes import SCHEMES, places_of
from ...text.target_names import TargetName
from ...text.tokens import word_list
from ..tokens import STOP_WORDS, TokenizedDocument
from .units import MaskUnit

_DATES = (FieldKind.DATE, FieldKind.DAY_FIRST, FieldKind.MONTH_FIRST)
_PLACES = (FieldKind.US, FieldKind.CA, FieldKind.AU, FieldKind.COUNTRY)
_NUMBERS = (FieldKind.NUMBER, FieldKind.NUMBERS)
_LONGEST_PLACE = 5
"""Words of a place."""
_DIVISIONS = frozenset("county city town township parish district province near then now".split())
_INSTITUTIONS = frozenset(
    "university college school academy institute seminary cemetery house senate court church "
    "hospital bank company society committee convention".split()
)
_COMMON = 10.0
"""Surprisal in nats: a name's word that is rarer in general text is one in lower case too."""
_SHORTEST_SURNAME = 4
"""Letters of a part of a name that is looked for inside other words."""

_SPACE = re.compile(r"\s")
_NEAR_YEARS = 1
"""Years between a date of the register and one that follows from it: an election and what it led to."""
Label = Hashable


@dataclass(frozen=True, slots=True)
class LinkedUnits:
    """The units of a document about a person.

    Attributes:
        units: units of all words except stop words; each word belongs to one.
        keys: the document's words that are also in the person's profile.
        dated: indexes of the words in dates.
        document: the document.
        people: the background knowledge.
    """

    units: tuple[MaskUnit, ...]
    keys: frozenset[str]
    dated: frozenset[int]
    document: TokenizedDocument
    people: People

    def crowds_of(self, units: Sequence[MaskUnit]) -> tuple[int, ...]:
        """Return for each unit how many people have all of its words that are in the profile; everybody if it has none."""
        return tuple(self._crowd(unit) for unit in units)

    def _crowd(self, unit: MaskUnit) -> int:
        common: NDArray[np.int32] | None = None
        for key in {self.document.keys[place] for place in unit.words} & self.keys:
            people = self.people.posting(key).people
            common = people if common is None else np.intersect1d(common, people, True)
        return len(self.people) if common is None else len(common)


def linked_units(document: TokenizedDocument, person: int, people: People) -> LinkedUnits:
    """Return the units of a document about a person; the register links words."""
    links = _Links(document)
    reading = people.reading(person)
    register = people.person(person).profile
    links.join_words(named_words(document, reading.name), "name")
    _link_places(links, register, people.kinds)
    _link_dates(links, register, people.kinds)
    _link_periods(links, reading.profile)
    _link_numbers(links, reading.profile, people.kinds)
    keys = frozenset(document.keys) & set(terms(reading)) - STOP_WORDS
    dated = frozenset(place for date in links.dates for place in date.places if place >= 0)
    return LinkedUnits(links.units(), keys, dated, document, people)


# The person's own name, wherever it occurs.


def named_words(document: TokenizedDocument, name: str) -> tuple[int, ...]:
    """Return the words in a text that are the person's name, part of it, an initial, or a form that ``--target`` finds.

    Short forms of given names and all user names count, too: they may be the person's.

    Part of the name counts anywhere, even if it names a place or another person, with a possessive
    ``s``, and inside strings without spaces (``aberg@…``); if it is a common word (*Young*,
    *Will*), only with a capital. An initial counts before or after a surname.
    """
    parts = [key for key in word_list(name) if len(key) > 1]
    if not parts:
        return ()
    initials = {key[0] for key in word_list(name)}
    text = document.document.text
    language = UnigramSurprisal.shipped()
    rare = {part for part in parts if language.surprisal(part) > _COMMON}
    long = [part for part in rare if len(part) >= _SHORTEST_SURNAME]
    indices = set()
    for place, (span, key) in enumerate(zip(document.spans, document.keys, strict=True)):
        capital = text[span.start].isupper()
        if key in parts:
            if capital or key in rare or not text[span.start].islower() or _in_address(text, span):
                indices.add(place)
        elif any(part in key for part in long) and _in_address(text, span):
            indices.add(place)
    for place in tuple(indices):
        for step in (-1, 1):
            near = place + step
            while 0 <= near < len(document) and document.keys[near] in initials:
                indices.add(near)
                near += step
    forms = []
    for mention in target_mentions(text, (name, *_with_short_forms(name))):
        start, end = mention.span.start, mention.span.end
        server = text.find("@", start + 1, end)  # Its words may refer to others too.
        if mention.p_direct:
            forms.append(Span(start, end if server < 0 else server))
    forms += [Span(hit.start, hit.end) for hit in find_user_names(text)]
    return tuple(sorted(indices.union(document.masked(forms).nonzero()[0].tolist())))


def _with_short_forms(name: str) -> Iterator[str]:
    """Yield a person's name with other forms of each given name: *Liz Berg*, *Beth Berg* of *Elizabeth Berg*."""
    parsed = TargetName.parse(name).name
    if parsed is None:
        return
    for given in parsed.given:
        full = full_names(given)
        for form in sorted({*full, *chain.from_iterable(map(short_forms, full))} - {given}):
            yield f"{form} {parsed.surname}".title()


def _in_address(text: str, span: Span) -> bool:
    """Return whether a word is inside an address: a string without spaces that contains ``@``, ``/`` or ``www``."""
    start = span.start
    while start and not text[start - 1].isspace():
        start -= 1
    end = _SPACE.search(text, span.end)
    string = text[start : len(text) if end is None else end.start()]
    return "@" in string or "/" in string or "www." in string


# Links between the words of a text.


@dataclass(slots=True)
class _Links:
    """Words by label, and labels joined into units (disjoint sets)."""

    document: TokenizedDocument
    labels: list[Label] = field(init=False)
    dates: tuple[FoundDate, ...] = field(init=False)
    _parents: dict[Label, Label] = field(default_factory=dict)

    def __post_init__(self) -> None:
        keys = self.document.keys
        self.labels = [("word", key) for key in keys]
        self.dates = tuple(find_dates(keys, self._gaps()))
        for start, number, count in self.numbers():
            self._put(range(start, start + count), ("number", number))
        for start, count, name in self.places():
            self._put(range(start, start + count), ("place", name))
        for date in self.dates:
            self._put([place for place in date.places if place >= 0], date_label(date))

    def text_between(self, first: int, second: int) -> str:
        """Return the text between two words."""
        spans = self.document.spans
        return self.document.document.text[spans[first].end : spans[second].start]

    def capital(self, place: int) -> bool:
        """Return whether a word starts with a capital."""
        return self.document.document.text[self.document.spans[place].start].isupper()

    def numbers(self) -> Iterator[tuple[int, int, int]]:
        """Yield (index, number, words) for each number."""
        place, keys = 0, self.document.keys
        while place < len(keys):
            number = read_number(keys, place)
            if number is None:
                place += 1
                continue
            yield place, *number
            place += max(number[1], 1)

    def places(self) -> Iterator[tuple[int, int, str]]:
        """Yield (index, words, name) for each state and country, given by name or abbreviation."""
        place, keys = 0, self.document.keys
        table = _known_places()
        while place < len(keys):
            for count in range(min(_LONGEST_PLACE, len(keys) - place), 0, -1):
                name = table.get(keys[place : place + count])
                if name and self._is_place(place, count):
                    yield place, count, name
                    place += count
                    break
            else:
                place += 1

    def join(self, first: Label, second: Label) -> None:
        """Join two labels into one unit."""
        self._parents[self._root(first)] = self._root(second)

    def join_words(self, places: Sequence[int], label: Label) -> None:
        """Give words their own label."""
        self._put(places, label)

    def units(self) -> tuple[MaskUnit, ...]:
        """Return the units, in order of their first words."""
        by_root: dict[Label, list[int]] = defaultdict(list)
        for place, label in enumerate(self.labels):
            if (
                label != ("word", self.document.keys[place])
                or self.document.keys[place] not in STOP_WORDS
            ):
                by_root[self._root(label)].append(place)
        return tuple(MaskUnit(tuple(places)) for places in by_root.values())

    def _put(self, places: Sequence[int] | range, label: Label) -> None:
        for place in places:
            self.labels[place] = label

    def _root(self, label: Label) -> Label:
        while (parent := self._parents.get(label, label)) != label:
            label = parent
        return label

    def _is_place(self, place: int, count: int) -> bool:
        text = self.document.document.text
        span = self.document.spans[place]
        string = text[span.start : self.document.spans[place + count - 1].end]
        # Codes may also be words (IN, OR), and so may abbreviations (Miss, Wash).
        return string[0].isupper() and (
            count > 1 or len(string) > 2 or string.isupper() or text[span.end : span.end + 1] == "."
        )

    def _gaps(self) -> list[str]:
        text, spans = self.document.document.text, self.document.spans
        ends = [span.start for span in spans[1:]] + [len(text)]
        return [fold_text(text[span.end : end]) for span, end in zip(spans, ends, strict=True)]


def date_label(date: FoundDate) -> Label:
    """Return the label of a date: its year with all days in it, or else its decade or its day."""
    if date.year:
        return ("year", date.year)
    return ("decade", date.decade) if date.decade else ("day", date.month, date.day)


@lru_cache(maxsize=1)
def _known_places() -> dict[tuple[str, ...], str]:
    """Return the full name of each place by its wordings."""
    places_by_words: dict[tuple[str, ...], str] = {}
    for scheme in SCHEMES:
        for string, place in places_of(scheme).items():
            places_by_words.setdefault(tuple(string.split()), place.names[0])
    return places_by_words


# Register fields, and the words of the text that say the same.


def _link_dates(
    links: _Links, profile: Sequence[tuple[str, str]], kinds: dict[str, FieldKind]
) -> None:
    ages: set[int] = set()
    years: dict[str, int] = {}
    for key, value in profile:
        if kinds.get(key) not in _DATES:
            continue
        for date in dates_of(value, kinds[key]):
            years[key] = date.year
            for told in links.dates:
                same_day = date.day and (told.month, told.day) == (date.month, date.day)
                near = told.year and abs(told.year - date.year) <= _NEAR_YEARS
                bare = not told.year and not told.decade
                if near or (bare and same_day) or told.decade == date.year // 10 * 10:
                    links.join(date_label(told), ("year", date.year))
    born = next((year for key, year in years.items() if "birth" in key or "born" in key), 0)
    if not born:
        return
    ages.update(date.year - born + step for date in links.dates if date.year for step in (-1, 0))
    ages.update(year - born + step for year in years.values() for step in (-1, 0))
    for start, number, count in links.numbers():
        if number in ages and _is_age(links.document.keys, start, count):
            links.join(links.labels[start], ("year", born))


def _link_periods(links: _Links, reading: Sequence[tuple[str, str]]) -> None:
    """Link the dates within a register period with it: somebody who left in 1842 was there in 1841."""
    for _, value in reading:
        years = [date.year for date in find_dates(*keys_and_gaps(value))] if " - " in value else []
        if len(years) < 2 or not all(years):
            continue
        for told in links.dates:
            if min(years) <= told.year <= max(years):
                links.join(date_label(told), ("year", years[0]))


def _is_age(keys: Sequence[str], start: int, count: int) -> bool:
    before, after = keys[max(start - 3, 0) : start], keys[start + count : start + count + 2]
    return not {"age", "aged"}.isdisjoint(before) or (after[:1] == ("years",) and "old" in after)


def _link_numbers(
    links: _Links, reading: Sequence[tuple[str, str]], kinds: dict[str, FieldKind]
) -> None:
    for key, kind in kinds.items():
        if kind not in _NUMBERS:
            continue
        values = [word_list(value) for name, value in reading if name in (key, f"{key} from")]
        own = {
            number[0]
            for words in values
            for place in range(len(words))
            if (number := read_number(words, place)) is not None
        }
        if kind is FieldKind.NUMBERS:
            # Somebody not elected to the next term was in the previous one.
            own |= {number + 1 for number in own}
        for start, told, _ in links.numbers():
            if told in own and links.labels[start] == ("number", told):
                links.join(("number", told), ("field", key))


def _link_places(
    links: _Links, profile: Sequence[tuple[str, str]], kinds: dict[str, FieldKind]
) -> None:
    own = {
        name
        for key, value in profile
        if kinds.get(key) in _PLACES
        and (name := _known_places().get(tuple(word_list(value)))) is not None
    }
    inside: dict[str, Label] = {}
    for start, _, name in links.places():
        if name not in own:
            continue
        for place in _chain_before(links, start):
            inside.setdefault(links.document.keys[place], ("place", name))
            label = links.labels[place]
            if label != ("word", links.document.keys[place]):
                # A city with the name of a state: Washington, Ga.
                links.join(label, ("place", name))
    for place, key in enumerate(links.document.keys):
        if key in inside and links.labels[place] == ("word", key) and links.capital(place):
            links.labels[place] = inside[key]


def _chain_before(links: _Links, start: int) -> Iterator[int]:
    """Yield the words of the smaller places that precede a larger one: ``Lynchburg, Campbell County,``."""
    place = start - 1
    while place >= 0 and links.capital(place):
        gap = links.text_between(place, place + 1)
        if gap not in (", ", " ", "-", ". "):
            return
        key = links.document.keys[place]
        if key in _INSTITUTIONS:
            return
        if key not in _DIVISIONS and key not in STOP_WORDS:
            yield place
        place -= 1
