"""Writers of sanitized documents, one per format, all with the same two methods."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Protocol

from ..atomic import atomic_file
from ..errors import LeakError, UnknownNameError
from ..result import Result
from ..text.decoding import writable
from .completeness import require_whole
from .compression import compression_of, inner_name
from .inspection import OWN_PAGES, entities_in, passages, survivors
from .jsonl import JsonlWriter
from .output import Output, OutputWriter
from .record import SourceDocument
from .registry import format_named, format_of_name
from .remote import is_remote, remote_file
from .tab import TabWriter
from .text import MasksWriter

OUTPUT_FORMATS = ("same", "text", "html", "json", "jsonl", "tab", "masks", "pdf")
"""Output formats; ``same`` is the input's format, with its markup and other fields.

``tab`` contains the original text with what is to be masked in it, and is only written on request.
"""

_FORMS: Mapping[str, tuple[str, str | None]] = {
    "text": (".txt", "text"),
    "html": (".html", "report"),
    "json": (".jsonl", "result"),
    "jsonl": (".jsonl", "jsonl"),
    "tab": (".json", None),
    "masks": (".json", None),
    "pdf": (".pdf", None),
}
"""Extension of each output format, and the format by which the independent reader reads it.

It doesn't read ``tab``, which contains the original text by design, or ``masks``, which contain no text. A PDF is
written at the end, from verified texts.
"""


class DocumentWriter(Protocol):
    """Writes sanitized documents one by one; ``close`` ends the format but doesn't close the stream."""

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Write one document.

        Raises:
            LeakError: if the output would still contain a masked string.
            InputError: if this document can't be written.

        After an error, nothing of the document is written, and the writer can continue with others.
        """

    def close(self) -> None:
        """Write the end of the format; call this once, even after errors."""


def writer(
    to: str,
    stream: BinaryIO,
    *,
    input_format: str | None = None,
    reveal: bool = False,
    allow_leaks: bool = False,
    inspect: bool = True,
    compression: str = "",
) -> CheckedWriter:
    """Return a writer of the format ``to``.

    Args:
        to: one of ``OUTPUT_FORMATS``.
        stream: receives the bytes.
        input_format: for ``same``, the input's format if known; it only matters if the input has no
            documents.
        reveal: ``html`` and ``json``: add the original strings.
        allow_leaks: also write documents with masked strings left in them.
        inspect: whether to search the output for such strings; False for an output of the
            originals.
        compression: compression of the stream, ``.gz`` or ``.zst``.

    Raises:
        UnknownNameError: if ``to`` isn't one of the formats.
        MissingExtraError: if ``to`` is ``pdf`` and the extra ``documents`` isn't installed.
    """
    output = Output(stream, compression)
    inner = _unchecked(to, output, input_format, reveal)
    return CheckedWriter(inner, output, to, allow_leaks=allow_leaks, inspect=inspect)


def write(
    results: Iterable[tuple[SourceDocument, Result]],
    output: str | Path | BinaryIO,
    to: str = "same",
    *,
    reveal: bool = False,
    allow_leaks: bool = False,
) -> None:
    """Write sanitized documents to one file, which gets its name when it is complete.

    Args:
        results: the documents as ``read`` yields them, each with its result.
        output: a path, a URL (extra ``remote``), or an open binary stream, which isn't closed.
        to: one of ``OUTPUT_FORMATS``; ``same`` is the format of the input.
        reveal: ``html`` and ``json``: add the original strings.
        allow_leaks: also write documents with masked strings left in them.

    Raises:
        LeakError: if the output would still contain a masked string; no file is written in this
            case.
        InputError: if a document can't be written, or ``to`` isn't one of the formats.
        OutputError: if the file can't be written.
        MissingExtraError: if the format needs the extra ``documents``.
    """
    if isinstance(output, str | Path):
        with remote_file(str(output)) if is_remote(output) else atomic_file(Path(output)) as file:
            compression = compression_of(str(output))
            sink = writer(
                to, file.stream, reveal=reveal, allow_leaks=allow_leaks, compression=compression
            )
            _write_all(sink, results)
        return
    _write_all(writer(to, output, reveal=reveal, allow_leaks=allow_leaks), results)


def _write_all(sink: CheckedWriter, results: Iterable[tuple[SourceDocument, Result]]) -> None:
    for source, sanitized in results:
        sink.write(source, sanitized)
    sink.close()


def _unchecked(to: str, output: Output, input_format: str | None, reveal: bool) -> DocumentWriter:
    if to == "same":
        return _SameWriter(output, input_format)
    if to == "pdf":
        from .pdf.setting import PdfWriter

        return PdfWriter(output)
    if to not in _WRITERS:
        names = ", ".join(OUTPUT_FORMATS)
        raise UnknownNameError(f"unknown output format {to!r}; choose one of {names}.")
    return _WRITERS[to](output, reveal=reveal)


def extension_of(to: str, path: str) -> str:
    """Return the extension, including the dot, of the output for the input ``path``.

    A compressed input that keeps its format is written compressed: ``.csv.gz``.
    """
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    inner = inner_name(name)
    extension = inner[inner.rindex(".") :] if "." in inner[1:] else ".txt"
    format = format_of_name(name)
    if format is not None and format.written_as:
        extension = format_named(format.written_as).extensions[0]
    return extension + name[len(inner) :] if to == "same" else _FORMS[to][0]


def refuse_leaks(sanitized: Result) -> None:
    """Raise a LeakError if a document still has masked strings after verification.

    Raises:
        LeakError: if it has; names the document and the places.
    """
    if sanitized.leaks:
        places = [f"code points {leak.place}" for leak in sanitized.leaks]
        raise LeakError(places, sanitized.document.id)


class CheckedWriter:
    """Writes only documents that are complete and have no masked strings left in them.

    The output is read again by an independent reader (``inspection``), and its strings are searched
    for masked ones and compared with the text (``completeness``; containers do this themselves).
    """

    def __init__(
        self, inner: DocumentWriter, output: Output, to: str, *, allow_leaks: bool, inspect: bool
    ) -> None:
        self._inner = inner
        self._output = output
        self._to = to
        self._allow_leaks = allow_leaks
        self._inspect = inspect

    def write(self, record: SourceDocument, sanitized: Result) -> tuple[str, ...]:
        """Write one document.

        Returns:
            The places where the independent reader found masked strings; empty unless leaks are
            allowed.

        Raises:
            LeakError: if the output would still contain a masked string.
            InputError: if this document, or some of its text, can't be written.
        """
        if not self._allow_leaks:
            refuse_leaks(sanitized)
        places: tuple[str, ...] = ()
        try:
            self._inner.write(record, sanitized)
            format = inspected_as(self._to, record.origin.format)
            if self._inspect and format is not None:
                places = self._inspected(record, sanitized, format)
        except BaseException:
            self._output.discard()
            raise
        self._output.commit(record)
        return places

    def _inspected(self, record: SourceDocument, sanitized: Result, format: str) -> tuple[str, ...]:
        """Return the places of masked strings in an output, which contains all of the text.

        Raises:
            LeakError: if there are any, unless leaks are allowed.
            InputError: if text is missing.
        """
        data, encoding = self._output.pending, self._output.encoding or record.origin.encoding
        strings = tuple(passages(data, format, encoding))
        accepted = dict(sanitized.accepted)
        places = tuple(p for p in survivors(iter(strings), sanitized) if p not in accepted)
        if places and not self._allow_leaks:
            texts = (item.text for item in strings if item.place in places)
            raise LeakError(places, sanitized.document.id, entities_in(texts, sanitized))
        if format not in OWN_PAGES:
            origin = replace(record.origin, encoding=encoding, name=inner_name(record.origin.name))
            text = format_named(format).output_text(data, origin, strings)
            if text is not None:
                require_whole(record, sanitized, text)
        return places

    def close(self) -> None:
        """Write the end of the format; call this once, even after errors."""
        self._inner.close()
        self._output.close()


def inspected_as(to: str, input_format: str) -> str | None:
    """Return the format by which the independent reader reads an output, or None if it doesn't read it."""
    return input_format if to == "same" else _FORMS[to][1]


