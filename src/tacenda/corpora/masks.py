"""TAB masks: ``{doc_id: [[start, end], …]}``, what ``evaluate`` compares with a gold standard.

Spans are code points of the original text, one for each edit, in order and disjoint.
"""

from __future__ import annotations

import json

from ..document import Sanitized
from ..errors import InputError
from .naming import Numbering
from .output import Output
from .record import Record


class Writer:
    """``--to masks``: one entry a document, streamed."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._numbering = Numbering()
        self._written: set[str] = set()

    def write(self, record: Record, sanitized: Sanitized) -> None:
        """Write one entry.

        Raises:
            InputError: if a document of that name is in the output already.
        """
        name = self._numbering.public_id(record, sanitized)
        if name in self._written:
            raise InputError(
                "two documents of the run have this id, and masks are told apart by id only; "
                "sanitize them one by one.",
                name,
            )
        spans = sorted(replacement.original for replacement in sanitized.replacements)
        masks = json.dumps([[span.start, span.end] for span in spans])
        opening = ",\n" if self._written else "{\n"
        self._written.add(name)
        self._output.emit(f"{opening}{json.dumps(name, ensure_ascii=False)}: {masks}")

    def close(self) -> None:
        """End the object."""
        self._output.emit("\n}\n" if self._written else "{}\n")
