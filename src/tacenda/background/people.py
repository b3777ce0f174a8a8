"""A person as an adversary knows them: an id, a name, and further text about them."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..text.tokens import word_list
from .normalization import OTHER_WORDING, FieldKind, FieldStatistics, normalize
from .values import values_of


@dataclass(frozen=True, slots=True)
class Person:
    """Person in a store, a candidate for an adversary.

    Attributes:
        id: unique in a store.
        name: need not be unique; may be empty.
        profile: fields and their values, as text, in the order of the file; a field may repeat.
    """

    id: str
    name: str = field(repr=False)
    profile: tuple[tuple[str, str], ...] = field(repr=False)


# A profile as words, and as one text for encoders; both of what texts would say of it (``normalization.py``).
#
#     name: Anna Berg; birth date: March 4, 1966; states: Virginia, Va., VA
#
# The paper linearises a profile as text (Morris et al., 2022, section 6). As a bag of words it goes without the
# names of fields: every profile has the same, so they tell nobody apart. To an encoder a date means
# one thing after *birth* and another after *death*.


def terms(person: Person) -> Counter[str]:
    """Return how often each word stands in the name and the values of a profile."""
    text = "\n".join((person.name, *(value for _, value in person.profile)))
    return Counter(word_list(text))


def table_of(person: Person) -> dict[str, str]:
    """Return a profile as a table of one row, a field's values together, in the order of the fields."""
    fields: dict[str, list[str]] = {"name": [person.name]}
    for key, value in person.profile:
        if key != OTHER_WORDING:
            fields.setdefault(key.replace("_", " "), []).append(value)
    return {key: ", ".join(values) for key, values in fields.items()}


def linearize(person: Person) -> str:
    """Return a profile as text; see ``table_of``."""
    return "; ".join(f"{key}: {value}" for key, value in table_of(person).items())


# The store, read: its people, and the people with a word.