class _TextWriter(OutputWriter):
    """``--to text``: the sanitized texts, separated by line breaks."""

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        if self._output.last not in ("", "\n"):
            self._output.emit("\n")
        self._output.emit(sanitized.text)


class _JsonWriter(OutputWriter):
    """``--to json``: one result object per line and document."""

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        name = self._numbering.public_id(record, sanitized)
        item = sanitized.to_dict(reveal=self._reveal) | {"id": name}
        self._output.emit(writable(json.dumps(item, ensure_ascii=False)) + "\n")


class _PageWriter(OutputWriter):
    """``--to html``: a page with one section per document."""

    def __init__(self, output: Output, *, reveal: bool = False) -> None:
        from ..pages.result import ends

        super().__init__(output, reveal=reveal)
        self._start, self._end = ends()

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        from ..pages.result import section

        name = self._numbering.public_id(record, sanitized)
        self._begin()
        self._output.emit(section(sanitized, name, self._numbering.number, reveal=self._reveal))

    def close(self) -> None:
        """Write the end of the page."""
        self._begin()
        self._output.emit(self._end)

    def _begin(self) -> None:
        if self._output.path is None:
            self._output.emit(self._start)


_WRITERS: Mapping[str, Callable[..., DocumentWriter]] = {
    "text": _TextWriter,
    "html": _PageWriter,
    "json": _JsonWriter,
    "jsonl": JsonlWriter,
    "tab": TabWriter,
    "masks": MasksWriter,
}


class _SameWriter:
    """``--to same``: the input, edited in place."""

    def __init__(self, output: Output, input_format: str | None) -> None:
        self._output = output
        self._empty = None if input_format is None else format_named(input_format)
        self._last = self._empty

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        self._last = format_named(record.origin.format)
        if self._output.assembly is None:
            self._output.assembly = self._last.assembly()
        self._last.emit(self._output, record, sanitized)

    def close(self) -> None:
        format = self._empty if self._output.path is None else self._last
        if format is not None:
            format.finish(self._output)
