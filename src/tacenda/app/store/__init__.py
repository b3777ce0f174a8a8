"""Projects on disk: one SQLite file that never loses a confirmed change.

Reviews, REST API jobs and annotations are all projects. The database uses a write-ahead log with
``synchronous=FULL``: when a call returns, its data survives a power cut. Each document under
review, and each annotator of a document, has an append-only log; its length is the revision, and
every change names the revision it was made for. Original files are kept byte for byte. Deleting a
project overwrites all of it. Every project has an owner and may have members; others can't see it,
and a log records all reads and changes with the person. Several servers may work on one file: one
of them claims a document while analyzing it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .database import ProjectDatabase
from .deliveries import Deliveries
from .documents import Documents, DocumentSummary, Files
from .doubts import Doubt, Doubts
from .identities import Identities
from .lists import Lists
from .log import EventLog, NewEntry
from .parts import FileParts
from .projects import Accesses, Projects, Quota
from .queue import Queue
from .releases import Releases
from .terms import TermTable


class Store:
    """The projects of one SQLite file.

    Args:
        path: the file; created if missing.
        option: name of the command-line option for the path.
        quota: limits for each owner; unlimited if None.

    Raises:
        StoreError: if it is something else.
    """

    def __init__(self, path: Path, option: str = "--store", *, quota: Quota | None = None) -> None:
        self.path = path
        self.quota = quota
        self.database = ProjectDatabase(path, option)
        self.projects = Projects(self.database)
        self.files = Files(self.database)
        self.documents = Documents(self.database)
        self.lists = Lists(self.database)
        self.doubts = Doubts(self.database)
        self.parts = FileParts(self.database)
        self.identities = Identities(self.database)
        self.log = EventLog(self.database)
        self.releases = Releases(self.database)
        self.terms = TermTable(self.database)
        self.queue = Queue(self.database)
        self.deliveries = Deliveries(self.database)
        self.accesses = Accesses(self.database)

    def record(
        self,
        document: int,
        expected: int,
        entry: NewEntry,
        summary: DocumentSummary,
        doubts: Iterable[Doubt] = (),
    ) -> int:
        """Append to a review's log, update its summary and doubts, and return the new revision.

        Raises:
            RevisionConflict: if the document isn't at revision ``expected``.
            NotFound: if the document is unknown.
        """
        with self.database.transaction():
            revision = self.log.append(document, expected, entry)
            self.documents.revised(document, revision, summary)
            self.doubts.write(self.documents.get(document).project, document, doubts)
        return revision

    @contextmanager
    def within(self, owner: str) -> Iterator[None]:
        """Run the block in a transaction, and roll back if an owner exceeds the quota.

        Raises:
            OverQuota: if they do.
        """
        with self.database.transaction():
            yield
            if self.quota is not None:
                self.quota.check(self.database, owner)

    def close(self) -> None:
        """Close the file."""
        self.database.close()
