"""People into a store, streamed: a person is written when read, words are sorted on disk."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Final

from ...errors import InputError
from .person import Person
from .runs import Runs
from .schema import TABLES, is_store
from .terms import terms

EXAMPLES: Final = 3
"""How many ids are named of what is found many times."""


class PeopleBuilder:
    """Builds a store anew; a context manager. The store has its name when it is whole.

    Args:
        path: the store. One that is there is replaced, anything else is not.

    Attributes:
        written: how many people it has.
        empty: how many of them have no word but those of their name.
        empty_ids: the first of those.
        shared_names: how many names several people have; known when the store is whole.

    Raises:
        InputError: if ``path`` can't be written or is something else.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        if self._path.exists() and self._path.stat().st_size and not is_store(self._path):
            raise InputError("is there and no store of people; name another -o.", str(self._path))
        self.written = self.empty = self.shared_names = 0
        self.empty_ids: list[str] = []
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
        found = terms(person)
        length = sum(found.values())
        fields = json.dumps(person.profile, ensure_ascii=False)
        try:
            self._execute(
                "INSERT INTO people VALUES (?, ?, ?, ?)", (number, person.id, person.name, length)
            )
        except sqlite3.IntegrityError:
            raise InputError(
                f"id {person.id!r} is there twice; give each person an id of their own, or name "
                "the field that holds one with --id-field.",
                place or str(self._path),
            ) from None
        self._execute("INSERT INTO profiles VALUES (?, ?)", (number, fields))
        for term, count in found.items():
            self._runs.add(self._numbers.setdefault(term, len(self._numbers)), number, count)
        if not person.profile:
            self.empty += 1
            if len(self.empty_ids) < EXAMPLES:
                self.empty_ids.append(person.id)
        self._words += length
        self.written += 1

    def _finish(self) -> None:
        if not self.written:
            raise InputError("no person was read, so there is no store.", str(self._path))
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

    def _execute(self, statement: str, values: tuple[object, ...] = ()) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise InputError(
                f"can't be written: {error}; free its disk, and run it again.", str(self._path)
            ) from None
