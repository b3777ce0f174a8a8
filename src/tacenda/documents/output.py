"""The output of a run: its documents' names, and a stream that takes each document completely or not at all."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, replace
from io import BytesIO
from typing import BinaryIO

from ..errors import AS_JSON_LINES, InputError
from ..result import Result
from ..text.decoding import writable
from .compression import Packer
from .formats import Assembly
from .names import filename_leaks
from .record import SourceDocument


class Numbering:
    """The counter and the names of the documents in one output."""

    def __init__(self) -> None:
        self.number = 0

    def public_id(self, record: SourceDocument, sanitized: Result, *, joins: bool = False) -> str:
        """Return the id to publish: the document's own if it contains nothing masked, otherwise a neutral one.

        Call this once per document, since the neutral name contains the document's number.

        Args:
            record: the document, named by its data or its file.
            sanitized: its result, for the masked names.
            joins: whether the output will be joined with the data by id; ids then stay.
        """
        self.number += 1
        name = record.document.id if record.declared else record.origin.name
        if (joins and record.declared) or not filename_leaks(name, (sanitized,)):
            return record.document.id
        return f"document-{self.number}"


@dataclass(frozen=True, slots=True)
class _OutputState:
    """The state of an output.

    Attributes:
        path: file of the last document written; None before the first one.
        last: the last character written.
        encoding, encoder: the codec, and its state.
    """

    path: str | None = None
    last: str = ""
    encoding: str = ""
    encoder: int | str = 0


class Output:
    """A binary stream of text, document by document, each completely or not at all.

    Emitted text is buffered until ``commit``. Lone surrogates are written as U+FFFD. A codec's byte
    order mark (UTF-16) is written once.

    Args:
        stream: receives the bytes.
        compression: compression of the stream, ``.gz`` or ``.zst``; empty for none.

    Attributes:
        assembly: assembles the documents' parts; None if they simply follow each other.
    """

    def __init__(self, stream: BinaryIO, compression: str = "") -> None:
        self._packer = Packer(stream, compression) if compression else None
        self._stream: BinaryIO | Packer = stream if self._packer is None else self._packer
        self._pending = BytesIO()
        self._pending_encoding = ""
        self._committed = self._state = _OutputState()
        self._encoder: codecs.IncrementalEncoder | None = None
        self.assembly: Assembly | None = None

    @property
    def path(self) -> str | None:
        """Path of the file whose document was committed last; None before the first one."""
        return self._state.path

    @property
    def last(self) -> str:
        """The last character written; empty before the first one."""
        return self._state.last

    @property
    def encoding(self) -> str:
        """Codec of the text emitted since the last commit, or empty."""
        return self._pending_encoding

    @property
    def pending(self) -> bytes:
        """Bytes emitted since the last commit."""
        return self._pending.getvalue()

    def emit(self, text: str, encoding: str = "utf-8", *, references: bool = False) -> None:
        """Write ``text``; ``references`` allows ``&#8230;`` for characters outside the codec.

        Raises:
            InputError: if the codec can't write a character.
        """
        if encoding == "utf-8-sig":
            encoding = "utf-8"
        if self._encoder is None or encoding != self._state.encoding:
            self._encoder = codecs.getincrementalencoder(encoding)()
        self._encoder.errors = "xmlcharrefreplace" if references else "strict"
        try:
            data = self._encoder.encode(writable(text))
        except UnicodeEncodeError as error:
            raise InputError(
                f"code point {error.start} of the output can't be written in {encoding!r}",
                remedy=AS_JSON_LINES,
            ) from None
        self._pending.write(data)
        self._pending_encoding = encoding
        self._state = replace(
            self._state,
            last=text[-1:] or self._state.last,
            encoding=encoding,
            encoder=self._encoder.getstate(),
        )

    def emit_item(self, text: str, brackets: str = "[]") -> None:
        """Write one item of a JSON list, or of an object if ``brackets`` are braces."""
        self.emit((f"{brackets[0]}\n" if self.path is None else ",\n") + text)

    def end_items(self, brackets: str = "[]") -> None:
        """Write the end of a JSON list or object, or an empty one if it has no items."""
        self.emit(f"{brackets}\n" if self.path is None else f"\n{brackets[1]}\n")

    def emit_bytes(self, data: bytes) -> None:
        """Write bytes that are not text."""
        self._pending.write(data)

    def commit(self, record: SourceDocument) -> None:
        """Pass on a document's bytes.

        Raises:
            InputError: if the document can't be in the same file as earlier ones.
        """
        data = self._pending.getvalue()
        if self.assembly is not None:
            try:
                data = self.assembly.add(data, record)
            except BaseException:
                self.discard()
                raise
        self._stream.write(data)
        self._pending, self._pending_encoding = BytesIO(), ""
        self._committed = self._state = replace(self._state, path=record.origin.path)

    def close(self) -> None:
        """Pass on the end of the file.

        Raises:
            InputError: if the file can't be assembled.
        """
        self._stream.write(self._pending.getvalue())
        self._pending = BytesIO()
        if self.assembly is not None:
            for part in self.assembly.close():
                self._stream.write(part)
        if self._packer is not None:
            self._packer.close()

    def discard(self) -> None:
        """Drop the bytes emitted since the last commit."""
        self._pending, self._pending_encoding = BytesIO(), ""
        self._state = self._committed
        if self._encoder is not None and self._state.encoding:
            self._encoder = codecs.getincrementalencoder(self._state.encoding)()
            self._encoder.setstate(self._state.encoder)
        else:
            self._encoder = None


class OutputWriter:
    """Base of the writers of one format, which write one document at a time.

    Args:
        output: receives the documents.
        reveal: whether to add the original strings, for formats that have a place for them.
    """

    def __init__(self, output: Output, *, reveal: bool = False) -> None:
        self._output = output
        self._reveal = reveal
        self._numbering = Numbering()

    def close(self) -> None:
        """Write the end of the format."""
