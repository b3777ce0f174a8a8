"""The names that documents have in outputs: their own, unless that tells who was masked."""

from __future__ import annotations

from ..result import Result
from .record import Record
from .surface import name_tells


class Numbering:
    """Counts the documents of one output and names them."""

    def __init__(self) -> None:
        self.number = 0

    def public_id(self, record: Record, sanitized: Result, *, joins: bool = False) -> str:
        """Return the id to publish: the document's own if nothing masked is in it, else a neutral one.

        Call it once for each document; the neutral name has the document's running number.

        Args:
            record: the document, named by its data or by its file.
            sanitized: says who was masked.
            joins: whether the output is joined with the data by their ids, which then stay.
        """
        self.number += 1
        name = record.document.id if record.declared else record.origin.name
        if (joins and record.declared) or not name_tells(name, (sanitized,)):
            return record.document.id
        return f"document-{self.number}"
