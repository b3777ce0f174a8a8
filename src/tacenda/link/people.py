"""Names of people joined where they may be one person's; the rules are in the package's table.

Full names come first, the longest first, then names with initials, then surnames and given names
alone, then initials alone: each is looked up in an index of people with agreeing names, by exact
forms first, by short forms and misspellings last.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from ..document import SemanticType
from ..text.given_names import full_names, gender_by_names, is_common_given_name
from ..text.names import sound as _sound
from .fields import names_in_fields
from .names import Clusters, NamedString
from .relations import relations
from .written_names import WrittenName, read_name, titled

# Of more people with the same name only these are compared, which keeps hostile input linear.
_CANDIDATES = 32
_READINGS = 8
_AFTER = 4
_LONG = 6
_LONGEST = 24
_STEM = 3
_VOWELS = "aeiouy"
_FITTING_STEM = 4
_ALIAS = re.compile(
    r"""[\s,;]*[("“]?\s*(?:(?:also|better|formerly|otherwise)\s)?(?:known\s(?:as|to\s\w+\sas)|a\.?k\.?a\.?|alias|n[ée]e
    |geb(?:\.|orene?)|whose\s(?:real\s|full\s)?name\s(?:is|was))\s*["“‘']?""",
    re.VERBOSE | re.IGNORECASE,
)
_PARENTHESES = re.compile(r" ?\([^()]+\)\W?")
_LONGEST_ALIAS = 40
_SHORT_ENDINGS = ("", "y", "ie", "i", "ey")

Key = tuple[str, ...]
sound = lru_cache(maxsize=4096)(_sound)


class _Person:
    """The names joined so far."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.members: set[int] = set()
        self.rank = ""
        self.generation = ""
        self.names: list[WrittenName] = []
        self.title = ""
        self.gender = ""
        self.profession = False
        self.starts: list[int] = []
        self.count = 0
        self.formal_count = 0

    def add(self, index: int, string: NamedString, name: WrittenName) -> None:
        self.members.add(index)
        self.rank = self.rank or name.rank
        self.generation = self.generation or name.generation
        if len(self.names) < _READINGS:
            self.names.append(name)
        self.title = self.title or name.title
        self.gender = self.title or self.gender or name.gender
        self.profession = self.profession or name.profession
        self.count += len(string.mentions)
        if not name.is_single or name.title:
            self.formal_count += len(string.mentions)
        self.starts.append(string.start)

    def may_be(self, name: WrittenName, apart: Collection[int]) -> bool:
        """Return whether neither generation, rank nor the text around tells it from a name."""
        return (
            self.members.isdisjoint(apart)
            and (self.generation == name.generation or not (name.generation or name.is_whole))
            and (not name.is_single or name.rank in ("", self.rank) or not self.rank)
        )

    def distance(self, start: int) -> int:
        """Return how far a name is from others, one before it being the nearer."""
        return min(
            start - position if position <= start else _AFTER * (position - start)
            for position in self.starts[:_CANDIDATES]
        )


class _Register:
    """Index of people by the keys of all shorter forms of their names."""

    def __init__(self) -> None:
        self._people: dict[Key, list[_Person]] = {}
        # Nobody looks for the last name of a document, and most short ones have no other.
        self._unread: list[tuple[_Person, WrittenName]] = []

    def __bool__(self) -> bool:
        return bool(self._unread or self._people)

    def add(self, person: _Person, name: WrittenName) -> None:
        self._unread.append((person, name))

    def find(self, keys: Iterable[Key]) -> list[_Person]:
        """The people of any of the keys, each once."""
        for person, name in self._unread:
            self._read(person, name)
        self._unread.clear()
        return list(
            {person.index: person for key in keys for person in self._people.get(key, ())}.values()
        )

    def _read(self, person: _Person, name: WrittenName) -> None:
        for key in set(_keys(name)):
            people = self._people.setdefault(key, [])
            if len(people) < _CANDIDATES and person not in people:
                people.append(person)


def _keys(name: WrittenName) -> Iterator[Key]:
    tokens, first = name.tokens, name.tokens[0]
    yield "initials", name.initials
    for token in tokens:
        if _LONG <= len(token) <= _LONGEST:
            yield "sound", sound(token)
            for piece in _deletions(token):
                yield "spelling", piece
        for part in _with_parts(token)[1:]:
            yield "part", part
    if len(tokens) == 1 or not name.user_name:
        for token in tokens[name.surnames :]:
            yield "surname", token
    if len(first) > 1:
        yield "first", first
        for full in full_names(first):
            yield "given", full
        yield "stem", first[:_STEM]
    for token in tokens[1:]:
        yield "later", token
    if len(tokens) == 1:
        return
    yield "all", *sorted(tokens)
    for later in {part for token in tokens[1:] for part in _with_parts(token)}:
        if len(first) == 1:
            yield "initial", first, later
            continue
        yield "letter", first[0], later
        for full in full_names(first):
            yield "pair", full, later
            yield "half", full, later[0]
    for start in range(1, len(tokens) - 1):
        yield "tail", *tokens[start:]
    yield from (("glued", string) for string in _glued(tokens))


def _with_parts(token: str) -> tuple[str, ...]:
    return (token, *filter(None, token.split("-"))) if "-" in token else (token,)


def _glued(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the user names that people make of a name."""
    first, last = (token.replace("-", "") for token in (tokens[0], tokens[-1]))
    yield first + last
    yield last + first
    if len(first) > 1 and len(last) > 1:
        yield first[0] + last
        yield last + first[0]
        yield first + last[0]
        yield "".join(token[0] for token in tokens[:-1]) + last


def _deletions(token: str) -> Iterator[str]:
    yield token
    for place in range(len(token)):
        yield token[:place] + token[place + 1 :]


def join_people(
    text: str,
    strings: Sequence[NamedString],
    indexes: Sequence[int],
    outsiders: Sequence[int],
    clusters: Clusters,
) -> None:
    """Join the strings of ``indexes`` by person.

    Args:
        text: of the document.
        strings: the distinct strings of the document.
        indexes: those of people.
        outsiders: those of other types, joined with a person whose whole name or user name they are.
        clusters: of ``strings``.
    """
    names = _read(text, strings, indexes)
    _complete(text, strings, names)
    _join_aliases(text, strings, names, clusters)
    apart = relations(text, strings, names)
    couples = _couples(names.values())
    register = _Register()
    ambiguous = []

    def assign(index: int, name: WrittenName, candidates: Sequence[_Person]) -> None:
        person = _choose(name, strings[index].start, candidates)
        if person is None:
            person = _Person(index)
        else:
            clusters.join(index, person.index)
        person.add(index, strings[index], name)
        register.add(person, name)

    singles = [(index, name) for index, name in names.items() if not name.couple]
    for index, name in sorted(singles, key=lambda pair: (*_order(pair[1]), pair[0])):
        candidates = _candidates(name, register, apart[index])
        if name.title and name.is_single and name.tokens[0] in couples and len(candidates) > 1:
            # Only what tells their gender tells the Mr from the Mrs.
            candidates = [person for person in candidates if person.gender]
        if name.is_single and len(candidates) > 1:
            ambiguous.append((index, name, candidates))
        else:
            assign(index, name, candidates)
    # Once all other mentions are counted.
    for index, name, candidates in ambiguous:
        assign(index, name, candidates)
    tokens = {token for name in names.values() for token in name.tokens}
    namesakes = [
        index
        for index in outsiders
        if strings[index].type is SemanticType.CODE
        or not tokens.isdisjoint(strings[index].key.split())
    ]
    for index, name in _read(text, strings, namesakes).items():
        people = _namesakes(name, strings[index], register)
        if len(people) == 1:
            clusters.join(index, people[0].index)


def _read(
    text: str, strings: Sequence[NamedString], indexes: Sequence[int]
) -> dict[int, WrittenName]:
    """Return the names that can be taken apart, by the index of their string."""
    names = {}
    for index in indexes:
        name = read_name(titled(text, strings[index].mentions[0].span).of(text))
        if name is not None:
            names[index] = name
    return names


def _complete(text: str, strings: Sequence[NamedString], names: dict[int, WrittenName]) -> None:
    """Give given names the surname of the field beside them, where it is always the same."""
    places = sorted(
        (mention.span.start, index) for index in names for mention in strings[index].mentions
    )
    mentions = sorted(
        (mention for index in names for mention in strings[index].mentions),
        key=lambda mention: mention.span.start,
    )
    surnames: dict[int, set[int]] = {}
    for member, peer in names_in_fields(text, mentions):
        surnames.setdefault(places[member][1], set()).add(places[peer][1])
    originals = dict(names)
    for given_name, fields in surnames.items():
        surname = originals[next(iter(fields))]
        name = originals[given_name]
        if len(fields) == 1 and not surname.title and not (name.couple or surname.couple):
            names[given_name] = replace(
                name, tokens=(*name.tokens, *surname.tokens), surnames=len(name.tokens)
            )


def _join_aliases(
    text: str,
    strings: Sequence[NamedString],
    names: dict[int, WrittenName],
    clusters: Clusters,
) -> None:
    """Join names that the words between them call one person's, and initials in parentheses."""
    places = sorted((mention.span, index) for index in names for mention in strings[index].mentions)
    for (span, index), (following, peer) in pairwise(places):
        between = text[span.end : min(following.start, span.end + _LONGEST_ALIAS)]
        if following.start - span.end >= _LONGEST_ALIAS or names[index].couple:
            continue
        in_parentheses = (
            _PARENTHESES.fullmatch(text[span.end : following.end + 1])
            and len(names[peer].tokens) == 1
            and names[peer].tokens[0][0] in names[index].initials
        )
        if in_parentheses or _ALIAS.fullmatch(between):
            clusters.join(index, peer)


def _namesakes(name: WrittenName, string: NamedString, register: _Register) -> list[_Person]:
    """Return the people whose name a string of another type is, beyond doubt."""
    tokens = name.tokens
    if string.type is SemanticType.CODE or name.user_name:
        return _candidates(name, register)
    if name.couple or name.only_initials or name.capitals:
        return []
    if not name.is_single:
        last = string.key.split()[-1]
        if last not in " ".join(tokens):  # "Galip Yalman came" is more than a name
            return []
        return register.find([("all", *sorted(tokens)), ("pair", tokens[0], tokens[-1])])
    # A faith or an occupation that is a name, too; a place that a person is called by.
    if string.type is SemanticType.DEM or (
        string.type is SemanticType.LOC and not is_common_given_name(tokens[0])
    ):
        return []
    people = register.find([("surname", tokens[0]), ("first", tokens[0])])
    return [person for person in people if any(len(peer.tokens) > 1 for peer in person.names)]


def _couples(names: Iterable[WrittenName]) -> set[str]:
    """Return the surnames of both a Mr and a Mrs, or of two named together."""
    genders: dict[str, set[str]] = {}
    for name in names:
        genders.setdefault(name.tokens[-1], set()).update(
            "mf" if name.couple or name.partner else name.title
        )
    return {surname for surname, letters in genders.items() if len(letters) > 1}


def _order(name: WrittenName) -> tuple[int, int]:
    if name.only_initials:
        return 4, 0
    if name.is_single:
        return (2, 0) if name.title else (3, -len(name.tokens[0]))
    is_whole = len(name.tokens[0]) > 1 and len(name.tokens[-1]) > 1
    return (0 if is_whole else 1), -len(name.tokens)


def _candidates(
    name: WrittenName, register: _Register, apart: Collection[int] = ()
) -> list[_Person]:
    """Return the people whom a name may mean, by the most exact form that anybody has.

    Args:
        name: to look for.
        register: of the people.
        apart: strings of other people than the one of the name.
    """
    if not register:
        return []
    if name.only_initials:
        people = _of_gender(register.find([("initials", name.initials)]), name.social_gender)
        people = [person for person in people if person.may_be(name, apart)]
        bearers = [person for person in people if person.names[0].only_initials]
        people = bearers or (people if len(name.initials) > 1 else [])
        return people if len(people) == 1 else []
    levels = _single_levels if name.is_single else _full_levels
    for level, unique in levels(name, register):
        people = [person for person in level if person.may_be(name, apart)]
        if people and (not unique or len(people) == 1):
            return people
    return []


def _single_levels(name: WrittenName, register: _Register) -> Iterator[tuple[list[_Person], bool]]:
    token = name.tokens[0]
    social = name.social_gender
    gender = social or gender_by_names((token,))
    if not name.rather_given:
        yield _of_gender(register.find([("surname", token)]), social), False
    if not (name.title and name.profession):
        yield _of_gender(register.find([("first", token)]), gender), False
    if name.rather_given:
        yield _of_gender(register.find([("surname", token)]), social), False
    yield (
        _of_gender(register.find(("given", full) for full in full_names(token)), gender),
        False,
    )
    yield _of_gender(register.find([("later", token), ("part", token)]), social), False
    if not name.title:
        if name.capitals:
            yield register.find([("initials", token)]), True
        yield register.find([("glued", token)]), True
        yield _of_gender(_short_forms(token, register), gender), True
    yield _of_gender(_misspelt(token, register), social), True


def _short_forms(token: str, register: _Register) -> list[_Person]:
    """Return the people whose given name begins like an unknown short form: *Funmi*, *Thandi*."""
    if len(token) < _STEM or is_common_given_name(token):
        return []
    stems = {
        token.removesuffix(ending)
        for ending in _SHORT_ENDINGS
        if len(token.removesuffix(ending)) >= _STEM
    }
    return [
        person
        for person in register.find([("stem", token[:_STEM])])
        if any(_shortens(stem, name) for name in person.names for stem in stems)
    ]


def _shortens(stem: str, name: WrittenName) -> bool:
    first = name.tokens[0]
    if name.user_name:
        return len(stem) >= _FITTING_STEM and first.startswith(stem)
    return len(first) > len(stem) + 1 and first.startswith(stem)


def _misspelt(token: str, register: _Register) -> list[_Person]:
    keys: list[Key] = []
    if _LONG <= len(token) <= _LONGEST:
        keys = [("sound", sound(token)), *(("spelling", piece) for piece in _deletions(token))]
    return [
        person
        for person in register.find(keys)
        if any(
            token != part and _is_misspelling(token, part)
            for name in person.names
            for part in name.tokens
        )
    ]


def _is_misspelling(name: str, peer: str) -> bool:
    """Return whether two names sound the same, or differ by one slip before their last letters.

    At their ends names have gender and case: *Kowalski*, *Kowalska*.
    """
    if min(len(name), len(peer)) < _LONG or name[0] != peer[0] or abs(len(name) - len(peer)) > 2:
        return False
    has_same_end = name[-1] == peer[-1] or (name[-1] in _VOWELS and peer[-1] in _VOWELS)
    if has_same_end and sound(name) == sound(peer):
        return True
    if len(name) < len(peer):
        name, peer = peer, name
    if len(name) - len(peer) > 1 or min(len(name), len(peer)) <= _LONG:
        return False
    place = next((i for i, (a, b) in enumerate(zip(name, peer, strict=False)) if a != b), len(peer))
    if place >= len(peer) - 2 or place == 0:
        return False
    transposition = (
        name[:place] + name[place + 1 : place + 2] + name[place : place + 1] + name[place + 2 :]
    )
    return (
        name[place + 1 :] == peer[place:]
        or (len(name) == len(peer) and name[place + 1 :] == peer[place + 1 :])
        or transposition == peer
    )


def _full_levels(name: WrittenName, register: _Register) -> Iterator[tuple[list[_Person], bool]]:
    tokens = name.tokens

    def of(form: Sequence[str], *keys: Key) -> list[_Person]:
        return [
            person
            for person in _of_gender(register.find(keys), name.gender)
            if any(_agrees(form, peer.tokens) for peer in person.names if len(peer.tokens) > 1)
        ]

    yield _of_gender(register.find([("all", *sorted(tokens))]), name.title), False
    yield _of_gender(register.find([("tail", *tokens)]), name.title), False
    for form in _orders(tokens):
        first = form[0]
        lasts = _with_parts(form[-1])
        if len(first) == 1:
            people = of(form, *(("letter", first, last) for last in lasts))
            yield people or of(form, *(("initial", first, last) for last in lasts)), True
        elif len(form[-1]) == 1:
            yield of(form, *(("half", full, form[-1]) for full in full_names(first))), True
        else:
            pairs = [("pair", full, last) for full in full_names(first) for last in lasts]
            yield of(form, *pairs), False
            yield of(form, *(("initial", first[0], last) for last in lasts)), True
    if len(tokens) > 2 and len(tokens[-1]) == 1:
        yield _of_gender(register.find([("all", *sorted(tokens[:-1]))]), name.gender), True
    if name.user_name:
        yield register.find([("glued", "".join(tokens))]), True
    elif all(len(token) > 1 for token in tokens):
        yield _of_gender(register.find([("first", "".join(tokens))]), name.gender), True
    yield (
        [
            person
            for person in _of_gender(
                [*_misspelt(tokens[0], register), *_misspelt(tokens[-1], register)],
                name.gender,
            )
            if any(_is_misspelt(tokens, peer.tokens) for peer in person.names)
        ],
        True,
    )


def _orders(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the orders of a name: as written, or with the surname first and initials last."""
    initials = next(
        (count for count, token in enumerate(reversed(tokens)) if len(token) > 1), len(tokens)
    )
    rotation = (*tokens[len(tokens) - initials :], *tokens[: len(tokens) - initials])
    if initials > 1:
        yield rotation
    yield tokens
    if initials == 1:
        yield rotation


def _agrees(name: Sequence[str], peer: Sequence[str]) -> bool:
    """Return whether one of two names of several parts can be a form of the other."""
    short, long = sorted((name, peer), key=len)
    if not _may_be_given(short[0], long[0]):
        return False
    if not any(_may_be_surname(short[-1], token) for token in long[1:]):
        return False
    return all(any(_may_be_given(token, middle) for middle in long[1:]) for token in short[1:-1])


def _may_be_given(name: str, peer: str) -> bool:
    if len(name) == 1 or len(peer) == 1:
        return name[0] == peer[0]
    return (
        name == peer
        or not full_names(name).isdisjoint(full_names(peer))
        or name.partition("-")[0] == peer.partition("-")[0]
    )


def _may_be_surname(name: str, peer: str) -> bool:
    if len(name) == 1 or len(peer) == 1:
        return name[0] == peer[0]
    return not set(_with_parts(name)).isdisjoint(_with_parts(peer))


def _is_misspelt(name: Sequence[str], peer: Sequence[str]) -> bool:
    """Return whether two names of as many parts differ by a misspelling of one of these."""
    if len(name) != len(peer):
        return False
    differences = [pair for pair in zip(name, peer, strict=True) if pair[0] != pair[1]]
    return len(differences) == 1 and _is_misspelling(*differences[0])


def _of_gender(people: Sequence[_Person], gender: str) -> list[_Person]:
    return [
        person for person in people if not gender or not person.gender or gender == person.gender
    ]


def _choose(name: WrittenName, start: int, candidates: Sequence[_Person]) -> _Person | None:
    is_given = any(
        name.tokens == peer.tokens[:1] != peer.tokens
        for person in candidates
        for peer in person.names
    )
    return min(
        candidates,
        key=lambda person: (
            not (name.title and person.title == name.title),
            name.title and person.gender != name.title,
            name.profession and not person.profession,
            name.rank and person.rank != name.rank,
            not is_given and -person.formal_count,
            -person.count,
            person.distance(start),
        ),
        default=None,
    )
