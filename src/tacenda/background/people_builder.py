"""Write people into a store while they are read; their words are sorted on disk."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .normalization import FieldKind, FieldStatistics, normalize_profile
from .people import TABLES, is_store
from .profiles import Person, terms
from .values import values_of

# The words of people take more rows than should be in memory, so they are sorted in runs on disk.
#
# External sorting: rows are collected in memory and written as a run sorted by word; at the end the
# runs are merged, one range of words at a time.


ROWS_A_RUN: Final = 4_000_000
"""Rows held in memory: 40 MB, and again while they are sorted."""

_ROW = np.dtype([("term", np.int32), ("person", np.int32), ("count", np.uint16)])
_MOST: Final = np.iinfo(np.uint16).max


class Runs:
    """Rows (word, person, count) that are added in order of people and read in order of words.

    Args:
        folder: where to put the runs; the caller removes it.
        rows_a_run: number of rows kept in memory.
    """

    def __init__(self, folder: Path, rows_a_run: int = ROWS_A_RUN) -> None:
        self._folder = folder
        self._rows_a_run = rows_a_run
        self._runs: list[Path] = []
        self._clear()

    def add(self, term: int, person: int, count: int) -> None:
        """Add a row; counts are capped at 65,535."""
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
            # At least one word, however many people have it.
            last = max(first + 1, int(np.searchsorted(totals, offset + self._rows_a_run)))
            parts = [
                run[(int(end[first - 1]) if first else 0) : int(end[last - 1])]
                for run, end in zip(runs, ends, strict=True)
            ]
            rows = np.concatenate(parts)
            # Runs are in order of people, so a stable sort keeps people in order.
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


# People are streamed into a store: each person is written when read, and words are sorted on disk.
# The kind of a field is known only after all people were read, so profiles are then read again for
# their words.


EXAMPLES: Final = 3
"""How many ids are named of what is found many times."""


class PeopleBuilder:
    """Builds a new store; use it as a context manager. The file gets its final name once it is complete.

    Args:
        path: the store. An existing store is replaced; any other file isn't.

    Attributes:
        written: number of people written.
        empty: number of people whose profile has no words other than their name.
        empty_ids: ids of the first few of them.
        shared_names: number of names shared by several people; known once the store is complete.

    Raises:
        InputError: if ``path`` can't be written or is something else.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        if self._path.exists() and self._path.stat().st_size and not is_store(self._path):
            raise InputError(
                "exists and is not a store of people; choose another -o.", str(self._path)
            )
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
            InputError: if the id is already in the store, or the store can't be written.
        """
        number = self.written
        fields = json.dumps(person.profile, ensure_ascii=False)
        try:
            self._execute(
                "INSERT INTO people VALUES (?, ?, ?, 0, 0, 0)", (number, person.id, person.name)
            )
        except sqlite3.IntegrityError:
            raise InputError(
                f"id {person.id!r} occurs twice; ids must be unique: name the field that "
                "contains them with --id-field.",
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
            raise InputError("no people were read, so no store was written.", str(self._path))
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
        """Collect the words of all profiles, worded as texts would, and the typed values."""
        rows = self._database.execute(
            "SELECT number, id, name, fields FROM people JOIN profiles USING (number) ORDER BY number"
        )
        facts = []
        for number, id, name, fields in rows:
            profile = [(key, value) for key, value in json.loads(fields)]
            counts = terms(Person(id, name, normalize_profile(profile, kinds)))
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
