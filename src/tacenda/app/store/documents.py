"""Documents of projects and their files: texts, mentions, review progress.

Files are kept byte for byte, since documents are written back into them.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ...deciding import Analysis
from ...document import Document, Mention, MentionSource, SemanticType, Span
from ...errors import InputError
from ...models.language_profiles import ENGLISH
from ...models.text_language import foreign_parts
from .database import NotFound, ProjectDatabase, from_column, to_column
from .deliveries import announce

_DENY = re.compile(r"deny\[(\d+)\]")


@dataclass(frozen=True, slots=True, eq=False)
class NewFile:
    """An input file; compared by identity, since it may contain several documents.

    Attributes:
        name: the user's name for it, without folders.
        format: one of ``documents.FORMATS``, or ``json``.
        encoding: name of its codec.
        content: its bytes.
        columns: text columns of a table or of records; empty for the usual one.
        kept: its other columns to keep, except for values of masked people.
    """

    name: str
    format: str
    encoding: str
    content: bytes
    columns: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file with its number; otherwise like ``NewFile``."""

    id: int
    name: str
    format: str
    encoding: str
    content: bytes
    columns: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


class Files:
    """The table of files, which documents refer to."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def get(self, id: int) -> StoredFile:
        """A file.

        Raises:
            NotFound: if the number is unknown.
        """
        rows = self._database.rows(
            "SELECT id, name, format, encoding, content, columns FROM file WHERE id = ?", id
        )
        if not rows:
            raise NotFound(f"file {id!r} does not exist; reload its project.")
        number, name, format, encoding, content, columns = rows[0]
        names = map(tuple, json.loads(columns))
        return StoredFile(number, from_column(name), format, encoding, content, *names)

    def bring(self, project: int, files: Sequence[NewFile | None]) -> None:
        """Update the files of a project's documents, which are given in order.

        The texts are the same, but the bytes may differ.
        """
        with self._database.transaction() as connection:
            rows = connection.execute(
                "SELECT id, file FROM document WHERE project = ? ORDER BY id", (project,)
            ).fetchall()
            # Each file once, since a table has many documents.
            contents: dict[int | None, bytes | None] = {None: None} | dict(
                connection.execute("SELECT id, content FROM file WHERE project = ?", (project,))
            )
            if [contents[id] for _, id in rows] == [file and file.content for file in files]:
                return
            ids = add_files(connection, project, files)
            # Earlier findings don't apply to the new files.
            connection.execute("DELETE FROM beside WHERE project = ?", (project,))
            connection.executemany(
                "UPDATE document SET file = ? WHERE id = ?",
                [(id, row) for id, (row, _) in zip(ids, rows, strict=True)],
            )
            connection.execute(
                "DELETE FROM file WHERE project = ? "
                "AND id NOT IN (SELECT file FROM document WHERE file IS NOT NULL)",
                (project,),
            )


def add_files(
    connection: sqlite3.Connection, project: int, files: Sequence[NewFile | None]
) -> list[int | None]:
    """Write each file once, inside a transaction, and return the file number for each place."""
    numbers: dict[int, int] = {}
    for file in files:
        if file is None or id(file) in numbers:
            continue
        cursor = connection.execute(
            "INSERT INTO file (project, name, format, encoding, content, columns) VALUES (?, ?, ?, ?, ?, ?)",
            (
                project,
                to_column(file.name),
                file.format,
                file.encoding,
                file.content,
                json.dumps([file.columns, file.kept]),
            ),
        )
        numbers[id(file)] = int(cursor.lastrowid or 0)
    return [None if file is None else numbers[id(file)] for file in files]


ROW = (
    "id, project, name, format, declared, status, error, summary, revision, file, notes, handle, "
    "assignee"
)
"""The columns of ``stored``, besides the place."""
_PLACE = (
    "(SELECT count(*) FROM document AS earlier WHERE earlier.project = document.project "
    "AND earlier.id <= document.id)"
)


_CHANGED = (
    "version = (SELECT max(version) + 1 FROM document AS other "
    "WHERE other.project = document.project)"
)
"""Assignment that makes a row newer than all others of the project."""


class Status(StrEnum):
    """The stage of a document's analysis."""

    WAITING = "waiting"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """The summary of a document for lists, with numbers only.

    Attributes:
        entities: number of entities.
        decided: number of entities confirmed or changed by a person.
        masked: number of masked entities.
        doubtful: number of kept entities that block a release.
        before: expected number of entities in need of masking.
        residual, kept_by_people: expected number of kept entities in need of masking, kept by
            others and by a person's decision.
        kept_by_policy: part of ``residual`` that the policy keeps on purpose.
        leaks: remaining surface forms of masked entities.
        accepted: those that a person says aren't leaks.
        together: unbroken combinations.
        done: whether the document is at least reviewed.
        stage: its stage; see ``review.sign_off``.
        reviewed_by, approved_by: who signed off, if that still holds.
        reset_by: who changed it after a sign-off; otherwise empty.
    """

    entities: int = 0
    decided: int = 0
    masked: int = 0
    doubtful: int = 0
    before: float = 0.0
    residual: float = 0.0
    kept_by_people: float = 0.0
    kept_by_policy: float = 0.0
    leaks: int = 0
    accepted: int = 0
    together: int = 0
    done: bool = False
    stage: str = "open"
    reviewed_by: str = ""
    approved_by: str = ""
    reset_by: str = ""

    def as_object(self) -> dict[str, float | bool | str]:
        """Return the summary as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document's row without its text.

    Attributes:
        file: number of its file, or None if it came as text.
        notes: remarks on the reading of the file.
        handle: unguessable id in addresses.
        place: its number in the project, from 1.
        assignee: name of the reviewer's key; empty for nobody.
    """

    id: int
    project: int
    name: str
    format: str
    declared: bool
    status: Status
    error: str
    summary: DocumentSummary
    revision: int
    file: int | None = None
    notes: tuple[str, ...] = ()
    handle: str = ""
    place: int = 0
    assignee: str = ""


