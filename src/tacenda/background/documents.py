"""Search back ends: they find the addresses of the documents that contain given strings."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol
from weakref import finalize

from ..errors import InputError, SearchError
from ..text.tokens import word_list

Part = tuple[str, ...]
"""Strings of which one suffices, the most telling one first; at least one."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query for pages that contain, for each part, one of its strings as a phrase.

    Attributes:
        parts: at least one; sorted, so that equal queries are equal values.
    """

    parts: tuple[Part, ...]

    @classmethod
    def of(cls, *parts: Part) -> Query:
        """Return the query for all ``parts`` together."""
        return cls(tuple(sorted(set(parts))))


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A hit of a query.

    Attributes:
        address: identifies the document or page.
        score: higher is better; comparable only within one answer.
    """

    address: str
    score: float


class SearchBackend(Protocol):
    """A search engine or an index.

    Attributes:
        name: its name in messages.
        exhaustive: whether fewer hits than requested are all there are, and every hit of a query is
            also a hit of each of its parts. True for an index, never for a web search engine. It
            lets the search for risky combinations skip queries whose answers are known.
    """

    name: str
    exhaustive: bool

    def search(self, query: Query, count: int) -> list[DocumentHit]:
        """Return up to ``count`` hits, best first.

        Raises:
            SearchError: if there is no answer; the message never contains the query.
        """
        ...


# An index of documents that an adversary may know, as a search back end (SQLite FTS5, bm25).


# A local index is an SQLite database with its own application id.
#
# Texts are stored as folded words (without case, diacritics and punctuation; one word per character
# in scripts without spaces), so that phrases are found however they were typeset. The database may
# contain other tables for other readers.


APPLICATION_ID = 0x7ACE1D0
VERSION = 1

_TABLES = f"""
    PRAGMA application_id = {APPLICATION_ID};
    PRAGMA user_version = {VERSION};
    CREATE TABLE IF NOT EXISTS sources (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, complete INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS documents (
        id INTEGER PRIMARY KEY,
        address TEXT NOT NULL UNIQUE,
        source INTEGER NOT NULL REFERENCES sources,
        digest BLOB NOT NULL,
        run INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS documents_by_source ON documents (source, run);
    CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (
        words, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
    );
"""


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open an index.

    Raises:
        InputError: if there is no file, or it is not an index of this version.
    """
    if not path.is_file():
        raise InputError("the index doesn't exist; create it with tacenda index build.", str(path))
    # Callers with several threads must query one at a time; see ``app.review.advisers``.
    address = f"{path.absolute().as_uri()}?mode=ro"
    return _checked(sqlite3.connect(address, uri=True, check_same_thread=False), path)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open an index, and create it if there is none.

    Raises:
        InputError: if it can't be created, or the file is something else.
    """
    is_new = not path.exists() or path.stat().st_size == 0
    try:
        database = sqlite3.connect(path)
        if is_new:
            database.executescript(_TABLES)
    except sqlite3.Error as error:
        raise InputError(f"can't be written: {error}; choose another path.", str(path)) from None
    return _checked(database, path)


