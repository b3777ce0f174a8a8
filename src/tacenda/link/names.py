"""Names of people joined where they may be one person's; the rules are in the package's table.

Full names come first, the longest first, then names with initials, then surnames and given names
alone, then initials alone: each is looked up in an index of people with agreeing names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..document import Mention, SemanticType
from ..text.names import PersonName, is_initial, letters_of, parse_name
from ..text.surface_forms import defined_after, is_acronym, normalise, parenthesised, spells

# Disjoint sets of numbers, for grouping in near-linear time.


class Clusters:
    """Numbers ``0 … n-1``, each in a set of its own until joined."""

    def __init__(self, n: int) -> None:
        self._parents = list(range(n))

    def find(self, member: int) -> int:
        """The representative of the set of ``member``."""
        parents = self._parents
        while parents[member] != member:
            parents[member] = member = parents[parents[member]]
        return member

    def join(self, one: int, peer: int) -> None:
        """Make one set of the sets of both; the smaller number stands for it."""
        first, second = sorted((self.find(one), self.find(peer)))
        self._parents[second] = first


# A distinct string among the mentions of a document.


@dataclass(frozen=True, slots=True)
class NamedString:
    """Mentions with equal strings.

    Attributes:
        key: their normalised string.
        type: type of the most certain mention.
        positions: indices of the mentions in the document, ascending.
        mentions: the mentions, in the same order.
    """

    key: str
    type: SemanticType
    positions: tuple[int, ...]
    mentions: tuple[Mention, ...]

    @property
    def start(self) -> int:
        """Start of the first mention in the text."""
        return self.mentions[0].span.start


# Of more people with the same name only these are compared, which keeps hostile input linear.
_CANDIDATES = 32


class _Person:
    """The names joined so far; ``given`` and ``gender`` are the fullest known."""

    def __init__(self, index: int, name: PersonName) -> None:
        self.index = index
        self.given = name.given
        self.gender = name.gender
        self.starts: list[int] = []
        self.count = 0

    def add(self, string: NamedString, name: PersonName) -> None:
        self.gender = self.gender or name.gender
        self.count += len(string.mentions)
        self.starts.append(string.start)

    def distance(self, start: int) -> int:
        return min(abs(start - position) for position in self.starts[:_CANDIDATES])


class _Index:
    """Index of people by the keys of all shorter forms of their names."""

    def __init__(self) -> None:
        self._people: dict[tuple[str, ...], list[_Person]] = {}

    def add(self, person: _Person, name: PersonName) -> None:
        for key in set(_keys(name)):
            self._people.setdefault(key, []).append(person)

    def find(self, *key: str) -> list[_Person]:
        return self._people.get(key, [])


def _keys(name: PersonName) -> Iterable[tuple[str, ...]]:
    yield ("initials", name.initials)
    if not name.surname:
        return
    yield ("surname", name.surname)
    for given_name in name.given:
        if not is_initial(given_name):
            yield ("given", given_name)
    if name.given:
        yield ("first", name.surname, name.given[0])
        yield ("letter", name.surname, letters_of(name.given[0])[0])
    for first in range(1, len(name.tokens) - 1):
        yield ("end", *name.tokens[first:])


def join_people(strings: Sequence[NamedString], indexes: Sequence[int], clusters: Clusters) -> None:
    """Join the strings of ``indexes`` by person."""
    parsed = [
        (index, name) for index in indexes if (name := parse_name(strings[index].key)) is not None
    ]
    couples = _couples(name for _, name in parsed)
    names = [(index, name) for index, name in parsed if not name.couple]
    names.sort(key=lambda pair: (*_order(pair[1]), pair[0]))
    register = _Index()
    for index, name in names:
        string = strings[index]
        candidates = _fitting(name, _candidates(name, register))
        if name.gender and not name.given and name.surname in couples and len(candidates) > 1:
            # Only a title of their own tells the Mr from the Mrs.
            candidates = [person for person in candidates if person.gender]
        person = _choose(name, string.start, candidates)
        if person is None:
            person = _Person(index, name)
            register.add(person, name)
        else:
            clusters.join(index, person.index)
        person.add(string, name)


def _couples(names: Iterable[PersonName]) -> set[str]:
    """Return the surnames of both a Mr and a Mrs."""
    genders: dict[str, set[str]] = {}
    for name in names:
        genders.setdefault(name.surname, set()).update("mf" if name.couple else name.gender)
    return {surname for surname, both in genders.items() if len(both) > 1}


def _order(name: PersonName) -> tuple[int, int]:
    if not name.surname:
        return 4, 0
    if any(not is_initial(given_name) for given_name in name.given):
        return 0, -len(name.tokens)
    if name.given:
        return 1, -len(name.tokens)
    return (2, 0) if name.gender else (3, 0)


def _candidates(name: PersonName, register: _Index) -> list[_Person]:
    if not name.surname:
        people = register.find("initials", name.initials)
        return people if len(people) == 1 else []
    if not name.given:
        return register.find("surname", name.surname) or register.find("given", name.surname)
    by_end = register.find("end", *name.tokens)
    if by_end:
        return by_end
    if is_initial(name.given[0]):
        return register.find("letter", name.surname, letters_of(name.given[0])[0])
    return register.find("first", name.surname, name.given[0]) or [
        person
        for person in register.find("letter", name.surname, name.given[0][0])[:_CANDIDATES]
        if is_initial(person.given[0])
    ]


def _fitting(name: PersonName, candidates: Sequence[_Person]) -> list[_Person]:
    return [
        person
        for person in candidates[:_CANDIDATES]
        if _genders_agree(name.gender, person.gender) and _given_agree(name, person.given)
    ]


def _choose(name: PersonName, start: int, candidates: Sequence[_Person]) -> _Person | None:
    return min(
        candidates,
        key=lambda person: (
            not (name.gender and person.gender == name.gender),
            -person.count,
            person.distance(start),
        ),
        default=None,
    )


def _genders_agree(first: str, second: str) -> bool:
    return not first or not second or first == second


def _given_agree(name: PersonName, given_names: Sequence[str]) -> bool:
    names = name.given
    if names == tuple(given_names[len(given_names) - len(names) :]):
        return True  # the end of the longer name
    return all(map(_agree, _letters(names), _letters(given_names)))


def _letters(names: Sequence[str]) -> list[str]:
    """Split initials written together, ``a.f.`` into ``a`` and ``f``."""
    return [part for name in names for part in (letters_of(name) if is_initial(name) else [name])]


def _agree(first: str, second: str) -> bool:
    if len(first) == 1 or len(second) == 1:
        return first[:1] == second[:1]
    return first == second


# Names of organisations, places and things joined with the short forms defined for them.


def join_acronyms(
    text: str, strings: Sequence[NamedString], indexes: Sequence[int], clusters: Clusters
) -> None:
    """Join each name with its acronym and with both names of ``name (name)``."""
    by_key = {strings[index].key: index for index in indexes}
    for index in indexes:
        string = strings[index]
        for mention in string.mentions:
            short = defined_after(text, mention.span.end)
            if short is None:
                continue
            acronym = normalise(text[slice(*short)])
            peer = by_key.get(acronym)
            if peer is not None and _may_define(string, acronym):
                clusters.join(index, peer)
        _join_parts(string.mentions[0].span.of(text), index, by_key, clusters)
        _join_reverse(text, index, strings, by_key, clusters)


def _may_define(string: NamedString, acronym: str) -> bool:
    # "Kraków (PL)" puts a place in a country; only its own letters make it an acronym.
    return string.type is SemanticType.ORG or spells(acronym, string.key)


def _join_parts(surface: str, index: int, by_key: dict[str, int], clusters: Clusters) -> None:
    for part in parenthesised(surface):
        peer = by_key.get(normalise(part))
        if peer is not None:
            clusters.join(index, peer)


def _join_reverse(
    text: str,
    index: int,
    strings: Sequence[NamedString],
    by_key: dict[str, int],
    clusters: Clusters,
) -> None:
    """Join ``PS (Prison Service)`` where the long form is a mention of its own."""
    string = strings[index]
    mention = string.mentions[0]
    if (
        not is_acronym(mention.span.of(text))
        or text[mention.span.end : mention.span.end + 2] != " ("
    ):
        return
    close = text.find(")", mention.span.end, mention.span.end + 120)
    if close < 0:
        return
    long = normalise(text[mention.span.end + 2 : close])
    peer = by_key.get(long)
    if peer is not None and spells(string.key, long):
        clusters.join(index, peer)