@dataclass(frozen=True, slots=True)
class NewDocument:
    """An input document with its file's metadata; see ``documents.record.SourceDocument``."""

    document: Document
    format: str = "text"
    declared: bool = False
    file: NewFile | None = None
    notes: tuple[str, ...] = ()


class Documents:
    """The table of documents."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def add(self, project: int, documents: Sequence[NewDocument]) -> None:
        """Add documents at the end of a project: all of them or, on an error, none."""
        rows = [
            (
                project,
                to_column(new.document.id),
                new.format,
                new.declared,
                json.dumps(new.document.target),
                new.document.text.encode("utf-8", "surrogatepass"),
                str(Status.WAITING),
                json.dumps(new.notes),
                new.document.subject,
                new.document.language,
            )
            for new in documents
        ]
        with self._database.transaction() as connection:
            files = add_files(connection, project, [new.file for new in documents])
            connection.executemany(
                "INSERT INTO document (project, name, format, declared, target, text, status, "
                "notes, person, language, file, handle) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, new_handle())",
                [(*row, file) for row, file in zip(rows, files, strict=True)],
            )

    def get(self, id: int) -> StoredDocument:
        """Return a document's row.

        Raises:
            InputError: if the number is unknown.
        """
        rows = self._database.rows(f"SELECT {ROW}, {_PLACE} FROM document WHERE id = ?", id)
        if not rows:
            raise NotFound(f"document {id!r} does not exist; see the list of its project.")
        return stored(rows[0])

    def of(self, project: int) -> list[StoredDocument]:
        """Return the documents of a project, in order."""
        rows = self._database.rows(
            f"SELECT {ROW}, row_number() OVER (ORDER BY id) FROM document WHERE project = ? "
            "ORDER BY id",
            project,
        )
        return [stored(row) for row in rows]

    def containing(self, project: int, string: str) -> list[tuple[int, str]]:
        """Return the numbers and names of a project's analyzed documents that contain a string, in order."""
        rows = self._database.rows(
            "SELECT id, name FROM document WHERE project = ? AND status = 'ready' AND instr(text, ?) "
            "ORDER BY id",
            project,
            string.encode("utf-8", "surrogatepass"),
        )
        return [(id, from_column(name)) for id, name in rows]

    def text(self, id: int) -> Document:
        """Return a document with its text."""
        ((name, target, text, person, language),) = self._database.rows(
            "SELECT name, target, text, person, language FROM document WHERE id = ?", id
        )
        names = tuple(json.loads(target))
        original = text.decode("utf-8", "surrogatepass")
        return Document(from_column(name), original, names, person, language=language)

    def waiting(self, limit: int) -> list[int]:
        """Return the documents not yet analyzed, the oldest first."""
        rows = self._database.rows(
            "SELECT id FROM document WHERE status = 'waiting' ORDER BY id LIMIT ?", limit
        )
        return [id for (id,) in rows]

    def analysed(
        self,
        id: int,
        analysis: Analysis,
        summary: DocumentSummary,
        model: dict[str, Any] | None = None,
        claimant: str | None = None,
    ) -> None:
        """Store the analysis of a document and its model; the document is then ready for review.

        Args:
            id: number of the document.
            analysis: its mentions.
            summary: its figures for lists.
            model: name and digests of the recognizer.
            claimant: the worker that analyzed it; nothing happens if another one has taken over.
                None for any.
        """
        mentions = _mentions_to_json(analysis.mentions)
        self._set(id, Status.READY, "", mentions, summary, json.dumps(model), claimant)

    def revised(self, id: int, revision: int, summary: DocumentSummary) -> None:
        """Store the revision of a review and its summary for lists."""
        values = json.dumps(summary.as_object())
        with self._database.transaction() as connection:
            connection.execute(
                f"UPDATE document SET revision = ?, summary = ?, done = ?, {_CHANGED} WHERE id = ?",
                (revision, values, summary.done, id),
            )

    def assign(self, project: int, handles: Sequence[str], assignee: str) -> None:
        """Assign documents of a project to a person, or to nobody if the name is empty."""
        with self._database.transaction() as connection:
            connection.executemany(
                f"UPDATE document SET assignee = ?, {_CHANGED} WHERE project = ? AND handle = ?",
                [(assignee, project, handle) for handle in handles],
            )

    def model(self, id: int) -> dict[str, Any] | None:
        """Return the name and digests of the recognizer, or None if there was none."""
        ((model,),) = self._database.rows("SELECT model FROM document WHERE id = ?", id)
        parsed: dict[str, Any] | None = json.loads(model)
        return parsed

    def failed(self, id: int, message: str, claimant: str | None = None) -> None:
        """Record why a document can't be analyzed; see ``analysed``."""
        self._set(id, Status.FAILED, message, None, DocumentSummary(), claimant=claimant)

    def _set(
        self,
        id: int,
        status: Status,
        error: str,
        analysis: str | None,
        summary: DocumentSummary,
        model: str = "null",
        claimant: str | None = None,
    ) -> None:
        values = json.dumps(summary.as_object())
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE document SET status = ?, error = ?, analysis = ?, summary = ?, model = ?, "
                f"done = ?, {_CHANGED}, claimant = '', claimed = 0 "
                "WHERE id = ? AND (? IS NULL OR claimant = ? AND status = 'waiting')",
                (
                    str(status),
                    error,
                    analysis,
                    values,
                    model,
                    summary.done,
                    id,
                    claimant,
                    claimant,
                ),
            )
            (project,) = connection.execute(
                "SELECT project FROM document WHERE id = ?", (id,)
            ).fetchone()
            cursor = connection.execute(
                "UPDATE project SET finished = ? WHERE id = ? AND finished IS NULL AND NOT EXISTS "
                "(SELECT 1 FROM document WHERE document.project = project.id AND status = 'waiting')",
                (time.time(), project),
            )
            if cursor.rowcount:
                announce(connection, project, "analysed")

    def analysis(self, id: int, languages: frozenset[str] = frozenset({ENGLISH})) -> Analysis:
        """Return the analysis of a document.

        Args:
            id: number of the document.
            languages: ISO 639-1 codes of the languages the recognizer reads.

        Raises:
            InputError: if it isn't ready.
        """
        rows = self._database.rows("SELECT analysis FROM document WHERE id = ?", id)
        if not rows or rows[0][0] is None:
            raise InputError(f"document {id!r} is not analyzed; wait until its project says so.")
        document = self.text(id)
        foreign = foreign_parts(document.text, languages, document.language)
        return Analysis(document, _mentions_from_json(rows[0][0]), foreign, languages)


