"""Releases: archives with their digests, as they were given out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from .database import NotFound, ProjectDatabase, now


@dataclass(frozen=True, slots=True)
class StoredRelease:
    """An archive given out.

    Attributes:
        at: time, ISO 8601 in UTC.
        person: who released it.
        documents: how many are in it.
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

    def add(self, project: int, person: str, documents: int, content: bytes) -> StoredRelease:
        """Keep an archive, byte for byte."""
        release = StoredRelease(now(), person, documents, hashlib.sha256(content).hexdigest())
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO release (project, at, person, documents, digest, content) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (project, release.at, person, documents, release.digest, content),
            )
        return release

    def of(self, project: int) -> list[StoredRelease]:
        """The releases of a project, the latest first."""
        rows = self._database.rows(
            "SELECT at, person, documents, digest FROM release WHERE project = ? ORDER BY id DESC",
            project,
        )
        return [StoredRelease(*row) for row in rows]

    def content(self, project: int, digest: str) -> bytes:
        """The archive of a digest.

        Raises:
            NotFound: if there is none.
        """
        rows = self._database.rows(
            "SELECT content FROM release WHERE project = ? AND digest = ? ORDER BY id DESC LIMIT 1",
            project,
            digest,
        )
        if not rows:
            raise NotFound("no release has that digest; see the project's release page.")
        content: bytes = rows[0][0]
        return content
