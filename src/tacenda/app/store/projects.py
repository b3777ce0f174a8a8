"""Projects: documents that are reviewed under one policy, whose they are and who else works with them."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ...policy import Policy
from .database import Database, Missing
from .moment import now

_COLUMNS = "id, name, created, purpose, policy, threshold, policy_name, background, handle, owner"
_OPEN_TO = (
    "(owner = ? OR EXISTS (SELECT 1 FROM member WHERE member.project = project.id "
    "AND member.name = ?))"
)


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
        handle: unguessable: what addresses name it by.
        owner: name of the key that made it.
    """

    id: int
    name: str
    created: str
    purpose: str
    policy: Policy
    threshold: float
    policy_name: str = ""
    background: str = ""
    handle: str = ""
    owner: str = ""


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
        owner: str = "local",
    ) -> Project:
        """Return a new project without documents; see ``Project``."""
        fields = json.dumps(policy.model_dump(mode="json", exclude_unset=True))
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO project (name, created, purpose, policy, threshold, digest, "
                "policy_name, background, owner, handle) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, new_handle())",
                (name, now(), purpose, fields, threshold, digest, policy_name, background, owner),
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

    def all(self, purpose: str = "review", person: str | None = None) -> list[Project]:
        """Return the projects that are open to a person, or all; the newest first."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM project WHERE purpose = ? AND (? IS NULL OR {_OPEN_TO}) "
            "ORDER BY id DESC",
            purpose,
            *(person,) * 3,
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

    def number(self, handle: str, person: str | None) -> int:
        """Return the number of the project of a handle, if it is open to a person.

        Args:
            handle: what addresses name it by.
            person: who asks; None where everything is open.

        Raises:
            Missing: if it is not, or there is none: nobody learns which.
        """
        rows = self._database.rows(
            f"SELECT id FROM project WHERE handle = ? AND (? IS NULL OR {_OPEN_TO})",
            handle,
            *(person,) * 3,
        )
        if not rows:
            raise Missing("there is no project of that id; see the list of projects.")
        return int(rows[0][0])

    def document_number(self, handle: str, person: str | None) -> int:
        """Return the number of the document of a handle, if its project is open to a person.

        Raises:
            Missing: if it is not, or there is none: nobody learns which.
        """
        rows = self._database.rows(
            "SELECT document.id FROM document JOIN project ON project.id = document.project "
            f"WHERE document.handle = ? AND (? IS NULL OR {_OPEN_TO})",
            handle,
            *(person,) * 3,
        )
        if not rows:
            raise Missing("there is no document of that id; see the list of its project.")
        return int(rows[0][0])

    def members(self, id: int) -> tuple[str, ...]:
        """Return the names of the keys that may work with a project besides its owner's."""
        rows = self._database.rows("SELECT name FROM member WHERE project = ? ORDER BY name", id)
        return tuple(name for (name,) in rows)

    def set_members(self, id: int, names: Collection[str]) -> None:
        """Let these work with a project, and nobody else but its owner."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM member WHERE project = ?", (id,))
            connection.executemany(
                "INSERT INTO member (project, name) VALUES (?, ?)",
                [(id, name) for name in sorted(set(names))],
            )

    def expired(self, before: float) -> list[int]:
        """Return the jobs that were finished before a time, in seconds since 1970."""
        rows = self._database.rows(
            "SELECT id FROM project WHERE purpose = 'job' AND finished < ?", before
        )
        return [id for (id,) in rows]

    def delete(self, id: int) -> None:
        """Delete a project with its documents and their logs; nothing of them stays in the file."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM project WHERE id = ?", (id,))
        self._database.settle()


def _project(row: tuple[Any, ...]) -> Project:
    id, name, created, purpose, policy, *rest = row
    return Project(id, name, created, purpose, _policy(policy), *rest)


@lru_cache(64)
def _policy(text: str) -> Policy:
    return Policy.build(**json.loads(text))