def stored(row: tuple[Any, ...]) -> StoredDocument:
    """Return a document's row from the columns ``ROW`` and its place."""
    id, project, name, format, declared, status, error, summary, revision, file, *rest = row
    notes, handle, assignee, place = rest
    return StoredDocument(
        id,
        project,
        from_column(name),
        format,
        bool(declared),
        Status(status),
        error,
        DocumentSummary(**json.loads(summary)) if summary else DocumentSummary(),
        revision,
        file,
        tuple(json.loads(notes)),
        handle,
        place,
        assignee,
    )


def _mentions_to_json(mentions: Sequence[Mention]) -> str:
    return json.dumps(
        [
            [
                mention.span.start,
                mention.span.end,
                str(mention.type),
                mention.p_mask,
                mention.p_direct,
                mention.source,
                mention.kind,
                mention.p_mask_min_word,
                mention.may_be_person,
            ]
            for mention in mentions
        ]
    )


def _mentions_from_json(text: str) -> tuple[Mention, ...]:
    return tuple(
        Mention(
            Span(start, end),
            SemanticType(type),
            p_mask,
            p_direct,
            MentionSource(source),
            kind,
            p_mask_min_word,
            _deny_place(kind),
            may_be_person=may_be_person,
        )
        for start, end, type, p_mask, p_direct, source, kind, p_mask_min_word, may_be_person in (
            json.loads(text)
        )
    )


def _deny_place(kind: str) -> int | None:
    place = _DENY.fullmatch(kind)
    return int(place[1]) if place else None
