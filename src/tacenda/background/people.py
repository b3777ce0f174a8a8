"""Read a store of people: its people, and which of them have a given word."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .normalization import FieldKind, normalize_profile
from .profiles import Person

# A store of people is an SQLite database with its own application id:
#
#     people      number from 0, id, name, number of words of the profile, its first and last year
#     profiles    number, the fields as JSON: read for a few people at a time fields      name,
#     kind, of those that are no mere text terms       word or key of a typed value (``values.py``),
#     number of profiles with it, these (32-bit numbers, in order), counts (16-bit) facts       of
#     the store as a whole
#
# The people with a word are one blob, so that an attack reads only the words of its document.
# Vectors of encoders, if any, are in a separate array file next to the store.


APPLICATION_ID = 0x7ACE1D1
VERSION = 3

TABLES = f"""
    PRAGMA application_id = {APPLICATION_ID};
    PRAGMA user_version = {VERSION};
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE people (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        words INTEGER NOT NULL, first_year INTEGER NOT NULL, last_year INTEGER NOT NULL
    );
    CREATE TABLE profiles (number INTEGER PRIMARY KEY, fields TEXT NOT NULL);
    CREATE TABLE fields (name TEXT PRIMARY KEY, kind TEXT NOT NULL);
    CREATE TABLE terms (
        term TEXT PRIMARY KEY, occurrences INTEGER NOT NULL, people BLOB NOT NULL,
        counts BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
"""


def is_store(path: Path) -> bool:
    """Return whether a file is a store of people, of any version."""
    try:
        with path.open("rb") as stream:
            head = stream.read(72)
    except OSError:
        return False
    return head[:15] == b"SQLite format 3" and head[68:72] == APPLICATION_ID.to_bytes(4, "big")


def open_store(path: Path) -> sqlite3.Connection:
    """Open a store for reading.

    Raises:
        InputError: if there is no store, or it has another version.
    """
    if not path.is_file():
        raise InputError("the store doesn't exist; create it with tacenda index people.", str(path))
    if not is_store(path):
        raise InputError(
            "is not a store of people; create one with tacenda index people.", str(path)
        )
    address = f"{path.absolute().as_uri()}?mode=ro"
    # The garbage collector may close it in any thread; callers with several threads query one at a
    # time.
    database = sqlite3.connect(address, uri=True, check_same_thread=False)
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        version = 0
    if version != VERSION:
        database.close()
        raise InputError(
            f"is a store of version {version}, expected {VERSION}; build it again.",
            str(path),
        )
    return database


_SHOWN: Final = 5
_TERMS_KEPT: Final = 4096
"""Words whose people are kept in memory; documents share most of theirs."""


class Posting(NamedTuple):
    """The people with a word, in order, and its count for each of them; both [people]."""

    people: NDArray[np.int32]
    counts: NDArray[np.uint16]


class People:
    """Background knowledge: a store built by ``PeopleBuilder``.

    People are numbered from 0 in the order of the files.

    Args:
        path: the store.

    Attributes:
        path: where the store is.
        lengths: number of words of each profile, [people].
        n_words: number of words of all profiles together.
        kinds: kinds of the fields that aren't plain text, by field name.
        first_years, last_years: first and last year in each profile, 0 if there is none, [people].

    Raises:
        InputError: if there is no store at ``path``.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._database = open_store(self.path)
        finalize(self, self._database.close)
        query = "SELECT words, first_year, last_year FROM people ORDER BY number"
        columns = np.array(self._database.execute(query).fetchall(), dtype=np.int64).T
        self.lengths: NDArray[np.float64] = columns[0].astype(np.float64)
        self.first_years, self.last_years = columns[1], columns[2]
        self.n_words = int(self.lengths.sum())
        kinds = self._database.execute("SELECT name, kind FROM fields")
        self.kinds = {name: FieldKind(kind) for name, kind in kinds}
        self.posting = lru_cache(maxsize=_TERMS_KEPT)(self.posting_once)

    def __len__(self) -> int:
        return len(self.lengths)

    def find(self, person: str) -> int:
        """Return the number of the person with an id, or else with a name.

        Raises:
            InputError: if nobody has it, or several people share the name.
        """
        row = self._database.execute("SELECT number FROM people WHERE id = ?", (person,)).fetchone()
        if row:
            return int(row[0])
        rows = self._database.execute(
            "SELECT number, id FROM people WHERE name = ? ORDER BY number LIMIT ?",
            (person, _SHOWN + 1),
        ).fetchall()
        if len(rows) == 1:
            return int(rows[0][0])
        if not rows:
            raise InputError(
                f"no person has the id or name {person!r}; add the person with tacenda index "
                "people, or fix the id.",
                str(self.path),
            )
        ids = ", ".join(repr(id) for _, id in rows[:_SHOWN])
        more = " …" if len(rows) > _SHOWN else ""
        raise InputError(
            f"several people have the name {person!r}; choose one by id: {ids}{more}.",
            str(self.path),
        )

    def person(self, number: int) -> Person:
        """Return a person with their profile as it is in the register."""
        id, name, fields = self._database.execute(
            "SELECT id, name, fields FROM people JOIN profiles USING (number) WHERE number = ?",
            (int(number),),
        ).fetchone()
        return Person(id, name, tuple((key, value) for key, value in json.loads(fields)))

    def reading(self, number: int) -> Person:
        """Return a person with their profile worded as texts would, which is what attackers read."""
        person = self.person(number)
        return replace(person, profile=normalize_profile(person.profile, self.kinds))

    def names(self, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Return (id, name) for each of these people."""
        query = "SELECT id, name FROM people WHERE number = ?"
        return [self._database.execute(query, (int(n),)).fetchone() for n in numbers]

    def occurrences(self, term: str) -> int:
        """Return how often a word occurs in all profiles together."""
        query = "SELECT occurrences FROM terms WHERE term = ?"
        row = self._database.execute(query, (term,)).fetchone()
        return int(row[0]) if row else 0

    def terms_from(self, prefix: str) -> list[str]:
        """Return the words and keys that start with a prefix, in order; all words for an empty prefix."""
        condition = "term GLOB ? || '*'" if prefix else "instr(term, ' ') = 0 AND ? = ''"
        query = f"SELECT term FROM terms WHERE {condition} ORDER BY term"
        return [term for (term,) in self._database.execute(query, (prefix,))]

    def posting_once(self, term: str) -> Posting:
        """Yield the postings of all words in order; faster than calling ``posting`` for each."""
        query = "SELECT people, counts FROM terms WHERE term = ?"
        row = self._database.execute(query, (term,)).fetchone() or (b"", b"")
        return Posting(np.frombuffer(row[0], np.int32), np.frombuffer(row[1], np.uint16))
