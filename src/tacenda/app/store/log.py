"""The append-only log of changes, with optimistic locking."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import InputError
from ..review.change import Change
from ..review.history import Entry
from .database import Database, Missing
from .documents import Summary
from .moment import now


class Stale(InputError):
    """Somebody else has changed the document since the revision that a change was made for.

    Attributes:
        since: what they did.
    """

    def __init__(self, seen: int, revision: int, since: Sequence[Entry]) -> None:
        super().__init__(
            f"the change was made for revision {seen} of the document, which is at revision "
            f"{revision}; look at it again."
        )
        self.since = tuple(since)


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A line to write; see ``Entry``."""

    person: str
    change: Change | None = None
    undoes: int | None = None
    redoes: int | None = None
    batch: str = ""


class Log:
    """The log of all documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, document: int) -> list[Entry]:
        """Return a document's log, in order."""
        rows = self._database.rows(
            "SELECT id, person, at, change, undoes, redoes, batch FROM log "
            "WHERE document = ? ORDER BY id",
            document,
        )
        return [
            Entry(id, person, at, Change.of(json.loads(change)) if change else None, *rest)
            for id, person, at, change, *rest in rows
        ]

    def append(self, document: int, seen: int, entry: NewEntry, summary: Summary) -> int:
        """Write a line and the summary that it leads to; return the new revision.

        Both are on disk when this returns.

        Raises:
            Stale: if the document is at another revision than ``seen``.
        """
        with self._database.transaction() as connection:
            changed = connection.execute(
                "UPDATE document SET revision = revision + 1, summary = ? "
                "WHERE id = ? AND revision = ?",
                (json.dumps(summary.as_object()), document, seen),
            )
            if changed.rowcount:
                change = entry.change and json.dumps(entry.change.as_object())
                connection.execute(
                    "INSERT INTO log (document, person, at, batch, change, undoes, redoes) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        document,
                        entry.person,
                        now(),
                        entry.batch,
                        change,
                        entry.undoes,
                        entry.redoes,
                    ),
                )
                return seen + 1
        self.check(document, seen)
        raise Missing(f"there is no document {document!r}; see the list of its project.")

    def check(self, document: int, seen: int) -> None:
        """Raise ``Stale`` unless the document is at revision ``seen``."""
        for (revision,) in self._database.rows(
            "SELECT revision FROM document WHERE id = ?", document
        ):
            if revision != seen:
                raise Stale(seen, revision, self.of(document)[max(0, seen) :])
