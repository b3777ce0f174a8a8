"""What needs a person's decision in the documents of a project, by name.

Rows are written with each change of a document, so that a page groups them without opening one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...document import SemanticType, Span
from ...text.surface_forms import normalise
from .database import Database, from_column, to_column


@dataclass(frozen=True, slots=True)
class Doubt:
    """An entity that needs a person's decision.

    Attributes:
        label: its longest mention, as it stands in the text.
        type: its semantic type.
        mentions: its mentions, in order.
        verdict: its present decision in a word.
        risk: in [0, 1].
        weight: uncertainty in bits times number of mentions.
    """

    label: str = field(repr=False)
    type: SemanticType
    mentions: tuple[Span, ...]
    verdict: str
    risk: float
    weight: float

    @property
    def span(self) -> Span:
        """Its first mention."""
        return self.mentions[0]


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name that needs a decision, with the sums over a project.

    Attributes:
        label: the name as it stands in the first document.
        type: its semantic type.
        document, span: its first mention.
        verdict: what becomes of it now, in a word; empty if not the same everywhere.
        risk: the largest of a place.
        weight: uncertainty in bits times number of mentions.
        count: number of mentions.
        documents: number of documents.
    """

    label: str = field(repr=False)
    type: SemanticType
    document: int
    span: Span
    verdict: str
    risk: float
    weight: float
    count: int
    documents: int


class Doubts:
    """The table of doubts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, project: int, document: int, doubts: Iterable[Doubt]) -> None:
        """Write the doubts of a document, in place of those before."""
        rows = {
            (
                str(doubt.type),
                to_column(normalise(doubt.label)),
                to_column(doubt.label),
                doubt.span.start,
                doubt.span.end,
                doubt.verdict,
                doubt.risk,
                doubt.weight,
                len(doubt.mentions),
            )
            for doubt in doubts
        }
        columns = "type, name, label, begin, stop, verdict, risk, weight, count"
        with self._database.transaction() as connection:
            # Of a text with a thousand names a change touches few.
            old = {
                tuple(row): id
                for id, *row in connection.execute(
                    f"SELECT id, {columns} FROM doubt WHERE document = ?", (document,)
                )
            }
            connection.executemany(
                "DELETE FROM doubt WHERE id = ?",
                [(id,) for row, id in old.items() if row not in rows],
            )
            connection.executemany(
                f"INSERT INTO doubt (project, document, {columns}) VALUES (?{', ?' * 10})",
                [(project, document, *row) for row in rows - old.keys()],
            )

    def unweighed(self, project: int) -> list[int]:
        """The analysed documents whose doubts are not those of their revision."""
        rows = self._database.rows(
            "SELECT id FROM document WHERE project = ? AND status = 'ready' AND weighed != revision "
            "ORDER BY id",
            project,
        )
        return [id for (id,) in rows]

    def totals(self, project: int) -> tuple[int, int]:
        """Number of names that need a decision, and of their places."""
        ((names, places),) = self._database.rows(
            "SELECT count(*), ifnull(sum(places), 0) FROM "
            "(SELECT sum(count) AS places FROM doubt WHERE project = ? GROUP BY type, name)",
            project,
        )
        return names, places

    def names(self, project: int, limit: int) -> Sequence[NameCount]:
        """The names that need a decision, the weightiest first."""
        groups = self._database.rows(
            "SELECT type, name, sum(weight), sum(count), count(DISTINCT document), max(risk), "
            "min(verdict), max(verdict) FROM doubt WHERE project = ? GROUP BY type, name "
            "ORDER BY sum(weight) DESC, name LIMIT ?",
            project,
            limit,
        )
        found = []
        for type, name, weight, count, documents, risk, verdict, last in groups:
            ((document, label, start, end),) = self._database.rows(
                "SELECT document, label, begin, stop FROM doubt "
                "WHERE project = ? AND type = ? AND name = ? ORDER BY document, begin LIMIT 1",
                project,
                type,
                name,
            )
            found.append(
                NameCount(
                    from_column(label),
                    SemanticType(type),
                    document,
                    Span(start, end),
                    verdict if verdict == last else "",
                    risk,
                    weight,
                    count,
                    documents,
                )
            )
        return found
