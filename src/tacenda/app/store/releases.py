"""Releases: archives as they were handed out, with their digests, each with its private record."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from .database import NotFound, ProjectDatabase, now


@dataclass(frozen=True, slots=True)
class StoredRelease:
    """An archive that was handed out.

    Attributes:
        at: time, ISO 8601 in UTC.
        person: the person who released it.
        documents: number of documents in it.
        digest: SHA-256 of the archive.
    """

    at: str
    person: str
    documents: int
    digest: str


class Releases:
    """The table of releases."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def add(
        self, project: int, person: str, documents: int, content: bytes, record: bytes
    ) -> StoredRelease:
        """Store an archive and its record's archive, byte for byte."""
        release = StoredRelease(now(), person, documents, hashlib.sha256(content).hexdigest())
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO release (project, at, person, documents, digest, content, record) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (project, release.at, person, documents, release.digest, content, record),
            )
        return release

    def of(self, project: int) -> list[StoredRelease]:
        """Return the releases of a project, the newest first."""
        rows = self._database.rows(
            "SELECT at, person, documents, digest FROM release WHERE project = ? ORDER BY id DESC",
            project,
        )
        return [StoredRelease(*row) for row in rows]

    def contents(self, project: int, digest: str) -> tuple[bytes, bytes]:
        """Return the archive with a digest and its record's archive.

        Raises:
            NotFound: if there is none.
        """
        rows = self._database.rows(
            "SELECT content, record FROM release WHERE project = ? AND digest = ? "
            "ORDER BY id DESC LIMIT 1",
            project,
            digest,
        )
        if not rows:
            raise NotFound("no release has that digest; see the project's release page.")
        content, record = rows[0]
        return content, record