# The file of a store of people: an SQLite database with an application id of its own.
#
#     people      number from 0, id, name, number of words of the profile, its first and last year
#     profiles    number, the fields as JSON: read for a few people at a time
#     fields      name, kind, of those that are no mere text
#     terms       word or key of a typed value (``values.py``), number of profiles with it, these (32-bit numbers, in order), counts (16-bit)
#     facts       of the store as a whole
#
# A word's people are one blob, so that an attack reads the words of its document and nothing else.
# Encoders' vectors, when there are some, are an array file of their own beside the store.


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
        InputError: if there is none, or it is of another version.
    """
    if not path.is_file():
        raise InputError("there is no store; make one with tacenda index people.", str(path))
    if not is_store(path):
        raise InputError("is no store of people; make one with tacenda index people.", str(path))
    address = f"{path.absolute().as_uri()}?mode=ro"
    # The collector may close it in any thread; callers with several query one after the other.
    database = sqlite3.connect(address, uri=True, check_same_thread=False)
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        version = 0
    if version != VERSION:
        database.close()
        raise InputError(
            f"is a store of version {version}, this is version {VERSION}; build it anew.",
            str(path),
        )
    return database


_SHOWN: Final = 5
_TERMS_KEPT: Final = 4096
"""Words whose people are kept in memory; documents share most of theirs."""


class Posting(NamedTuple):
    """People with a word, in order, and its count for each; [people with it]."""

    people: NDArray[np.int32]
    counts: NDArray[np.uint16]


class People:
    """Background knowledge: a store made by ``PeopleBuilder``.

    People are numbered from 0 in the order of the files.

    Args:
        path: the store.

    Attributes:
        path: where it lies.
        lengths: words of each profile, [people].
        n_words: of all profiles together.
        kinds: of the fields that are no mere text, by name.
        first_years, last_years: of each profile, 0 without one, [people].

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
            InputError: if nobody has it, or several people have the name.
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
                f"nobody has the id or the name {person!r}; add the person with tacenda index "
                "people, or mend the id.",
                str(self.path),
            )
        ids = ", ".join(repr(id) for _, id in rows[:_SHOWN])
        more = " …" if len(rows) > _SHOWN else ""
        raise InputError(
            f"several people have the name {person!r}; name one by id: {ids}{more}.",
            str(self.path),
        )

    def person(self, number: int) -> Person:
        """Return a person with their profile as the register has it."""
        id, name, fields = self._database.execute(
            "SELECT id, name, fields FROM people JOIN profiles USING (number) WHERE number = ?",
            (int(number),),
        ).fetchone()
        return Person(id, name, tuple((key, value) for key, value in json.loads(fields)))

    def reading(self, number: int) -> Person:
        """Return a person with their profile as texts would say it, which is what attackers read."""
        person = self.person(number)
        return replace(person, profile=normalize(person.profile, self.kinds))

    def names(self, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Return (id, name) of some people."""
        query = "SELECT id, name FROM people WHERE number = ?"
        return [self._database.execute(query, (int(n),)).fetchone() for n in numbers]

    def occurrences(self, term: str) -> int:
        """Return how often a word stands in all profiles together."""
        query = "SELECT occurrences FROM terms WHERE term = ?"
        row = self._database.execute(query, (term,)).fetchone()
        return int(row[0]) if row else 0

    def terms_from(self, prefix: str) -> list[str]:
        """Return the words and keys that begin with a prefix, in order; all words for an empty one."""
        condition = "term GLOB ? || '*'" if prefix else "instr(term, ' ') = 0 AND ? = ''"
        query = f"SELECT term FROM terms WHERE {condition} ORDER BY term"
        return [term for (term,) in self._database.execute(query, (prefix,))]

    def posting_once(self, term: str) -> Posting:
        """Return what ``posting`` does, for who reads all words one after the other."""
        query = "SELECT people, counts FROM terms WHERE term = ?"
        row = self._database.execute(query, (term,)).fetchone() or (b"", b"")
        return Posting(np.frombuffer(row[0], np.int32), np.frombuffer(row[1], np.uint16))


# Words of people, in more rows than memory should hold: sorted runs on disk.
#
# External sorting: rows are gathered in memory, written as a run sorted by word, and at the end the
# runs are read side by side, a range of words at a time.


ROWS_A_RUN: Final = 4_000_000
"""Rows held in memory: 40 MB, and again while they are sorted."""

_ROW = np.dtype([("term", np.int32), ("person", np.int32), ("count", np.uint16)])
_MOST: Final = np.iinfo(np.uint16).max


class Runs:
    """Rows (word, person, count) added in order of the people, read in order of the words.

    Args:
        folder: for the runs; its owner removes it.
        rows_a_run: number of rows held in memory.
    """

    def __init__(self, folder: Path, rows_a_run: int = ROWS_A_RUN) -> None:
        self._folder = folder
        self._rows_a_run = rows_a_run
        self._runs: list[Path] = []
        self._clear()

    def add(self, term: int, person: int, count: int) -> None:
        """Add a row; more than 65,535 occurrences count as so many."""
        self._terms.append(term)
        self._people.append(person)
        self._counts.append(min(count, _MOST))
        if len(self._terms) >= self._rows_a_run:
            self._write()

    def by_term(self, n_terms: int) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.uint16]]]:
        """Yield (word, people in order, counts) for each word below ``n_terms``."""
        self._write()
        if not self._runs:
            return
        runs = [np.memmap(path, dtype=_ROW, mode="r") for path in self._runs]
        ends = [np.searchsorted(run["term"], np.arange(n_terms), side="right") for run in runs]
        totals = np.sum(ends, axis=0)
        first = 0
        while first < n_terms:
            offset = int(totals[first - 1]) if first else 0
            # At least one word, however many have it.
            last = max(first + 1, int(np.searchsorted(totals, offset + self._rows_a_run)))
            parts = [
                run[(int(end[first - 1]) if first else 0) : int(end[last - 1])]
                for run, end in zip(runs, ends, strict=True)
            ]
            rows = np.concatenate(parts)
            # Runs follow one another by person, so a stable sort keeps people in order.
            rows = rows[np.argsort(rows["term"], kind="stable")]
            terms, starts = np.unique(rows["term"], return_index=True)
            stops = np.append(starts, len(rows))[1:]
            for term, start, stop in zip(terms, starts, stops, strict=True):
                part = rows[start:stop]
                yield int(term), part["person"].copy(), part["count"].copy()
            first = last

    def _write(self) -> None:
        if not self._terms:
            return
        rows = np.empty(len(self._terms), dtype=_ROW)
        rows["term"], rows["person"], rows["count"] = self._terms, self._people, self._counts
        rows = rows[np.argsort(rows["term"], kind="stable")]
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.write(rows.tobytes())
        self._runs.append(Path(file.name))
        self._clear()

    def _clear(self) -> None:
        self._terms, self._people, self._counts = array("i"), array("i"), array("H")


# People into a store, streamed: a person is written when read, words are sorted on disk. What a field holds is known
# when all were read, so profiles are read once more for their words.


EXAMPLES: Final = 3
"""How many ids are named of what is found many times."""


class PeopleBuilder:
    """Builder of a new store; a context manager. The store gets its name when it is whole.

    Args:
        path: the store. An existing store is replaced, any other file is not.

    Attributes:
        written: number of people.
        empty: number of people without a word but those of their name.
        empty_ids: ids of the first of them.
        shared_names: number of names shared by several people; known when the store is whole.

    Raises:
        InputError: if ``path`` can't be written or is something else.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        if self._path.exists() and self._path.stat().st_size and not is_store(self._path):
            raise InputError("is there and no store of people; name another -o.", str(self._path))
        self.written = self.empty = self.shared_names = 0
        self.empty_ids: list[str] = []
        self._statistics = FieldStatistics()
        self._numbers: dict[str, int] = {}
        self._words = 0
        try:
            self._folder = tempfile.TemporaryDirectory(
                dir=self._path.parent, prefix=".tacenda-people-"
            )
        except OSError as error:
            raise InputError(
                f"can't be written ({error.strerror}); name another -o.", str(self._path)
            ) from None
        folder = Path(self._folder.name)
        self._part = folder / "store"
        self._runs = Runs(folder)
        self._database = sqlite3.connect(self._part)
        self._database.executescript(TABLES)

    def __enter__(self) -> PeopleBuilder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._database.close()
            self._folder.cleanup()

    def add(self, person: Person, place: str = "") -> None:
        """Add a person.

        Raises:
            InputError: if the id is there already, or the store can't be written.
        """
        number = self.written
        fields = json.dumps(person.profile, ensure_ascii=False)
        try:
            self._execute(
                "INSERT INTO people VALUES (?, ?, ?, 0, 0, 0)", (number, person.id, person.name)
            )
        except sqlite3.IntegrityError:
            raise InputError(
                f"id {person.id!r} is there twice; give each person an id of their own, or name "
                "the field that holds one with --id-field.",
                place or str(self._path),
            ) from None
        self._execute("INSERT INTO profiles VALUES (?, ?)", (number, fields))
        self._statistics.add(person.profile)
        if not person.profile:
            self.empty += 1
            if len(self.empty_ids) < EXAMPLES:
                self.empty_ids.append(person.id)
        self.written += 1

    def _finish(self) -> None:
        if not self.written:
            raise InputError("no person was read, so there is no store.", str(self._path))
        kinds = self._statistics.kinds()
        self._database.executemany("INSERT INTO fields VALUES (?, ?)", kinds.items())
        self._count_words(kinds)
        names = list(self._numbers)
        self._database.executemany(
            "INSERT INTO terms VALUES (?, ?, ?, ?)",
            (
                (names[term], int(counts.sum(dtype=int)), people.tobytes(), counts.tobytes())
                for term, people, counts in self._runs.by_term(len(names))
            ),
        )
        facts = (("people", self.written), ("words", self._words), ("terms", len(names)))
        self._database.executemany("INSERT INTO facts VALUES (?, ?)", facts)
        self._execute("CREATE INDEX people_by_name ON people (name)")
        shared = "SELECT name FROM people WHERE name != '' GROUP BY name HAVING count(*) > 1"
        (self.shared_names,) = self._database.execute(f"SELECT count(*) FROM ({shared})").fetchone()
        try:
            self._database.commit()
            self._database.close()
            self._part.replace(self._path)
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"can't be written: {error}.", str(self._path)) from None

    def _count_words(self, kinds: Mapping[str, FieldKind]) -> None:
        """Gather the words of all profiles, as texts would say them, and the typed values."""
        rows = self._database.execute(
            "SELECT number, id, name, fields FROM people JOIN profiles USING (number) ORDER BY number"
        )
        facts = []
        for number, id, name, fields in rows:
            profile = [(key, value) for key, value in json.loads(fields)]
            counts = terms(Person(id, name, normalize(profile, kinds)))
            length = sum(counts.values())
            values = values_of(name, profile, kinds)
            for term, count in (counts | dict.fromkeys(values.keys, 1)).items():
                self._runs.add(self._numbers.setdefault(term, len(self._numbers)), number, count)
            self._words += length
            facts.append((length, values.first_year, values.last_year, number))
        update = "UPDATE people SET words = ?, first_year = ?, last_year = ? WHERE number = ?"
        self._database.executemany(update, facts)

    def _execute(self, statement: str, values: tuple[object, ...] = ()) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise InputError(
                f"can't be written: {error}; free its disk, and run it again.", str(self._path)
            ) from None
