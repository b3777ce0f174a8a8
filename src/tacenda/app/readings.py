"""The service's caches: contents of documents' files that are requested again."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ..documents.blocks import Block
from ..documents.parts import BesidePart
from ..memory import LruCache
from .tables import IndexedTable

if TYPE_CHECKING:
    from ..documents.pdf.drawing import DrawnFile

_DOCUMENTS = 64
_FILES = 4
_DRAWN = 8

FieldBlocks = tuple[int, tuple[Block, ...]]
"""Hash of the text of a record, and its fields."""


class FileReadings:
    """Caches by handle of a document or project, since numbers are reused after a deletion.

    Attributes:
        parts: what files contain besides the text, by the hash of what is written; see ``parts``.
        gone: the code points of a result that the file loses with its parts, or why all are hidden;
            see ``leaving``.
        blocks: what a document's lines are in its file; see ``web.layout``.
        drawn: the pages of PDFs; see ``web.layout``.
        tables: CSV files, by project and number.
        fields: for files of records, the fields of each document; see ``web.layout``.
    """

    def __init__(self) -> None:
        self.parts: LruCache[tuple[str, int], tuple[BesidePart, ...]] = LruCache(_DOCUMENTS)
        self.gone: LruCache[tuple[str, int], tuple[frozenset[int], str]] = LruCache(_DOCUMENTS)
        self.blocks: LruCache[str, tuple[Block, ...]] = LruCache(_DOCUMENTS)
        self.drawn: LruCache[str, DrawnFile] = LruCache(_DRAWN)
        self.tables: LruCache[tuple[str, int], IndexedTable] = LruCache(_FILES)
        self.fields: LruCache[tuple[str, int], tuple[FieldBlocks, ...]] = LruCache(_FILES)

    def forget(self, project: str, documents: Collection[str]) -> None:
        """Forget a project and its documents, by handle."""
        for cache in (self.parts, self.gone):
            cache.forget(lambda key: key[0] in documents)
        self.blocks.forget(lambda key: key in documents)
        self.drawn.forget(lambda key: key in documents)
        self.tables.forget(lambda key: key[0] == project)
        self.fields.forget(lambda key: key[0] == project)
