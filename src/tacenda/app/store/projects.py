"""Projects with their owners and members, owners' quotas, and the access log."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from ...memory import LruCache
from ...policy import Policy
from .database import NotFound, ProjectDatabase, now

if TYPE_CHECKING:
    from .documents import NewDocument

_COLUMNS = "id, name, created, purpose, policy, threshold, policy_name, background, handle, owner, flow, review, four_eyes, linked"
_OPEN_TO = (
    "(owner = ? OR EXISTS (SELECT 1 FROM member WHERE member.project = project.id "
    "AND member.name = ?))"
)

_REMEMBERED = 1024
_REPEATED = 60.0
"""Seconds within which the same reading is noted once."""


@dataclass(frozen=True, slots=True)
class Project:
    """Documents under one policy.

    Attributes:
        id: its number.
        name: the name people see.
        created: ISO 8601, UTC.
        purpose: ``review``, ``job`` of the REST API, or ``annotation``.
        policy: the masking policy, which names the place of the key, never the key.
        threshold: used if the policy has none.
        policy_name: the user's name for the policy; may be empty.
        background: path of an index with an attacker's background knowledge; may be empty.
        handle: unguessable name in addresses.
        owner: name of the key of its creator.
        flow: task of the annotators; see ``annotation.store.Flow``.
        review: number of the review project that is annotated here, if any.
        four_eyes: whether a second person must approve what is released.
        linked: whether a person has the same tag in all documents.
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
    flow: str = ""
    review: int | None = None
    four_eyes: bool = False
    linked: bool = False


class ProjectRole(StrEnum):
    """A person's role in a project; each role includes the permissions of those before it."""

    REVIEWER = "reviewer"
    """Reads and changes its documents, and says that they are reviewed."""
    APPROVER = "approver"
    """Approves them, and releases the project."""
    OWNER = "owner"
    """Says who takes part and who reviews what, and deletes the project."""

    def covers(self, other: ProjectRole) -> bool:
        """Return whether this role includes another one."""
        order = list(ProjectRole)
        return order.index(self) >= order.index(other)


