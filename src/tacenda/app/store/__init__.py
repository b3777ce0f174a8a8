"""Projects on disk: one SQLite file, in which nothing that was confirmed is ever lost.

Write-ahead log with ``synchronous=FULL``: when a call returns, what it wrote survives the power
cut. Decisions are an append-only log a document; the log's length is the document's revision, and
whoever changes a document says which revision they saw. The files that documents came from are kept
byte for byte. Deleting a project overwrites all of it. Every project has an owner and may have members;
what is not theirs is not there for others, and a log says who read and changed what. Several servers may
work on one file: each document is claimed by one of them while it is analysed.
"""

from __future__ import annotations

from .accesses import AccessEntry, Accesses
from .database import Database, Missing, StoreError
from .documents import Documents, Status, StoredDocument
from .files import Files, NewFile, StoredFile
from .log import Log, Stale
from .projects import Project, Projects
from .queue import Queue
from .quota import OverQuota, Quota
from .store import Store

__all__ = [
    "AccessEntry",
    "Accesses",
    "Database",
    "Documents",
    "Files",
    "Log",
    "Missing",
    "NewFile",
    "OverQuota",
    "Project",
    "Projects",
    "Queue",
    "Quota",
    "Stale",
    "Status",
    "Store",
    "StoreError",
    "StoredDocument",
    "StoredFile",
]
