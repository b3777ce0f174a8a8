"""The names that documents have in outputs: their own, unless that tells who was masked."""

from __future__ import annotations

from ..document import Sanitized
from .record import Record
from .surface import name_tells


class Numbering:
    """Counts the documents of one output and names them."""

    def __init__(self) -> None:
        self.number = 0

    def public_id(self, record: Record, sanitized: Sanitized) -> str:
        """Return the id to publish: of the data itself as it is, of a file if it is safe.

        Call it once for each document; the neutral name has the document's running number.
        """
        self.number += 1
        if record.declared or not name_tells(record.origin.name, (sanitized,)):
            return record.document.id
        return f"document-{self.number}"