class Projects:
    """The table of projects."""

    def __init__(self, database: ProjectDatabase) -> None:
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
        flow: str = "",
        review: int | None = None,
        linked: bool = False,
    ) -> Project:
        """Create a project without documents; see ``Project``."""
        fields = json.dumps(policy.model_dump(mode="json", exclude_unset=True))
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO project (name, created, purpose, policy, threshold, digest, "
                "policy_name, background, owner, flow, review, linked, handle) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, new_handle())",
                (
                    name,
                    now(),
                    purpose,
                    fields,
                    threshold,
                    digest,
                    policy_name,
                    background,
                    owner,
                    flow,
                    review,
                    linked,
                ),
            )
        return self.get(int(cursor.lastrowid or 0))

    def get(self, id: int) -> Project:
        """A project.

        Raises:
            NotFound: if the number is unknown.
        """
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM project WHERE id = ?", id)
        if not rows:
            raise NotFound(f"project {id!r} does not exist; see the list of projects.")
        return _project(rows[0])

    def all(self, purpose: str = "review", person: str | None = None) -> list[Project]:
        """Return the projects a person has access to, or all projects, the newest first."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM project WHERE purpose = ? AND (? IS NULL OR {_OPEN_TO}) "
            "ORDER BY id DESC",
            purpose,
            *(person,) * 3,
        )
        return [_project(row) for row in rows]

    def find(self, digest: bytes, name: str | None = None) -> Project | None:
        """Return the newest review project with the same documents, and that name if one is given, or None."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM project WHERE digest = ? AND purpose = 'review' "
            "AND name = ifnull(?, name) ORDER BY id DESC LIMIT 1",
            digest,
            name,
        )
        return _project(rows[0]) if rows else None

    def number(self, handle: str, person: str | None, annotation: bool = False) -> int:
        """Return the number of the project with a handle, if a person has access to it.

        Args:
            handle: its id in addresses.
            person: the person asking; None for all permissions.
            annotation: whether to look among annotation projects or among the others.

        Raises:
            NotFound: if they have no access or it is unknown; the message is the same.
        """
        rows = self._database.rows(
            "SELECT id FROM project WHERE handle = ? AND (purpose = 'annotation') = ? "
            f"AND (? IS NULL OR {_OPEN_TO})",
            handle,
            annotation,
            *(person,) * 3,
        )
        if not rows:
            raise NotFound("no project has that id; see the list of projects.")
        return int(rows[0][0])

    def document_number(self, handle: str, person: str | None) -> int:
        """Return the number of a document in a review or a job, if a person has access to its project.

        Raises:
            NotFound: if they have no access or it is unknown; the message is the same.
        """
        rows = self._database.rows(
            "SELECT document.id FROM document JOIN project ON project.id = document.project "
            f"WHERE document.handle = ? AND purpose != 'annotation' AND (? IS NULL OR {_OPEN_TO})",
            handle,
            *(person,) * 3,
        )
        if not rows:
            raise NotFound("no document has that id; see the list of its project.")
        return int(rows[0][0])

    def members(self, id: int) -> tuple[str, ...]:
        """Return the names of the keys with access to a project in addition to its owner's.

        Annotators are in the order they joined.
        """
        rows = self._database.rows(
            "SELECT name FROM member WHERE project = ? ORDER BY place, name", id
        )
        return tuple(name for (name,) in rows)

    def parts(self, id: int) -> dict[str, ProjectRole]:
        """Return the members of a project by name, without its first owner."""
        rows = self._database.rows(
            "SELECT name, role FROM member WHERE project = ? ORDER BY name", id
        )
        return {name: ProjectRole(role) for name, role in rows}

    def part_of(self, id: int, person: str) -> ProjectRole | None:
        """Return a person's role in a project, or None."""
        if self.get(id).owner == person:
            return ProjectRole.OWNER
        return self.parts(id).get(person)

    def set_members(self, id: int, members: Mapping[str, ProjectRole]) -> None:
        """Set the members of a project in addition to its first owner.

        Documents of people who are removed become unassigned.
        """
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM member WHERE project = ?", (id,))
            connection.executemany(
                "INSERT INTO member (project, name, role) VALUES (?, ?, ?)",
                [(id, name, str(members[name])) for name in sorted(members)],
            )
            connection.execute(
                "UPDATE document SET assignee = '', version = (SELECT max(version) + 1 FROM document "
                "WHERE project = ?1) WHERE project = ?1 AND assignee != '' AND assignee NOT IN "
                "(SELECT name FROM member WHERE project = ?1 "
                "UNION SELECT owner FROM project WHERE id = ?1)",
                (id,),
            )

    def set_four_eyes(self, id: int, four_eyes: bool) -> None:
        """Set whether a second person must approve what is released."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE project SET four_eyes = ? WHERE id = ?", (four_eyes, id))

    def join(self, id: int, names: Sequence[str]) -> None:
        """Add members to a project, after the current ones."""
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT INTO member (project, name, place) VALUES (?1, ?2, "
                "(SELECT ifnull(max(place), 0) + 1 FROM member WHERE project = ?1)) "
                "ON CONFLICT DO NOTHING",
                [(id, name) for name in names],
            )

    def expired(self, before: float) -> list[int]:
        """Return the jobs finished before a time, in seconds since 1970."""
        rows = self._database.rows(
            "SELECT id FROM project WHERE purpose = 'job' AND finished < ?", before
        )
        return [id for (id,) in rows]

    def delete(self, id: int) -> None:
        """Delete a project with its documents and their logs, and erase them from the file."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM project WHERE id = ?", (id,))
        self._database.settle()


