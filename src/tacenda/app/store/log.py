"""The event log of a document: append-only, with optimistic locking, undo and redo.

Reviews and annotations share one log. A *stream* is its part for one document under review, or for
one annotator's annotation of a document. Nothing in a stream ever changes: undo and redo are
entries, too. A stream's length is its revision, and every entry is appended for a given revision.

    entries ─ in_force ─▶ events in force, in order ─ replay (of the domain) ─▶ state

People can only undo their own events.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...errors import InputError
from ..events import Event
from .database import NotFound, ProjectDatabase, now


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of a stream.

    Attributes:
        id: number in the log, increasing.
        person: its author.
        at: time, ISO 8601 in UTC.
        event: the event; None for undo and redo.
        undoes: id of the entry it undoes.
        redoes: id of the entry it redoes.
        batch: id shared by one command's events in several documents; may be empty.
    """

    id: int
    person: str
    at: str
    event: Event | None
    undoes: int | None = None
    redoes: int | None = None
    batch: str = ""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to append; see ``LogEntry``."""

    person: str
    event: Event | None = None
    undoes: int | None = None
    redoes: int | None = None
    batch: str = ""

    def after(self, entries: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
        """Return the stream with this entry appended, to replay it before it is stored."""
        id = entries[-1].id + 1 if entries else 1
        return (*entries, LogEntry(id, self.person, "", self.event, self.undoes, self.redoes))


class RevisionConflict(InputError):
    """The stream has grown since the revision of an event.

    Attributes:
        since: the entries since.
    """

    def __init__(self, expected: int, revision: int, since: Sequence[LogEntry]) -> None:
        super().__init__(
            f"the change was made for revision {expected} of the document, which is at revision "
            f"{revision}; look at it again."
        )
        self.since = tuple(since)


class EventLog:
    """The streams of all documents."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def entries(self, document: int, annotator: str = "") -> tuple[LogEntry, ...]:
        """Return the entries of a stream, in order.

        Args:
            document: its number.
            annotator: author of the annotation; empty for a review.
        """
        rows = self._database.rows(
            "SELECT id, person, at, event, undoes, redoes, batch FROM log "
            "WHERE document = ? AND annotator = ? ORDER BY id",
            document,
            annotator,
        )
        return tuple(
            LogEntry(id, person, at, Event.of(json.loads(event)) if event else None, *rest)
            for id, person, at, event, *rest in rows
        )

    def revision(self, document: int, annotator: str = "") -> int:
        """Return the length of a stream.

        Raises:
            NotFound: if there is no such document.
        """
        rows = self._database.rows(
            "SELECT (SELECT count(*) FROM log WHERE log.document = document.id AND annotator = ?) "
            "FROM document WHERE id = ?",
            annotator,
            document,
        )
        if not rows:
            raise NotFound(f"document {document!r} does not exist; see the list of its project.")
        return int(rows[0][0])

    def append(self, document: int, expected: int, entry: NewEntry, annotator: str = "") -> int:
        """Append an entry, which is then on disk, and return the new revision.

        Inside a transaction, it is on disk with the transaction.

        Raises:
            RevisionConflict: if the stream isn't at revision ``expected``.
            NotFound: if the document is unknown.
        """
        event = entry.event and json.dumps(entry.event.as_object())
        values = (entry.person, now(), entry.batch, event, entry.undoes, entry.redoes)
        with self._database.transaction() as connection:
            self.check(document, expected, annotator)
            connection.execute(
                "INSERT INTO log (document, annotator, person, at, batch, event, undoes, redoes) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (document, annotator, *values),
            )
        return expected + 1

    def check(self, document: int, expected: int, annotator: str = "") -> None:
        """Raise ``RevisionConflict`` unless a stream is at revision ``expected``."""
        revision = self.revision(document, annotator)
        if revision != expected:
            since = self.entries(document, annotator)[max(0, expected) :]
            raise RevisionConflict(expected, revision, since)


def in_force(entries: Iterable[LogEntry]) -> tuple[LogEntry, ...]:
    """Return the entries in force, in order: those made and not undone."""
    standing: dict[int, LogEntry] = {}
    undone: dict[int, LogEntry] = {}
    for entry in entries:
        if entry.event is not None:
            standing[entry.id] = entry
        elif entry.undoes is not None and entry.undoes in standing:
            undone[entry.undoes] = standing.pop(entry.undoes)
        elif entry.redoes is not None and entry.redoes in undone:
            standing[entry.redoes] = undone.pop(entry.redoes)
    return tuple(sorted(standing.values(), key=lambda entry: entry.id))


def events_in_force(entries: Iterable[LogEntry]) -> list[tuple[str, Event]]:
    """Return the person and event of each entry in force, in order."""
    return [(entry.person, entry.event) for entry in in_force(entries) if entry.event is not None]


def step_entry(entries: Sequence[LogEntry], person: str, *, redo: bool) -> NewEntry | None:
    """Return the entry of an undo or redo, or None if there is nothing to undo or redo."""
    return (redo_entry if redo else undo_entry)(entries, person)


def undo_entry(entries: Sequence[LogEntry], person: str) -> NewEntry | None:
    """Return the entry that undoes the person's latest event in force, or None if there is none."""
    ids = [entry.id for entry in in_force(entries) if entry.person == person]
    return NewEntry(person, undoes=ids[-1]) if ids else None


def redo_entry(entries: Sequence[LogEntry], person: str) -> NewEntry | None:
    """Return the entry that redoes the person's latest undone event, or None after a new event."""
    undone: list[int] = []
    for entry in entries:
        if entry.person != person:
            continue
        if entry.event is not None:
            undone.clear()
        elif entry.undoes is not None:
            undone.append(entry.undoes)
        elif undone:
            undone.pop()
    return NewEntry(person, redoes=undone[-1]) if undone else None
