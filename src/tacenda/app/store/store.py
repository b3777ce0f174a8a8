"""The tables together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .accesses import Accesses
from .database import Database
from .documents import Documents
from .files import Files
from .log import Log
from .projects import Projects
from .queue import Queue
from .quota import Quota


class Store:
    """The projects of one SQLite file.

    Args:
        path: the file; made if it is not there.

    Raises:
        StoreError: if it is something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path)
        self.projects = Projects(self._database)
        self.files = Files(self._database)
        self.documents = Documents(self._database)
        self.log = Log(self._database)
        self.queue = Queue(self._database)
        self.accesses = Accesses(self._database)

    @contextmanager
    def within(self, quota: Quota | None, owner: str) -> Iterator[None]:
        """Add what the block adds at once or, if an owner has too much then, not at all.

        Raises:
            OverQuota: if they have.
        """
        with self._database.transaction():
            yield
            if quota is not None:
                quota.check(self._database, owner)

    def close(self) -> None:
        """Close the file."""
        self._database.close()
