"""The files that documents came from, byte for byte: what they are written back into."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from .database import Database, Missing


@dataclass(frozen=True, slots=True, eq=False)
class NewFile:
    """A file that comes in; equal to itself alone, for several documents may be in it.

    Attributes:
        name: as the user named it, without the folders it lies in.
        format: one of ``corpora.INPUT_FORMATS``, or ``json``.
        encoding: name of the codec that read it.
        content: its bytes.
    """

    name: str
    format: str
    encoding: str
    content: bytes


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file with its number; ``format`` and ``encoding`` as in ``NewFile``."""

    id: int
    name: str
    format: str
    encoding: str
    content: bytes


class Files:
    """The table of files; documents name theirs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, id: int) -> StoredFile:
        """Return a file.

        Raises:
            Missing: if there is none of that number.
        """
        rows = self._database.rows(
            "SELECT id, name, format, encoding, content FROM file WHERE id = ?", id
        )
        if not rows:
            raise Missing(f"there is no file {id!r}; open its project again.")
        return StoredFile(*rows[0])

    def bring(self, project: int, files: Sequence[NewFile | None]) -> None:
        """Give the documents of a project, in order, their files as they are now.

        The texts are the same, but the bytes need not be, and projects of an older version have
        none.
        """
        with self._database.transaction() as connection:
            known = connection.execute(
                "SELECT document.id, content FROM document LEFT JOIN file ON file.id = file "
                "WHERE document.project = ? ORDER BY document.id",
                (project,),
            ).fetchall()
            if [content for _, content in known] == [file and file.content for file in files]:
                return
            ids = add_files(connection, project, files)
            connection.executemany(
                "UPDATE document SET file = ? WHERE id = ?",
                [(id, row) for id, (row, _) in zip(ids, known, strict=True)],
            )
            connection.execute(
                "DELETE FROM file WHERE project = ? "
                "AND id NOT IN (SELECT file FROM document WHERE file IS NOT NULL)",
                (project,),
            )


def add_files(
    connection: sqlite3.Connection, project: int, files: Sequence[NewFile | None]
) -> list[int | None]:
    """Write each file once, inside a transaction; return the number of each place's file."""
    numbers: dict[int, int] = {}
    for file in files:
        if file is None or id(file) in numbers:
            continue
        cursor = connection.execute(
            "INSERT INTO file (project, name, format, encoding, content) VALUES (?, ?, ?, ?, ?)",
            (project, file.name, file.format, file.encoding, file.content),
        )
        numbers[id(file)] = int(cursor.lastrowid or 0)
    return [None if file is None else numbers[id(file)] for file in files]