def _project(row: tuple[Any, ...]) -> Project:
    id, name, created, purpose, policy, *rest, four_eyes, linked = row
    project = Project(id, name, created, purpose, _policy(policy), *rest)
    return replace(project, four_eyes=bool(four_eyes), linked=bool(linked))


@lru_cache(64)
def _policy(text: str) -> Policy:
    return Policy.build(**json.loads(text))


class OverQuota(InputError):
    """An owner's quota is exceeded.

    Attributes:
        wait: seconds to wait before the next attempt.
    """

    wait = 60


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits on an owner's data; see ``tacenda serve app``.

    Attributes:
        texts: number of documents waiting for analysis.
        jobs: number of jobs, finished or not.
        bytes: total size of texts and files.
    """

    texts: int = 20_000
    jobs: int = 100
    bytes: int = 2**30

    def check(self, database: ProjectDatabase, owner: str) -> None:
        """Check an owner's data inside the transaction that adds something.

        Raises:
            OverQuota: if a limit is exceeded; the transaction is rolled back.
        """
        ((texts, jobs, size),) = database.rows(
            "SELECT (SELECT count(*) FROM document JOIN project ON project.id = project "
            "WHERE owner = ?1 AND status = 'waiting'), "
            "(SELECT count(*) FROM project WHERE owner = ?1 AND purpose = 'job'), "
            "(SELECT ifnull(sum(length(text)), 0) FROM document JOIN project "
            "ON project.id = project WHERE owner = ?1) + "
            "(SELECT ifnull(sum(length(content)), 0) FROM file JOIN project "
            "ON project.id = project WHERE owner = ?1)",
            owner,
        )
        for value, limit, noun in (
            (texts, self.texts, "texts that wait"),
            (jobs, self.jobs, "jobs"),
            (size, self.bytes, "bytes"),
        ):
            if value > limit:
                raise OverQuota(
                    f"this would be {value} {noun} of yours, {limit} are allowed; fetch and "
                    "delete finished ones, or try again later."
                )


@dataclass(frozen=True, slots=True)
class AccessEntry:
    """An entry in the access log.

    Attributes:
        id: running number.
        at: ISO 8601, UTC.
        person: name of the key.
        action: method and address without ids, such as ``GET /documents/{id}``.
        object: handle of the project or document.
    """

    id: int
    at: str
    person: str
    action: str
    object: str


class Accesses:
    """The access log's table."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database
        self._notes: LruCache[tuple[str, str, str], float] = LruCache(_REMEMBERED)

    def add(self, person: str, action: str, object: str) -> None:
        """Write an entry, which is on disk when this returns."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO access (at, person, action, object) VALUES (?, ?, ?, ?)",
                (now(), person, action, object),
            )

    def note(self, person: str, action: str, object: str) -> None:
        """Log a read or a change by a person.

        A repeated read is logged once a minute, since pages poll.
        """
        line, moment = (person, action, object), time.monotonic()
        last = self._notes.get(line)
        if action.startswith("GET ") and last is not None and moment - last < _REPEATED:
            return
        self.add(person, action, object)
        self._notes.put(line, moment)

    def latest(self, limit: int, before: int | None = None) -> list[AccessEntry]:
        """Return entries, the newest first; if an id is given, only those before it."""
        rows = self._database.rows(
            "SELECT id, at, person, action, object FROM access WHERE ? IS NULL OR id < ? "
            "ORDER BY id DESC LIMIT ?",
            before,
            before,
            limit,
        )
        return [AccessEntry(*row) for row in rows]


def digest(documents: Sequence[NewDocument]) -> bytes:
    """Return a digest of names and texts, to recognize the same documents again.

    Raises:
        InputError: if there are none.
    """
    if not documents:
        raise InputError("no documents to review; name files, or folders with files.")
    running = hashlib.sha256()
    for new in documents:
        for part in (new.document.id, new.document.text):
            data = part.encode("utf-8", "surrogatepass")
            running.update(len(data).to_bytes(8, "big") + data)
    return running.digest()
