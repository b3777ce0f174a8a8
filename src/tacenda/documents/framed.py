"""Files with many records, such as a list in a JSON object, or XML elements: each record is a document.

The field policy gives their path (``records: list.patient``). What surrounds them is the first
document and is written first; a record that fails is left out. The file is kept in memory as text,
plus the bytes of one record.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import InputError
from ..result import Result
from .fields import Fields, Treatment
from .record import Edit, SourceDocument, edited_source, source_edits

HEAD = ":head"
"""Ends the name of the content around the records, after the file's name."""
CUT = "\0"
"""Marks where records were; neither XML nor JSON can contain it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The content around the records of a file.

    Attributes:
        cuts: code points of its source where records were.
        escapes: error handler that writes characters outside the encoding.
    """

    cuts: tuple[int, ...]
    escapes: str = "xmlcharrefreplace"

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the sanitized frame, with a mark at each cut."""
        edited_source(record, sanitized)  # which raises if it can't be written
        parts = _pieces(record.source, source_edits(record, sanitized), self.cuts)
        return CUT.join(parts).encode(record.origin.encoding, self.escapes)


@dataclass(frozen=True, slots=True)
class FramedRecord:
    """A record in its file.

    Attributes:
        cut: number of the cut where it was, from 0.
        separator: what separates two records at one cut.
        around: what is around the cuts, where that isn't a document; empty if it is.
        escapes: error handler that writes characters outside the encoding.
    """

    cut: int
    separator: str
    around: tuple[str, ...] = ()
    escapes: str = "xmlcharrefreplace"

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the sanitized record."""
        return edited_source(record, sanitized).encode(record.origin.encoding, self.escapes)


def _pieces(source: str, edits: Sequence[Edit], cuts: Sequence[int]) -> Iterator[str]:
    """Yield the edited source between cuts; a cut inside an edit comes after it."""
    remaining = list(edits)
    position = 0
    for cut in (*cuts, len(source)):
        parts: list[str] = []
        while remaining and (remaining[0][0] < cut or cut == len(source)):
            start, end, text = remaining.pop(0)
            parts += (source[position:start], text)
            position = max(position, end)
        parts.append(source[position:cut])
        position = max(position, cut)
        yield "".join(parts)


def is_outside(fields: Fields, path: Sequence[str]) -> bool:
    """Return whether nothing around a path is dropped as a whole."""
    prefixes = [tuple(path[:length]) for length in range(1, len(path) + 1)]
    rules = [(prefix, fields.rule(prefix)) for prefix in prefixes]
    return not any(
        rule is not None and rule.treatment is Treatment.DROP and not fields.within(prefix)
        for prefix, rule in rules
    )


class FramedFile:
    """Assembles a file from documents, with or without a frame."""

    def __init__(self) -> None:
        self._first: SourceDocument | None = None
        self._pieces: list[str] = []
        self._written = 0
        self._cut = -1
        self._encoder: codecs.IncrementalEncoder | None = None

    def add(self, part: bytes, source: SourceDocument) -> bytes:
        """Add a document; return it with what precedes it.

        Raises:
            InputError: if it belongs to another file, or its frame couldn't be written.
        """
        container, encoding = source.container, source.origin.encoding
        if self._first is None:
            if isinstance(container, FramedRecord) and not container.around:
                raise InputError(
                    "the content around the records of its file can't be written, so no record can.",
                    source.document.id,
                )
            self._first = source
            if not isinstance(container, Frame | FramedRecord):
                return part
            self._encoder = codecs.getincrementalencoder(encoding)(container.escapes)
            if isinstance(container, Frame):
                self._pieces = part.decode(encoding).split(CUT)
                return b""
            self._pieces = list(container.around)
        elif self._first.origin != source.origin or not isinstance(container, FramedRecord):
            raise InputError(
                "two documents can't be in one file of their format; -o must be a folder.",
                source.origin.name,
            )
        separator = container.separator if self._cut == container.cut else ""
        self._cut = container.cut
        before = self._until(container.cut + 1)
        return self._encoded(before + separator + part.decode(encoding))

    def _until(self, number: int) -> str:
        pieces = self._pieces[self._written : number]
        self._written = max(self._written, number)
        return "".join(pieces)

    def _encoded(self, text: str) -> bytes:
        return b"" if self._encoder is None else self._encoder.encode(text)

    def close(self) -> list[bytes]:
        """Return the end of the frame."""
        return [self._encoded(self._until(len(self._pieces)))]
