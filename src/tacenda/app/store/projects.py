"""Projects: documents that are reviewed under one policy."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ...policy import Policy
from .database import Database, Missing
from .moment import now

_COLUMNS = "id, name, created, purpose, policy, threshold, policy_name, background"


@dataclass(frozen=True, slots=True)
class Project:
    """Documents under one policy.

    Attributes:
        id: its number.
        name: for people.
        created: ISO 8601, UTC.
        purpose: ``review``, or ``job`` of the REST API.
        policy: what is masked and how; names where the key is, never the key.
        threshold: used where the policy has none.
        policy_name: what the user called the policy; empty if nothing.
        background: path of an index of what an adversary could know; empty if there is none.
    """

    id: int
    name: str
    created: str
    purpose: str
    policy: Policy
    threshold: float
    policy_name: str = ""
    background: str = ""


class Projects:
    """The table of projects."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        name: str,
        policy: Policy,
        threshold: float,
        digest: bytes,
        purpose: str = "review",
        *,
        policy_name: str = "",
        background: str = "",
    ) -> Project:
        """Return a new project without documents; see ``Project``."""
        fields = json.dumps(policy.model_dump(mode="json", exclude_unset=True))
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO project (name, created, purpose, policy, threshold, digest, "
                "policy_name, background) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (name, now(), purpose, fields, threshold, digest, policy_name, background),
            )
        return self.get(int(cursor.lastrowid or 0))

    def get(self, id: int) -> Project:
        """Return a project.

        Raises:
            Missing: if there is none of that number.
        """
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM project WHERE id = ?", id)
        if not rows:
            raise Missing(f"there is no project {id!r}; see the list of projects.")
        return _project(rows[0])

    def all(self, purpose: str = "review") -> list[Project]:
        """Return the projects, the newest first."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM project WHERE purpose = ? ORDER BY id DESC", purpose
        )
        return [_project(row) for row in rows]

    def find(self, digest: bytes) -> Project | None:
        """Return the newest project for review of the same documents; None if there is none."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM project WHERE digest = ? AND purpose = 'review' "
            "ORDER BY id DESC LIMIT 1",
            digest,
        )
        return _project(rows[0]) if rows else None

    def delete(self, id: int) -> None:
        """Delete a project with its documents and their logs; nothing of them stays in the file."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM project WHERE id = ?", (id,))
        self._database.settle()


def _project(row: tuple[int, str, str, str, str, float, str, str]) -> Project:
    id, name, created, purpose, policy, threshold, policy_name, background = row
    read = Policy.build(**json.loads(policy))
    return Project(id, name, created, purpose, read, threshold, policy_name, background)
