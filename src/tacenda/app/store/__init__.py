"""Projects on disk: one SQLite file, in which nothing that was confirmed is ever lost.

Write-ahead log with ``synchronous=FULL``: when a call returns, what it wrote survives the power
cut. Decisions are an append-only log a document; the log's length is the document's revision, and
whoever changes a document says which revision they saw. The files that documents came from are kept
byte for byte. Deleting a project overwrites all of it.
"""

from __future__ import annotations

from .database import Database, Missing, StoreError
from .documents import Documents, Status, StoredDocument
from .files import Files, NewFile, StoredFile
from .log import Log, Stale
from .projects import Project, Projects
from .store import Store

__all__ = [
    "Database",
    "Documents",
    "Files",
    "Log",
    "Missing",
    "NewFile",
    "Project",
    "Projects",
    "Stale",
    "Status",
    "Store",
    "StoreError",
    "StoredDocument",
    "StoredFile",
]
