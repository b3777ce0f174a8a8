"""Who read and changed what, when: a log that only grows, without any text."""

from __future__ import annotations

from dataclasses import dataclass

from .database import Database
from .moment import now


@dataclass(frozen=True, slots=True)
class AccessEntry:
    """Something that was done.

    Attributes:
        id: running.
        at: ISO 8601, UTC.
        person: name of the key.
        action: method and address without ids, such as ``GET /documents/{id}``.
        object: handle of the project or document.
    """

    id: int
    at: str
    person: str
    action: str
    object: str


class Accesses:
    """The table of accesses."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, person: str, action: str, object: str) -> None:
        """Write a line; it is on disk when this returns."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO access (at, person, action, object) VALUES (?, ?, ?, ?)",
                (now(), person, action, object),
            )

    def latest(self, limit: int, before: int | None = None) -> list[AccessEntry]:
        """Return lines, the latest first; those before a line's id, if one is given."""
        rows = self._database.rows(
            "SELECT id, at, person, action, object FROM access WHERE ? IS NULL OR id < ? "
            "ORDER BY id DESC LIMIT ?",
            before,
            before,
            limit,
        )
        return [AccessEntry(*row) for row in rows]
