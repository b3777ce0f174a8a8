"""The store, read: who is in it, and which of them have a word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from .person import Person
from .schema import open_store

_SHOWN: Final = 5
_TERMS_KEPT: Final = 4096
"""Words whose people are kept in memory; documents share most of theirs."""


class Posting(NamedTuple):
    """The people who have a word, in order, and how often each; [people with it]."""

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

    Raises:
        InputError: if there is no store at ``path``.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._database = open_store(self.path)
        finalize(self, self._database.close)
        rows = self._database.execute("SELECT words FROM people ORDER BY number")
        self.lengths: NDArray[np.float64] = np.fromiter((n for (n,) in rows), dtype=np.float64)
        self.n_words = int(self.lengths.sum())
        self.posting = lru_cache(maxsize=_TERMS_KEPT)(self._posting)

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
        """Return a person with their profile."""
        id, name, fields = self._database.execute(
            "SELECT id, name, fields FROM people JOIN profiles USING (number) WHERE number = ?",
            (int(number),),
        ).fetchone()
        return Person(id, name, tuple((key, value) for key, value in json.loads(fields)))

    def names(self, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Return (id, name) of some people."""
        query = "SELECT id, name FROM people WHERE number = ?"
        return [self._database.execute(query, (int(n),)).fetchone() for n in numbers]

    def occurrences(self, term: str) -> int:
        """Return how often a word stands in all profiles together."""
        query = "SELECT occurrences FROM terms WHERE term = ?"
        row = self._database.execute(query, (term,)).fetchone()
        return int(row[0]) if row else 0

    def _posting(self, term: str) -> Posting:
        query = "SELECT people, counts FROM terms WHERE term = ?"
        row = self._database.execute(query, (term,)).fetchone() or (b"", b"")
        return Posting(np.frombuffer(row[0], np.int32), np.frombuffer(row[1], np.uint16))
