"""Projects on disk: one SQLite file, in which nothing that was confirmed is ever lost.

Reviews, jobs of the REST API and annotations are projects alike. Write-ahead log with
``synchronous=FULL``: when a call returns, what it wrote survives the power cut. What people do is an
append-only log a document, and a document and annotator; its length is the revision, and whoever
changes something says which revision they saw. The files that documents came from are kept
byte for byte. Deleting a project overwrites all of it. Every project has an owner and may have members;
what is not theirs is not there for others, and a log says who read and changed what. Several servers may
work on one file: each document is claimed by one of them while it is analysed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..review.events import ReviewEvent
from .database import Database, NotFound, PermissionDenied, StoreError
from .documents import (
    Documents,
    Files,
    NewDocument,
    NewFile,
    Status,
    StoredDocument,
    StoredFile,
    Summary,
)
from .log import EventLog, LogEntry, NewEntry, RevisionConflict
from .projects import AccessEntry, Accesses, OverQuota, Project, Projects, Quota
from .queue import Queue

__all__ = [
    "AccessEntry",
    "Accesses",
    "Database",
    "Documents",
    "EventLog",
    "Files",
    "LogEntry",
    "NewDocument",
    "NewEntry",
    "NewFile",
    "NotFound",
    "OverQuota",
    "PermissionDenied",
    "Project",
    "Projects",
    "Queue",
    "Quota",
    "RevisionConflict",
    "Status",
    "Store",
    "StoreError",
    "StoredDocument",
    "StoredFile",
    "Summary",
]


class Store:
    """The projects of one SQLite file.

    Args:
        path: the file; made if it is not there.
        option: of the command line, by which another file is chosen.
        quota: how much an owner may have at once; as much as they like if None.

    Raises:
        StoreError: if it is something else.
    """

    def __init__(self, path: Path, option: str = "--store", *, quota: Quota | None = None) -> None:
        self.path = path
        self.quota = quota
        self.database = Database(path, option)
        self.projects = Projects(self.database)
        self.files = Files(self.database)
        self.documents = Documents(self.database)
        self.log = EventLog(self.database, ReviewEvent.of)
        self.queue = Queue(self.database)
        self.accesses = Accesses(self.database)

    def record(
        self, document: int, expected: int, entry: NewEntry[ReviewEvent], summary: Summary
    ) -> int:
        """Append to the log of a review, together with what lists show then; return the new revision.

        Raises:
            RevisionConflict: if the document is at another revision than ``expected``.
            NotFound: if there is no such document.
        """
        with self.database.transaction():
            revision = self.log.append(document, expected, entry)
            self.documents.revised(document, revision, summary)
        return revision

    @contextmanager
    def within(self, owner: str) -> Iterator[None]:
        """Add what the block adds at once or, if an owner has too much then, not at all.

        Raises:
            OverQuota: if they have.
        """
        with self.database.transaction():
            yield
            if self.quota is not None:
                self.quota.check(self.database, owner)

    def close(self) -> None:
        """Close the file."""
        self.database.close()
