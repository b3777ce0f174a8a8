"""Index of people by the keys of all shorter forms of their names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from ..text.given_names import full_names
from ..text.names import sound as _sound
from .names import NamedString
from .written_names import WrittenName

# At most this many people with the same name are compared, so that hostile input stays linear.
MOST_CANDIDATES = 32

_READINGS = 8
_AFTER = 4

LONG_NAME = 6
LONGEST_NAME = 24
STEM_LETTERS = 3

Key = tuple[str, ...]
sound = lru_cache(maxsize=4096)(_sound)


class NamedPerson:
    """A person in the text, with the names joined so far."""

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
        """Add a name and its index among the strings."""
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
        """Return whether a name may belong to this person: generation, rank and context don't rule it out."""
        return (
            self.members.isdisjoint(apart)
            and (self.generation == name.generation or not (name.generation or name.is_whole))
            and (not name.is_single or name.rank in ("", self.rank) or not self.rank)
        )

    def distance(self, start: int) -> int:
        """Return the distance from a name to this person's; an earlier one counts as nearer."""
        return min(
            start - position if position <= start else _AFTER * (position - start)
            for position in self.starts[:MOST_CANDIDATES]
        )


class PeopleIndex:
    """Index of people by the keys of all shorter forms of their names."""

    def __init__(self) -> None:
        self._people: dict[Key, list[NamedPerson]] = {}
        # The last name of a document is never looked up, and most short documents have only one.
        self._unread: list[tuple[NamedPerson, WrittenName]] = []

    def __bool__(self) -> bool:
        return bool(self._unread or self._people)

    def add(self, person: NamedPerson, name: WrittenName) -> None:
        """Add a person under one of their names."""
        self._unread.append((person, name))

    def find(self, keys: Iterable[Key]) -> list[NamedPerson]:
        """Return the people under any of the keys, each once."""
        for person, name in self._unread:
            self._read(person, name)
        self._unread.clear()
        return list(
            {person.index: person for key in keys for person in self._people.get(key, ())}.values()
        )

    def _read(self, person: NamedPerson, name: WrittenName) -> None:
        for key in set(_keys(name)):
            people = self._people.setdefault(key, [])
            if len(people) < MOST_CANDIDATES and person not in people:
                people.append(person)


def _keys(name: WrittenName) -> Iterator[Key]:
    tokens, first = name.tokens, name.tokens[0]
    yield "initials", name.initials
    for token in tokens:
        if LONG_NAME <= len(token) <= LONGEST_NAME:
            yield "sound", sound(token)
            for piece in deletions(token):
                yield "spelling", piece
        for part in with_parts(token)[1:]:
            yield "part", part
    if len(tokens) == 1 or not name.user_name:
        for token in tokens[name.surnames :]:
            yield "surname", token
    if len(first) > 1:
        yield "first", first
        for full in full_names(first):
            yield "given", full
        yield "stem", first[:STEM_LETTERS]
    for token in tokens[1:]:
        yield "later", token
    if len(tokens) == 1:
        return
    yield "all", *sorted(tokens)
    for later in {part for token in tokens[1:] for part in with_parts(token)}:
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


def with_parts(token: str) -> tuple[str, ...]:
    """Return a token and, if it is a double name, its parts."""
    return (token, *filter(None, token.split("-"))) if "-" in token else (token,)


def _glued(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the user names that people commonly form from a name."""
    first, last = (token.replace("-", "") for token in (tokens[0], tokens[-1]))
    yield first + last
    yield last + first
    if len(first) > 1 and len(last) > 1:
        yield first[0] + last
        yield last + first[0]
        yield first + last[0]
        yield "".join(token[0] for token in tokens[:-1]) + last


def deletions(token: str) -> Iterator[str]:
    """Yield a token and every string made by deleting one of its letters."""
    yield token
    for place in range(len(token)):
        yield token[:place] + token[place + 1 :]
