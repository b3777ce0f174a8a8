"""Parts of a project's files besides their text, as last inspected.

A file must be written to know what would be released with it. What was found holds for one revision
of its document, and is carried over by changes that leave the text unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...documents.parts import (
    WITH_PARTS,
    BesidePart,
    PartDecision,
    PartKind,
    PartTreatment,
    PictureBox,
)
from .database import ProjectDatabase, from_column, to_column


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A part of a document's file, without the content of pictures.

    Attributes:
        document: number of the document.
        handle, name, revision: the document's.
        number: position among the document's parts.
        part: the part.
        decided: the decision on it, or None.
    """

    document: int
    handle: str
    name: str
    revision: int
    number: int
    part: BesidePart
    decided: PartDecision | None

    @property
    def place(self) -> PartPlace:
        """Its position in the project's list."""
        return PartPlace(self.decided is not None, self.handle, self.number)


@dataclass(frozen=True, slots=True)
class PartPlace:
    """A position in the list of a project's parts, in which undecided ones come first.

    Attributes:
        is_decided: whether there was a decision.
        handle: the document's.
        number: the part's number in its document.
    """

    is_decided: bool
    handle: str
    number: int


@dataclass(frozen=True, slots=True)
class PartsPage:
    """A page of the list of a project's parts.

    Attributes:
        parts: the parts on the page.
        first: number of parts before the page.
        total: number of parts in the whole list.
        open: number of undecided ones.
    """

    parts: tuple[StoredPart, ...]
    first: int
    total: int
    open: int


_COLUMNS = (
    "part.document, document.handle, document.name, document.revision, part.number, part.key, "
    "part.kind, part.place, part.text, part.media_type, part.treatments, part.decision"
)
_FROM = "FROM part JOIN document ON document.id = part.document"
_ORDER = "(part.decision != ''), part.document, part.number"


