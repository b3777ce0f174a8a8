"""A search back end of one's own: documents that an adversary could know, in one SQLite file."""

from __future__ import annotations

from .builder import IndexBuilder
from .index import IndexSize, LocalIndex

__all__ = ["IndexBuilder", "IndexSize", "LocalIndex"]
