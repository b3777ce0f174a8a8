"""Plain text: one file is one document, every character is text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from ..document import Document
from .decoding import BYTE_ORDER_MARK, read_text
from .record import Extraction, Origin, Record, plain


def read(stream: BinaryIO, origin: Origin) -> Iterator[Record]:
    """Yield the one document of a text file.

    Raises:
        InputError: if it can't be decoded.
    """
    source = read_text(stream, origin.encoding, origin.name)
    extraction = Extraction(source)
    extraction.verbatim(int(source.startswith(BYTE_ORDER_MARK)), len(source), plain)
    document = Document(origin.name, extraction.text)
    yield Record(document, origin, source, tuple(extraction.slots))