class FileParts:
    """The tables of what files contain besides their text."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def stale(self, project: int) -> list[int]:
        """Return the documents whose files must be inspected again, in order."""
        rows = self._database.rows(
            "SELECT id FROM document LEFT JOIN beside ON beside.document = id "
            "WHERE document.project = ? AND status = 'ready' AND file IS NOT NULL "
            "AND format IN (SELECT value FROM json_each(?)) "
            "AND document.revision IS NOT beside.revision ORDER BY id",
            project,
            json.dumps(WITH_PARTS),
        )
        return [id for (id,) in rows]

    def stale_anywhere(self) -> list[tuple[int, int]]:
        """Return the same for all projects under review, with the revisions, in order."""
        return self._database.rows(
            "SELECT document.id, document.revision FROM document "
            "JOIN project ON project.id = document.project "
            "LEFT JOIN beside ON beside.document = document.id "
            "WHERE purpose = 'review' AND status = 'ready' AND file IS NOT NULL "
            "AND format IN (SELECT value FROM json_each(?)) "
            "AND document.revision IS NOT beside.revision ORDER BY document.id",
            json.dumps(WITH_PARTS),
        )

    def write(
        self,
        project: int,
        document: int,
        revision: int,
        parts: Sequence[BesidePart],
        decisions: Mapping[str, PartDecision],
        fault: str = "",
    ) -> None:
        """Write what a document's file contains, replacing what was found before.

        Args:
            project: its number.
            document: its number.
            revision: the document's revision.
            parts: the parts that were found.
            decisions: decisions by part key.
            fault: why the file can't be inspected.
        """
        rows = [
            (
                document,
                number,
                project,
                part.key,
                str(part.kind),
                part.place,
                to_column(part.text),
                part.media_type,
                json.dumps(part.treatments),
                _to_json(decisions.get(part.key)),
            )
            for number, part in enumerate(parts)
        ]
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM part WHERE document = ?", (document,))
            connection.executemany(
                "INSERT INTO part (document, number, project, key, kind, place, text, media_type, "
                "treatments, decision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            connection.execute(
                "INSERT OR REPLACE INTO beside (document, project, revision, fault) "
                "VALUES (?, ?, ?, ?)",
                (document, project, revision, to_column(fault)),
            )

    def carry(
        self, document: int, before: int, after: int, decisions: Mapping[str, PartDecision]
    ) -> None:
        """Carry over what was found at one revision to a later one, with these decisions."""
        with self._database.transaction() as connection:
            carried = connection.execute(
                "UPDATE beside SET revision = ? WHERE document = ? AND revision = ?",
                (after, document, before),
            )
            if not carried.rowcount:
                return
            keys = connection.execute("SELECT key FROM part WHERE document = ?", (document,))
            connection.executemany(
                "UPDATE part SET decision = ? WHERE document = ? AND key = ?",
                [(_to_json(decisions.get(key)), document, key) for (key,) in keys.fetchall()],
            )

    def of(self, document: int) -> list[StoredPart]:
        """Return the parts of a document's file, in order."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} {_FROM} WHERE part.document = ? ORDER BY part.number", document
        )
        return [_part(row) for row in rows]

    def open_counts(self, project: int) -> dict[int, int]:
        """Return the number of undecided parts of each document that has any."""
        rows = self._database.rows(
            "SELECT document, count(*) FROM part WHERE project = ? AND decision = '' "
            "GROUP BY document",
            project,
        )
        return dict(rows)

    def faults(self, project: int) -> dict[int, str]:
        """Return why files can't be inspected, by document number."""
        rows = self._database.rows(
            "SELECT document, fault FROM beside WHERE project = ? AND fault != ''", project
        )
        return {document: from_column(fault) for document, fault in rows}

    def page(
        self,
        project: int,
        limit: int,
        after: PartPlace | None = None,
        before: PartPlace | None = None,
    ) -> PartsPage:
        """Return a page of a project's parts, undecided ones first.

        A position stays valid while the parts before it are decided, so no part is skipped.

        Args:
            project: its number.
            limit: maximum number of parts.
            after: the position before the page.
            before: the position after the page.
        """
        place, sign, direction = (before, "<", "DESC") if before else (after, ">", "ASC")
        condition = "part.project = ?"
        values: tuple[Any, ...] = (project,)
        if place is not None:
            condition += (
                f" AND ({_ORDER}) {sign} (?, (SELECT id FROM document WHERE handle = ?), ?)"
            )
            values += (int(place.is_decided), place.handle, place.number)
        order = ", ".join(f"{column} {direction}" for column in _ORDER.split(", "))
        rows = self._database.rows(
            f"SELECT {_COLUMNS} {_FROM} WHERE {condition} ORDER BY {order} LIMIT ?", *values, limit
        )
        parts = tuple(map(_part, reversed(rows) if before else rows))
        ((total, n_decided),) = self._database.rows(
            "SELECT count(*), ifnull(sum(decision != ''), 0) FROM part WHERE project = ?", project
        )
        ((first,),) = self._database.rows(
            f"SELECT count(*) FROM part WHERE project = ? AND ({_ORDER}) < (?, ?, ?)",
            project,
            *(
                (int(parts[0].decided is not None), parts[0].document, parts[0].number)
                if parts
                else (0, 0, 0)
            ),
        )
        return PartsPage(parts, first, total, total - n_decided)


def _part(row: tuple[Any, ...]) -> StoredPart:
    document, handle, name, revision, number, key, kind, place, text, media_type, *rest = row
    treatments, decision = rest
    return StoredPart(
        document,
        handle,
        from_column(name),
        revision,
        number,
        BesidePart(
            key,
            PartKind(kind),
            place,
            from_column(text),
            media_type=media_type,
            treatments=tuple(map(PartTreatment, json.loads(treatments))),
        ),
        _from_json(decision),
    )


def _to_json(decided: PartDecision | None) -> str:
    if decided is None:
        return ""
    return json.dumps({"treatment": decided.treatment, "boxes": decided.boxes})


def _from_json(text: str) -> PartDecision | None:
    if not text:
        return None
    item = json.loads(text)
    return PartDecision(PartTreatment(item["treatment"]), tuple(map(PictureBox.of, item["boxes"])))
