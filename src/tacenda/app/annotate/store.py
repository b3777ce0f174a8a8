"""Documents, annotators and events on disk: append-only, in ``synchronous=FULL``.

What an annotator does in a document is a log of its own; its length is the revision that whoever
adds to it must have seen.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ...errors import InputError
from ..store.database import Database, Missing
from ..store.moment import now
from .change import Act
from .marks import UNMARKED, Marks, marks_as_object, marks_of
from .schema import SCHEMA


class Flow(StrEnum):
    """What the annotators of a project do."""

    TAB = "tab"
    REPLACEMENT = "replacement"


class Late(InputError):
    """The annotation has changed since the revision that an act was made for."""


@dataclass(frozen=True, slots=True)
class Source:
    """A document to annotate.

    Attributes:
        id: its number; 0 before it is stored.
        name: ``doc_id``.
        text: the original.
        split: TAB's ``dataset_type``.
        target: names of the person to protect.
        marks: what is marked before anybody begins.
    """

    name: str
    text: str = field(repr=False)
    split: str = ""
    target: tuple[str, ...] = field(default=(), repr=False)
    marks: Marks = UNMARKED
    id: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """A line of an annotation's log: an act, or an earlier line taken back or brought back."""

    id: int
    person: str
    at: str
    change: Act | None
    undoes: int | None = None
    redoes: int | None = None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A line to write; see ``Event``."""

    person: str
    change: Act | None = None
    undoes: int | None = None
    redoes: int | None = None


class AnnotationStore:
    """An annotation project, in one SQLite file.

    Args:
        path: the file; made if it is not there.

    Raises:
        StoreError: if it is something else.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, SCHEMA)

    def begin(self, flow: Flow | None, annotators: Sequence[str]) -> Flow:
        """Make the project, or go on with it; annotators that are new to it join. Return its flow.

        Args:
            flow: None for the one it has, or *tab* for a new one.
            annotators: their names.

        Raises:
            InputError: if it has another flow.
        """
        with self._database.transaction() as connection:
            known = connection.execute("SELECT flow FROM project").fetchone()
            if known is None:
                chosen = flow or Flow.TAB
                connection.execute("INSERT INTO project VALUES (?, ?)", (str(chosen), now()))
            else:
                chosen = Flow(known[0])
            if flow not in (None, chosen):
                raise InputError(
                    f"the project's flow is {str(chosen)!r}, not {str(flow)!r}; choose another "
                    "file with --project."
                )
            connection.executemany(
                "INSERT INTO annotator (name) VALUES (?) ON CONFLICT DO NOTHING",
                [(name,) for name in annotators],
            )
        return chosen

    def annotators(self) -> tuple[str, ...]:
        """Return the names of all annotators, in the order they joined."""
        return tuple(
            name for (name,) in self._database.rows("SELECT name FROM annotator ORDER BY id")
        )

    def add(self, sources: Sequence[Source]) -> int:
        """Add the documents that are not there yet; return how many. All of them or, on an error, none.

        Raises:
            InputError: if one has the name of another one with another text.
        """
        added = 0
        with self._database.transaction() as connection:
            for source in sources:
                name, text = _bytes(source.name), _bytes(source.text)
                found = connection.execute(
                    "SELECT text FROM document WHERE name = ?", (name,)
                ).fetchone()
                if found is None:
                    added += 1
                    marks = json.dumps(marks_as_object(source.marks))
                    values = (name, source.split, json.dumps(source.target), text, marks)
                    connection.execute(
                        "INSERT INTO document (name, split, target, text, marks) "
                        "VALUES (?, ?, ?, ?, ?)",
                        values,
                    )
                elif found[0] != text:
                    raise InputError(
                        "the project has another text of that name; rename it, or choose another "
                        "file with --project.",
                        source.name,
                    )
        return added

    def documents(self) -> list[int]:
        """Return the numbers of all documents, in order."""
        return [id for (id,) in self._database.rows("SELECT id FROM document ORDER BY id")]

    def source(self, id: int) -> Source:
        """Return a document; it never changes.

        Raises:
            Missing: if there is none of that number.
        """
        rows = self._database.rows(
            "SELECT name, text, split, target, marks FROM document WHERE id = ?", id
        )
        if not rows:
            raise Missing(f"there is no document {id!r}; see the list.")
        name, text, split, target, marks = rows[0]
        return Source(
            _text(name),
            _text(text),
            split,
            tuple(json.loads(target)),
            marks_of(json.loads(marks)),
            id,
        )

    def revision(self, document: int, annotator: str) -> int:
        """Return the length of an annotation's log."""
        ((length,),) = self._database.rows(
            "SELECT count(*) FROM event JOIN annotator ON annotator.id = event.annotator "
            "WHERE document = ? AND name = ?",
            document,
            annotator,
        )
        return int(length)

    def events(self, document: int, annotator: str) -> tuple[Event, ...]:
        """Return an annotation's log, in order."""
        rows = self._database.rows(
            "SELECT event.id, person, at, act, undoes, redoes FROM event "
            "JOIN annotator ON annotator.id = event.annotator "
            "WHERE document = ? AND name = ? ORDER BY number",
            document,
            annotator,
        )
        return tuple(
            Event(id, person, at, Act.of(json.loads(act)) if act else None, undoes, redoes)
            for id, person, at, act, undoes, redoes in rows
        )

    def append(self, document: int, annotator: str, seen: int, event: NewEvent) -> int:
        """Write a line; it is on disk when this returns. Return the new revision.

        Raises:
            Late: if the log is not of length ``seen``.
        """
        act = event.change and json.dumps(event.change.as_object())
        try:
            with self._database.transaction() as connection:
                # The number is unique in its log: of two writers for one revision one is late.
                if self.revision(document, annotator) != seen:
                    raise sqlite3.IntegrityError
                connection.execute(
                    "INSERT INTO event (document, annotator, number, person, at, act, undoes, "
                    "redoes) SELECT ?, id, ?, ?, ?, ?, ?, ? FROM annotator WHERE name = ?",
                    (
                        document,
                        seen + 1,
                        event.person,
                        now(),
                        act,
                        event.undoes,
                        event.redoes,
                        annotator,
                    ),
                )
        except sqlite3.IntegrityError:
            raise Late(
                f"revision {seen} of the annotation is not the latest; look at it again."
            ) from None
        return seen + 1

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