def _checked(database: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    try:
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        application, version = 0, 0
    if application != APPLICATION_ID:
        database.close()
        raise InputError("is not a tacenda index; create one with tacenda index build.", str(path))
    if version != VERSION:
        database.close()
        raise InputError(
            f"is an index of version {version}, expected {VERSION}; build it again.",
            str(path),
        )
    return database


# Rank before joining: a word that is in half the documents must not cause all of them to be read.
_HITS = """
    SELECT documents.address, -found.rank {outer} FROM (
        SELECT rowid, rank {inner} FROM texts WHERE texts MATCH ? ORDER BY rank, rowid LIMIT ?
    ) AS found
    JOIN documents ON documents.id = found.rowid ORDER BY found.rank, found.rowid
"""


@dataclass(frozen=True, slots=True)
class IndexSize:
    """Size of an index; ``incomplete`` counts sources that were only partly read."""

    documents: int
    sources: int
    incomplete: int
    bytes: int


class LocalIndex:
    """An index built by ``IndexBuilder``, opened for queries.

    Args:
        path: the index file.
        without: addresses that the adversary is assumed not to know.

    Raises:
        InputError: if there is no index at ``path``.
    """

    name = "local index"
    exhaustive = True

    def __init__(self, path: str | Path, without: Collection[str] = ()) -> None:
        self._path = Path(path)
        self._database = open_for_reading(self._path)
        self._without = frozenset(without)
        # Closed along with the last reference, for callers that don't call ``close``.
        finalize(self, self._database.close)

    def search(self, query: Query, count: int) -> list[DocumentHit]:
        """Return the ``count`` best documents that contain a phrase of every part.

        Raises:
            SearchError: if the file is damaged or was removed.
        """
        rows = self._rows(_HITS.format(outer="", inner=""), query, count + len(self._without))
        hits = (DocumentHit(row[0], row[1]) for row in rows)
        return [hit for hit in hits if hit.address not in self._without][:count]

    def excerpts(self, query: Query, count: int) -> list[tuple[DocumentHit, str]]:
        """Return hits with the folded words around each match."""
        excerpt = ", snippet(texts, 0, '«', '»', ' … ', 16) AS excerpt"
        rows = self._rows(_HITS.format(outer=", found.excerpt", inner=excerpt), query, count)
        return [(DocumentHit(address, score), str(snippet)) for address, score, snippet in rows]

    def size(self) -> IndexSize:
        """Return how much the index contains."""
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
        """Return the SHA-256 of the addresses and documents in the index, in hexadecimal."""
        running = hashlib.sha256()
        try:
            query = "SELECT address, digest FROM documents ORDER BY address"
            for address, digest in self._database.execute(query):
                name = str(address).encode("utf-8", "surrogatepass")
                running.update(len(name).to_bytes(8, "big") + name + digest)
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
        return SearchError(f"{self.name} {self._path}: {type(error).__name__}; build it again.")


def _expression(query: Query) -> str:
    """Return the query in FTS5 syntax; empty if one of its parts has no word."""
    parts = []
    for part in query.parts:
        phrases = [" ".join(words) for string in part if (words := word_list(string))]
        if not phrases:
            return ""
        parts.append("(" + " OR ".join(f'"{phrase}"' for phrase in phrases) + ")")
    return " AND ".join(parts)


# Write documents into a local index: unchanged documents are left alone, and an interrupted run
# resumes.


# After a crash the next run reads what was lost; larger transactions are hardly faster.
_CHARACTERS_A_TRANSACTION = 4_000_000


class IndexBuilder:
    """Builds an index of documents; use it as a context manager.

    For each source (a file), call ``begin``, add its documents, and call ``finish``, which removes
    the documents that weren't added in this run, since they are no longer in the source.

    Args:
        path: the index; created if there is none.

    Attributes:
        written: number of new or changed documents.
        unchanged: number of documents already in the index.
        forgotten: number of documents no longer in their source.

    Raises:
        InputError: if ``path`` can't be written or is something else.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._database = open_for_writing(self._path)
        query = "SELECT coalesce(max(run), 0) + 1 FROM documents"
        (self._run,) = self._execute(query).fetchone()
        self._source = 0
        self._pending = 0
        self.written = 0
        self.unchanged = 0
        self.forgotten = 0

    def __enter__(self) -> IndexBuilder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # Documents added before an interruption stay; the next run continues after them.
        self._database.commit()
        self._database.close()

    def begin(self, source: str) -> None:
        """Begin a source, identified by its path."""
        self._execute(
            "INSERT INTO sources (name, complete) VALUES (?, 0) "
            "ON CONFLICT (name) DO UPDATE SET complete = 0",
            (_storable(source),),
        )
        query = "SELECT id FROM sources WHERE name = ?"
        (self._source,) = self._execute(query, (_storable(source),)).fetchone()

    def add(self, address: str, text: str) -> None:
        """Add a document from the current source.

        Raises:
            InputError: if the index can't be written, because it is locked or the disk is full.
        """
        address = _storable(address)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        query = "SELECT id, digest FROM documents WHERE address = ?"
        entry = self._execute(query, (address,)).fetchone()
        if entry and entry[1] == digest:
            self._execute(
                "UPDATE documents SET run = ?, source = ? WHERE id = ?",
                (self._run, self._source, entry[0]),
            )
            self.unchanged += 1
            return
        if entry:
            self._execute("DELETE FROM texts WHERE rowid = ?", (entry[0],))
            self._execute("DELETE FROM documents WHERE id = ?", (entry[0],))
        row = self._execute(
            "INSERT INTO documents (address, source, digest, run) VALUES (?, ?, ?, ?)",
            (address, self._source, digest, self._run),
        ).lastrowid
        words = " ".join(word_list(text))
        self._execute("INSERT INTO texts (rowid, words) VALUES (?, ?)", (row, words))
        self.written += 1
        self._pending += len(text)
        if self._pending > _CHARACTERS_A_TRANSACTION:
            self._database.commit()
            self._pending = 0

    def finish(self) -> None:
        """End the current source, and remove its documents that are no longer in it."""
        clause = "FROM documents WHERE source = ? AND run < ?"
        of_source = (self._source, self._run)
        self._execute(f"DELETE FROM texts WHERE rowid IN (SELECT id {clause})", of_source)
        self.forgotten += self._execute(f"DELETE {clause}", of_source).rowcount
        self._execute("UPDATE sources SET complete = 1 WHERE id = ?", (self._source,))
        self._database.commit()

    def _execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._database.execute(statement, values)
        except sqlite3.Error as error:
            raise InputError(
                f"can't be written: {error}; free the file or its disk, and run it again.",
                str(self._path),
            ) from None


def _storable(name: str) -> str:
    """Return a name in valid UTF-8, since file names needn't be text."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
