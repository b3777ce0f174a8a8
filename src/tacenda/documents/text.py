"""Plain text, and masks, which contain no text.

A text file is one document. Masks are ``{doc_id: [[start, end], …]}``, which ``evaluate`` compares
with gold annotations: code points of the original, one span per edit, in order and without
overlaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ..annotations.tab import masks_line
from ..document import Document, Span
from ..errors import InputError
from ..result import Result
from ..text.decoding import BYTE_ORDER_MARK, read_text
from .base64_data import covered_source
from .output import Output, OutputWriter
from .record import Extraction, Origin, SourceDocument, plain


def read_text_file(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of a text file.

    Raises:
        InputError: if it can't be decoded.
    """
    source, notes = covered_source(read_text(stream, origin.encoding, origin.name), origin)
    extraction = Extraction(source)
    extraction.verbatim(int(source.startswith(BYTE_ORDER_MARK)), len(source), plain)
    document = Document(origin.name, extraction.text)
    yield SourceDocument(document, origin, source, tuple(extraction.slots), notes=notes)


class MasksWriter(OutputWriter):
    """``--to masks``: one entry per document, streamed."""

    def __init__(self, output: Output, *, reveal: bool = False) -> None:
        super().__init__(output)
        self._written: set[str] = set()

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Write one entry.

        Raises:
            InputError: if the output already has a document with the same id.
        """
        self.write_spans(
            self._numbering.public_id(record, sanitized, joins=True),
            (replacement.original for replacement in sanitized.replacements),
        )

    def write_spans(self, name: str, spans: Iterable[Span]) -> None:
        """Write one entry for a system that only has masks.

        Raises:
            InputError: if the output already has a document with the same id.
        """
        if name in self._written:
            raise InputError(
                "two documents of the run have this id, and masks are identified only by id; "
                "sanitize the documents one by one.",
                name,
            )
        line = masks_line(name, [(span.start, span.end) for span in sorted(spans)])
        self._written.add(name)
        self._output.emit_item(line, "{}")

    def close(self) -> None:
        """End the object."""
        self._output.end_items("{}")
