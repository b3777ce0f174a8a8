"""The list of a project's documents: counts, pages, and what changed since a version of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .database import ProjectDatabase, from_column
from .documents import ROW, StoredDocument, stored

_PLACE = "0"
"""No list shows the place of a document."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The progress of a project's documents.

    Attributes:
        waiting: number of documents waiting for analysis.
        failed: number of documents that can't be analyzed.
        ready: number of analyzed documents.
        done: number of reviewed documents.
    """

    waiting: int = 0
    failed: int = 0
    ready: int = 0
    done: int = 0

    @property
    def documents(self) -> int:
        """The number of all documents."""
        return self.waiting + self.failed + self.ready

    @property
    def to_review(self) -> int:
        """The number of reviewable documents not yet reviewed."""
        return self.ready - self.done


@dataclass(frozen=True, slots=True)
class ProjectFigures:
    """Totals over the analyzed documents of a project.

    Attributes:
        decided: number of entities confirmed or changed by people.
        waiting: number of kept entities that block a release.
        leaks: number of masked strings that can still be read.
        accepted: number of those that people say aren't leaks.
        residual: expected number of entities that should be masked and that neither a person nor the
            policy keeps on purpose.
        unapproved: number of documents that no second person has approved.
        unreleased: number of documents whose current state isn't released.
    """

    decided: int
    waiting: int
    leaks: int
    accepted: int
    residual: float
    unapproved: int
    unreleased: int


class State(StrEnum):
    """A filter for a list of documents."""

    ALL = ""
    OPEN = "open"
    DONE = "done"
    FAULTY = "faulty"
    WAITING = "waiting"
    FAILED = "failed"
    MINE = "mine"


_CONDITIONS = {
    State.ALL: "TRUE",
    State.OPEN: "status = 'ready' AND NOT done",
    State.DONE: "done",
    State.FAULTY: "json_extract(summary, '$.leaks') > 0 OR json_extract(summary, '$.together') > 0",
    State.WAITING: "status = 'waiting'",
    State.FAILED: "status = 'failed'",
    State.MINE: "assignee = :person",
}


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list.

    Attributes:
        rows: its documents.
        total: number of documents in the whole list.
    """

    rows: tuple[StoredDocument, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file whose rows are documents.

    Attributes:
        id: its number.
        name: the user's name for it.
        rows: number of its rows.
    """

    id: int
    name: str
    rows: int


NamedNote = tuple[str, str]
"""Name of a document, and what to know of how its file was read."""


class Lists:
    """The documents of projects as shown in lists."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def counts(self, project: int) -> Counts:
        """Return the progress of a project."""
        return self.counts_of([project]).get(project, Counts())

    def counts_of(self, projects: Sequence[int]) -> dict[int, Counts]:
        """Return the progress of projects, without those that have no documents."""
        rows = self._database.rows(
            "SELECT project, sum(n * (status = 'waiting')), sum(n * (status = 'failed')), "
            "sum(n * (status = 'ready')), sum(n * done) FROM (SELECT project, status, done, "
            "count(*) AS n FROM document WHERE project IN (SELECT value FROM json_each(?)) "
            "GROUP BY project, status, done) GROUP BY project",
            json.dumps(list(projects)),
        )
        return {project: Counts(*numbers) for project, *numbers in rows}

    def figures(self, project: int) -> ProjectFigures:
        """Return the totals over the analyzed documents of a project."""
        (row,) = self._database.rows(
            "SELECT ifnull(sum(summary ->> 'decided'), 0), ifnull(sum(summary ->> 'doubtful'), 0), "
            "ifnull(sum(summary ->> 'leaks'), 0), ifnull(sum(summary ->> 'accepted'), 0), "
            "ifnull(sum(max(0, (summary ->> 'residual') - ifnull(summary ->> 'kept_by_policy', 0))), 0.0), "
            "count(*) FILTER (WHERE ifnull(summary ->> 'approved_by', '') = ''), "
            "count(*) FILTER (WHERE ifnull(summary ->> 'stage', '') != 'released') "
            "FROM document WHERE project = ? AND status = 'ready'",
            project,
        )
        return ProjectFigures(*row)

    def version(self, project: int) -> int:
        """Return the version of a project's list, which increases with each visible change."""
        ((version,),) = self._database.rows(
            "SELECT ifnull(max(version), 0) FROM document WHERE project = ?", project
        )
        return int(version)

    def page(
        self,
        project: int,
        offset: int,
        limit: int,
        *,
        words: str = "",
        state: State = State.ALL,
        person: str = "",
    ) -> ListPage:
        """Return a page of a project's list, in document order.

        Args:
            project: its number.
            offset: number of documents to skip.
            limit: maximum number of documents.
            words: part of their names, ignoring case; empty for all.
            state: which documents.
            person: their reviewer, for ``State.MINE``.
        """
        condition = f"project = :project AND ({_CONDITIONS[state]})"
        if words:
            condition += " AND instr(folded(name), :words)"
        values: dict[str, Any] = {"project": project, "words": words.casefold(), "person": person}
        ((total,),) = self._database.rows_of(
            f"SELECT count(*) FROM document WHERE {condition}", values
        )
        rows = self._database.rows_of(
            f"SELECT {ROW}, {_PLACE} FROM document WHERE {condition} ORDER BY id "
            "LIMIT :limit OFFSET :offset",
            values | {"limit": limit, "offset": offset},
        )
        return ListPage(tuple(map(stored, rows)), total)

    def changes(self, project: int, since: int, limit: int) -> tuple[list[StoredDocument], int]:
        """Return the documents that changed after a version of the list, and the new version."""
        rows = self._database.rows(
            f"SELECT version, {ROW}, {_PLACE} FROM document WHERE project = ? AND version > ? "
            "ORDER BY version LIMIT ?",
            project,
            since,
            limit,
        )
        return [stored(row[1:]) for row in rows], rows[-1][0] if rows else since

    def following(self, project: int, after: int = 0) -> StoredDocument | None:
        """Return the next unreviewed document after the one with a number, or from the start."""
        for condition in ("id > ?", "id < ?"):
            rows = self._database.rows(
                f"SELECT {ROW}, {_PLACE} FROM document WHERE project = ? AND status = 'ready' "
                f"AND done = 0 AND {condition} ORDER BY id LIMIT 1",
                project,
                after,
            )
            if rows:
                return stored(rows[0])
        return None

    def notes(self, project: int, offset: int, limit: int) -> tuple[list[NamedNote], int]:
        """Return a page of notes on how the files were read, in order, and the total number of notes."""
        source = "FROM document, json_each(document.notes) AS note WHERE project = ?"
        ((total,),) = self._database.rows(f"SELECT count(*) {source}", project)
        rows = self._database.rows(
            f"SELECT name, note.value {source} ORDER BY document.id, note.key LIMIT ? OFFSET ?",
            project,
            limit,
            offset,
        )
        return [(from_column(name), note) for name, note in rows], total

    def tables(self, project: int) -> list[TableFile]:
        """Return the CSV files of a project, in order."""
        rows = self._database.rows(
            "SELECT file.id, file.name, (SELECT count(*) FROM document WHERE "
            "document.project = file.project AND document.file = file.id "
            "AND document.name != file.name || ':end') "
            "FROM file WHERE project = ? AND format = 'csv' ORDER BY file.id",
            project,
        )
        return [TableFile(id, from_column(name), count) for id, name, count in rows]

    def of_file(
        self, project: int, file: int, first: int = 0, limit: int = -1
    ) -> list[StoredDocument]:
        """Return the documents of a file, in order.

        Args:
            project: its number.
            file: number of the file.
            first: number of documents to skip.
            limit: maximum number of documents; all if negative.
        """
        rows = self._database.rows(
            f"SELECT {ROW}, {_PLACE} FROM document WHERE project = ? AND file = ? ORDER BY id "
            "LIMIT ? OFFSET ?",
            project,
            file,
            limit,
            first,
        )
        return [stored(row) for row in rows]

    def place_in_file(self, row: StoredDocument) -> int:
        """Return the number of documents before a document in its file."""
        ((count,),) = self._database.rows(
            "SELECT count(*) FROM document WHERE project = ? AND file = ? AND id < ?",
            *(row.project, row.file, row.id),
        )
        return int(count)
