"""Documents of projects: texts, what was found in them, and how far the review is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ...analysis import Analysis
from ...document import Document, Mention, SemanticType, Span
from ...errors import InputError
from .database import Database, Missing

_ROW = "id, project, name, format, declared, status, error, summary, revision"


class Status(StrEnum):
    """Whether a document can be reviewed yet."""

    WAITING = "waiting"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Summary:
    """What lists show of a document: numbers only.

    Attributes:
        entities: how many there are.
        decided: how many of them a person has confirmed or changed.
        masked: how many are masked.
        residual: expected number that need masking and are left.
        leaks: surface forms of masked entities that are left.
        done: whether somebody said that the document is reviewed.
    """

    entities: int = 0
    decided: int = 0
    masked: int = 0
    residual: float = 0.0
    leaks: int = 0
    done: bool = False

    def as_object(self) -> dict[str, float | bool]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document's row without its text."""

    id: int
    project: int
    name: str
    format: str
    declared: bool
    status: Status
    error: str
    summary: Summary
    revision: int


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document that comes in, with what its file says of it; see ``corpora.Record``."""

    document: Document
    format: str = "text"
    declared: bool = False


class Documents:
    """The table of documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, project: int, documents: Sequence[NewDocument]) -> None:
        """Put documents at the end of a project; all of them or, on an error, none."""
        rows = [
            (
                project,
                new.document.id,
                new.format,
                new.declared,
                json.dumps(new.document.target),
                new.document.text.encode("utf-8", "surrogatepass"),
                str(Status.WAITING),
            )
            for new in documents
        ]
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT INTO document (project, name, format, declared, target, text, status) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def get(self, id: int) -> StoredDocument:
        """Return a document's row.

        Raises:
            InputError: if there is none of that number.
        """
        rows = self._database.rows(f"SELECT {_ROW} FROM document WHERE id = ?", id)
        if not rows:
            raise Missing(f"there is no document {id!r}; see the list of its project.")
        return _row(rows[0])

    def of(self, project: int) -> list[StoredDocument]:
        """Return the documents of a project, in order."""
        rows = self._database.rows(
            f"SELECT {_ROW} FROM document WHERE project = ? ORDER BY id", project
        )
        return [_row(row) for row in rows]

    def text(self, id: int) -> Document:
        """Return a document with its text."""
        ((name, target, text),) = self._database.rows(
            "SELECT name, target, text FROM document WHERE id = ?", id
        )
        return Document(name, text.decode("utf-8", "surrogatepass"), tuple(json.loads(target)))

    def waiting(self, limit: int) -> list[int]:
        """Return the next documents to analyse."""
        rows = self._database.rows(
            "SELECT id FROM document WHERE status = ? ORDER BY id LIMIT ?",
            str(Status.WAITING),
            limit,
        )
        return [id for (id,) in rows]

    def analysed(self, id: int, analysis: Analysis, summary: Summary) -> None:
        """Keep what was found in a document; it is ready for review."""
        self._set(id, Status.READY, "", _mentions_to_json(analysis.mentions), summary)

    def failed(self, id: int, message: str) -> None:
        """Keep why a document can't be analysed."""
        self._set(id, Status.FAILED, message, None, Summary())

    def _set(
        self, id: int, status: Status, error: str, analysis: str | None, summary: Summary
    ) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE document SET status = ?, error = ?, analysis = ?, summary = ? WHERE id = ?",
                (str(status), error, analysis, json.dumps(summary.as_object()), id),
            )

    def analysis(self, id: int) -> Analysis:
        """Return what was found in a document.

        Raises:
            InputError: if it is not ready.
        """
        rows = self._database.rows("SELECT analysis FROM document WHERE id = ?", id)
        if not rows or rows[0][0] is None:
            raise InputError(f"document {id!r} is not analysed; wait until its project says so.")
        return Analysis(self.text(id), _mentions_from_json(rows[0][0]))


def _row(row: tuple[int, int, str, str, int, str, str, str | None, int]) -> StoredDocument:
    id, project, name, format, declared, status, error, summary, revision = row
    read = Summary(**json.loads(summary)) if summary else Summary()
    return StoredDocument(
        id, project, name, format, bool(declared), Status(status), error, read, revision
    )


def _mentions_to_json(mentions: Sequence[Mention]) -> str:
    return json.dumps(
        [
            [m.span.start, m.span.end, str(m.type), m.masking, m.direct, m.source, m.kind]
            for m in mentions
        ]
    )


def _mentions_from_json(text: str) -> tuple[Mention, ...]:
    return tuple(
        Mention(Span(start, end), SemanticType(type), masking, direct, source, kind)
        for start, end, type, masking, direct, source, kind in json.loads(text)
    )
