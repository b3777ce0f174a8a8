"""Documents into a local index: what is there already is left alone, what broke off goes on."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path
from types import TracebackType

from ....errors import InputError
from ....text.tokens import word_list
from .schema import open_for_writing

# What a crash loses is read again at the next run; larger transactions are hardly faster.
_CHARACTERS_A_TRANSACTION = 4_000_000


class IndexBuilder:
    """Adds documents to an index; a context manager.

    A source (a file) is begun, its documents are added, it is finished. Finishing forgets the
    documents of the source that were not added in this run: they are no longer in it.

    Args:
        path: the index; made where there is none.

    Attributes:
        written: documents that were new or had changed.
        unchanged: documents that were in the index as they are.
        forgotten: documents that are no longer in their source.

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
        # What was added before an interruption stays: the next run goes on behind it.
        self._database.commit()
        self._database.close()

    def begin(self, source: str) -> None:
        """Begin a source, named by its path."""
        self._execute(
            "INSERT INTO sources (name, complete) VALUES (?, 0) "
            "ON CONFLICT (name) DO UPDATE SET complete = 0",
            (_storable(source),),
        )
        query = "SELECT id FROM sources WHERE name = ?"
        (self._source,) = self._execute(query, (_storable(source),)).fetchone()

    def add(self, address: str, text: str) -> None:
        """Add a document of the source that was begun.

        Raises:
            InputError: if the index can't be written, for want of space or because it is locked.
        """
        address = _storable(address)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        query = "SELECT id, digest FROM documents WHERE address = ?"
        known = self._execute(query, (address,)).fetchone()
        if known and known[1] == digest:
            self._execute(
                "UPDATE documents SET run = ?, source = ? WHERE id = ?",
                (self._run, self._source, known[0]),
            )
            self.unchanged += 1
            return
        if known:
            self._execute("DELETE FROM texts WHERE rowid = ?", (known[0],))
            self._execute("DELETE FROM documents WHERE id = ?", (known[0],))
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
        """End the source that was begun, and forget what is no longer in it."""
        gone = "FROM documents WHERE source = ? AND run < ?"
        of_source = (self._source, self._run)
        self._execute(f"DELETE FROM texts WHERE rowid IN (SELECT id {gone})", of_source)
        self.forgotten += self._execute(f"DELETE {gone}", of_source).rowcount
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
    """Return a name that UTF-8 can hold; names of files need not be text."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
