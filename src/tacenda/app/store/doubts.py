"""Open and settled decisions in a project's documents, by name.

Rows are written with each change to a document, so that a page can group them without opening
documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...document import SemanticType, Span
from ...text.normal_form import mention_key
from .database import ProjectDatabase, from_column, to_column


@dataclass(frozen=True, slots=True)
class Doubt:
    """An entity that needs a person's decision.

    Attributes:
        label: its longest mention, as written in the text.
        type: its semantic type.
        mentions: its mentions, in order.
        verdict: its current decision, in one word.
        risk: its risk in [0, 1].
        weight: uncertainty in bits times the number of mentions.
        action: a person's decision, which settles the doubt; empty if there is none.
    """

    label: str = field(repr=False)
    type: SemanticType
    mentions: tuple[Span, ...]
    verdict: str
    risk: float
    weight: float
    action: str = ""

    @property
    def span(self) -> Span:
        """Its first mention."""
        return self.mentions[0]


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name that needs a decision, with totals over a project.

    Attributes:
        label: the name as written in the first document.
        type: its semantic type.
        document, span: its first mention.
        verdict: its current outcome, in one word; empty if it isn't the same everywhere.
        risk: the highest risk at any place.
        weight: uncertainty in bits times the number of mentions.
        count: number of mentions.
        documents: number of documents.
        proposal: what people consistently decided in several other documents; empty if nothing.
        decided: number of those documents.
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
    proposal: str = ""
    decided: int = 0


ALIKE = 3
"""Documents in which a name is decided alike before that is proposed for the others."""

_ALIKE = (
    "alike AS (SELECT type, name, min(action) AS proposal, count(DISTINCT document) AS decided "
    "FROM doubt WHERE project = ? AND action != '' GROUP BY type, name "
    "HAVING min(action) = max(action) AND decided >= ?)"
)


class Doubts:
    """The table of doubts."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def write(self, project: int, document: int, doubts: Iterable[Doubt]) -> None:
        """Write the doubts of a document, replacing the previous ones."""
        rows = {
            (
                str(doubt.type),
                to_column(mention_key(doubt.label)),
                to_column(doubt.label),
                doubt.span.start,
                doubt.span.end,
                doubt.verdict,
                doubt.risk,
                doubt.weight,
                len(doubt.mentions),
                doubt.action,
            )
            for doubt in doubts
        }
        columns = "type, name, label, begin, stop, verdict, risk, weight, count, action"
        with self._database.transaction() as connection:
            # A change affects only a few of the thousand names in a text.
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
                f"INSERT INTO doubt (project, document, {columns}) VALUES (?{', ?' * 11})",
                [(project, document, *row) for row in rows - old.keys()],
            )

    def totals(self, project: int) -> tuple[int, int]:
        """Return the number of names that need a decision, and of their places."""
        ((names, places),) = self._database.rows(
            "SELECT count(*), ifnull(sum(places), 0) FROM "
            "(SELECT sum(count) AS places FROM doubt WHERE project = ? AND action = '' GROUP BY type, name)",
            project,
        )
        return names, places

    def names(self, project: int, limit: int) -> Sequence[NameCount]:
        """Return the names that need a decision: first those with a proposal, then those with the greatest weight."""
        groups = self._database.rows(
            f"WITH {_ALIKE} SELECT type, name, sum(weight), sum(count), count(DISTINCT document), max(risk), "
            "min(verdict), max(verdict), ifnull(proposal, ''), ifnull(decided, 0) "
            "FROM doubt LEFT JOIN alike USING (type, name) WHERE project = ? AND action = '' "
            "GROUP BY type, name ORDER BY proposal IS NULL, sum(weight) DESC, name LIMIT ?",
            project,
            ALIKE,
            project,
            limit,
        )
        return [self._counted(project, *group) for group in groups]

    def _counted(
        self,
        project: int,
        type: str,
        name: bytes,
        weight: float,
        count: int,
        documents: int,
        risk: float,
        verdict: str,
        last: str,
        *alike: Any,
    ) -> NameCount:
        ((document, label, start, end),) = self._database.rows(
            "SELECT document, label, begin, stop FROM doubt WHERE project = ? AND type = ? "
            "AND name = ? AND action = '' ORDER BY document, begin LIMIT 1",
            project,
            type,
            name,
        )
        return NameCount(
            from_column(label),
            SemanticType(type),
            document,
            Span(start, end),
            verdict if verdict == last else "",
            risk,
            weight,
            count,
            documents,
            *alike,
        )

    def repeated(self, project: int) -> tuple[int, int]:
        """Return the number of names that need a decision in several documents or have a proposal, and the number that have a proposal."""
        ((recurring, proposals),) = self._database.rows(
            f"WITH {_ALIKE}, open AS (SELECT type, name, count(DISTINCT document) AS documents "
            "FROM doubt WHERE project = ? AND action = '' GROUP BY type, name) "
            "SELECT count(*) FILTER (WHERE documents > 1 OR proposal IS NOT NULL), count(proposal) "
            "FROM open LEFT JOIN alike USING (type, name)",
            project,
            ALIKE,
            project,
        )
        return recurring, proposals
