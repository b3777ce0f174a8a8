"""The tables together."""

from __future__ import annotations

from pathlib import Path

from .database import Database
from .documents import Documents
from .files import Files
from .log import Log
from .projects import Projects


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

    def close(self) -> None:
        """Close the file."""
        self._database.close()
