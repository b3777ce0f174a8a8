"""The lists of a project: names with one decision in all its documents, and who made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...document import SemanticType
from ...text.normal_form import mention_key
from .database import ProjectDatabase, from_column, now, to_column

_COLUMNS = "string, type, action, person, at, batch, withdrawn_by, withdrawn_at"


@dataclass(frozen=True, slots=True)
class Term:
    """A name with a decision for a project.

    Attributes:
        string: the name as written in a document.
        type: its semantic type.
        action: ``keep``, ``mask`` or ``generalise``.
        person, at: who decided, and when (ISO 8601, UTC).
        batch: id of what was done for it in the documents' logs; names decided together share it.
        withdrawn_by, withdrawn_at: who withdrew it, and when; empty while it holds.
    """

    string: str = field(repr=False)
    type: SemanticType
    action: str
    person: str
    at: str
    batch: str
    withdrawn_by: str = ""
    withdrawn_at: str = ""


class TermTable:
    """The table of terms."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def add(
        self,
        project: int,
        names: Sequence[tuple[str, SemanticType]],
        action: str,
        person: str,
        batch: str,
    ) -> list[Term]:
        """Add names to a list of a project, and return the names removed from its other lists.

        A name is only on one list: a different earlier decision is withdrawn.
        """
        moment = now()
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT INTO term (project, string, type, action, person, at, batch) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (project, to_column(string), str(type), action, person, moment, batch)
                    for string, type in names
                ],
            )
            rows = connection.execute(
                f"SELECT id, {_COLUMNS} FROM term "
                "WHERE project = ? AND action != ? AND withdrawn_by = '' ORDER BY id",
                (project, action),
            )
            forms = {mention_key(string) for string, _ in names}
            contrary = {
                id: term for id, *row in rows if mention_key((term := _term(row)).string) in forms
            }
            connection.executemany(
                "UPDATE term SET withdrawn_by = ?, withdrawn_at = ? WHERE id = ?",
                [(person, moment, id) for id in contrary],
            )
        return list(contrary.values())

    def of(self, project: int) -> list[Term]:
        """Return the terms of a project, including withdrawn ones, the newest first."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM term WHERE project = ? ORDER BY id DESC", project
        )
        return [_term(row) for row in rows]

    def withdraw(self, project: int, batch: str, person: str) -> None:
        """Withdraw the terms of a batch; they stay in the table."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE term SET withdrawn_by = ?, withdrawn_at = ? "
                "WHERE project = ? AND batch = ? AND withdrawn_by = ''",
                (person, now(), project, batch),
            )


def _term(row: Sequence[Any]) -> Term:
    """Return a term from the columns ``_COLUMNS``."""
    string, type, *rest = row
    return Term(from_column(string), SemanticType(type), *rest)
