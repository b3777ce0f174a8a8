"""An index of documents that an adversary could know, as a search back end (SQLite FTS5, bm25)."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import finalize

from ....errors import SearchError
from ....queries import Hit, Query
from ....text.tokens import word_list
from .schema import open_for_reading

# Ranked before they are joined: a word of half the documents must not read them all.
_HITS = """
    SELECT documents.address, -found.rank {outer} FROM (
        SELECT rowid, rank {inner} FROM texts WHERE texts MATCH ? ORDER BY rank, rowid LIMIT ?
    ) AS found
    JOIN documents ON documents.id = found.rowid ORDER BY found.rank, found.rowid
"""


@dataclass(frozen=True, slots=True)
class IndexSize:
    """What an index holds; ``incomplete`` counts sources whose reading broke off."""

    documents: int
    sources: int
    incomplete: int
    bytes: int


class LocalIndex:
    """Searches an index made by ``IndexBuilder``.

    Args:
        path: the index.
        without: addresses that the adversary is taken not to know.

    Raises:
        InputError: if there is none at ``path``.
    """

    name = "local index"
    exhaustive = True

    def __init__(self, path: str | Path, without: Collection[str] = ()) -> None:
        self._path = Path(path)
        self._database = open_for_reading(self._path)
        self._without = frozenset(without)
        # Closed with the last reference, for those who don't call close.
        finalize(self, self._database.close)

    def search(self, query: Query, count: int) -> list[Hit]:
        """Return the ``count`` best documents that hold a phrase of every part.

        Raises:
            SearchError: if the file is damaged or was taken away.
        """
        rows = self._rows(_HITS.format(outer="", inner=""), query, count + len(self._without))
        hits = (Hit(row[0], row[1]) for row in rows)
        return [hit for hit in hits if hit.address not in self._without][:count]

    def excerpts(self, query: Query, count: int) -> list[tuple[Hit, str]]:
        """Return hits with the folded words around what was found."""
        excerpt = ", snippet(texts, 0, '«', '»', ' … ', 16) AS excerpt"
        rows = self._rows(_HITS.format(outer=", found.excerpt", inner=excerpt), query, count)
        return [(Hit(address, score), str(shown)) for address, score, shown in rows]

    def size(self) -> IndexSize:
        """Return how much the index holds."""
        try:
            execute = self._database.execute
            (documents,) = execute("SELECT count(*) FROM documents").fetchone()
            (sources,) = execute("SELECT count(*) FROM sources").fetchone()
            query = "SELECT count(*) FROM sources WHERE NOT complete"
            (incomplete,) = execute(query).fetchone()
        except sqlite3.Error as error:
            raise self._failed(error) from None
        return IndexSize(documents, sources, incomplete, self._path.stat().st_size)

    def digest(self) -> str:
        """Return the SHA-256 of the addresses and documents that it holds, in hexadecimal."""
        running = hashlib.sha256()
        try:
            query = "SELECT address, digest FROM documents ORDER BY address"
            for address, digest in self._database.execute(query):
                named = str(address).encode("utf-8", "surrogatepass")
                running.update(len(named).to_bytes(8, "big") + named + digest)
        except sqlite3.Error as error:
            raise self._failed(error) from None
        return running.hexdigest()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _rows(self, statement: str, query: Query, count: int) -> list[tuple[Any, ...]]:
        expression = _expression(query)
        if not expression:
            return []
        try:
            return self._database.execute(statement, (expression, count)).fetchall()
        except sqlite3.Error as error:
            raise self._failed(error) from None

    def _failed(self, error: sqlite3.Error) -> SearchError:
        return SearchError(f"{self.name} {self._path}: {type(error).__name__}; build it anew.")


def _expression(query: Query) -> str:
    """Return the query in the syntax of FTS5; empty if a part of it has no word."""
    parts = []
    for part in query.parts:
        phrases = [" ".join(found) for string in part if (found := word_list(string))]
        if not phrases:
            return ""
        parts.append("(" + " OR ".join(f'"{phrase}"' for phrase in phrases) + ")")
    return " AND ".join(parts)
