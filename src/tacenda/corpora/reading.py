"""From what the user names (a file, a folder, stdin) to records, whatever the format.

The format follows the extension and can be forced by name. Nothing raised by one file or one
unit of it stops the others: it is yielded as a ``Failure``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError
from . import csv, html, jsonl, markdown, tab, text, texts
from .decoding import check_encoding
from .record import Failure, Origin, Record

INPUT_FORMATS = ("text", "markdown", "html", "jsonl", "csv", "tab", "texts", "docx", "pdf")
"""What can be read; ``json`` is ``tab`` or ``texts``, whichever it turns out to be."""

_BY_EXTENSION = {
    "": "text",
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".json": "json",
    ".docx": "docx",
    ".docm": "docx",
    ".pdf": "pdf",
}
STDIN = "-"


def read(
    path: str | Path,
    format: str | None = None,
    *,
    field: str = "text",
    columns: Sequence[str] = (),
    encoding: str = "utf-8",
    stdin: BinaryIO | None = None,
) -> Iterator[Record | Failure]:
    """Yield the documents of a file, of a folder or of stdin, in order.

    Args:
        path: a file; a folder, read recursively in sorted order, of which files with a known
            extension are taken (all files if ``format`` is given; hidden ones never); ``-`` for
            stdin, which is text unless ``format`` says otherwise.
        format: one of ``INPUT_FORMATS``, or ``json``; None to go by the extension.
        field: JSONL: the field that holds the text.
        columns: CSV: the columns that hold text; ``text`` if none is named.
        encoding: any text codec of Python's; a byte order mark of UTF-8 is always understood.
        stdin: the binary stream behind ``-``; the process's own by default.

    Yields:
        A ``Record`` for each document, a ``Failure`` for each file or unit that can't be read.

    Raises:
        InputError: if ``format`` or ``encoding`` is none. These are faults of usage and are
            raised at once, before anything is read.
        MissingExtraError: at a .docx or PDF without the extra ``documents``.
    """
    if format is not None and format not in (*INPUT_FORMATS, "json"):
        known = ", ".join((*INPUT_FORMATS, "json"))
        raise InputError(f"format {format!r} is not known; choose one of {known}.")
    codec = check_encoding(encoding)
    settings = _Settings(format, field, tuple(columns) or ("text",), codec)
    if str(path) == STDIN:
        origin = Origin(STDIN, "stdin", format or "text", codec)
        return settings.guarded(stdin or sys.stdin.buffer, origin)
    return settings.read_path(Path(path))


class _Settings:
    """What holds for all files of one call of ``read``."""

    def __init__(
        self, format: str | None, field: str, columns: tuple[str, ...], encoding: str
    ) -> None:
        self.format = format
        self.field = field
        self.columns = columns
        self.encoding = encoding

    def read_path(self, path: Path) -> Iterator[Record | Failure]:
        if not path.is_dir():
            yield from self.read_file(path, path.name if path.is_absolute() else path.as_posix())
            return
        taken = 0
        for file in _files(path):
            if self.format or (file.suffix and file.suffix.lower() in _BY_EXTENSION):
                taken += 1
                yield from self.read_file(file, file.relative_to(path).as_posix())
        if not taken:
            known = " ".join(sorted(_BY_EXTENSION)).strip()
            message = (
                f"the folder has no file that ends in one of {known}; name the format with --from."
            )
            yield Failure(InputError(message, str(path)))

    def read_file(self, path: Path, name: str) -> Iterator[Record | Failure]:
        format = self.format or _BY_EXTENSION.get(path.suffix.lower())
        if format is None:
            message = f"extension {path.suffix!r} is not known; name the format with --from FORMAT."
            yield Failure(InputError(message, name))
            return
        try:
            with path.open("rb") as stream:
                yield from self.guarded(stream, Origin(str(path), name, format, self.encoding))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            yield Failure(InputError(f"can't be opened: {reason}; check the path.", name))

    def guarded(self, stream: BinaryIO, origin: Origin) -> Iterator[Record | Failure]:
        """Read one stream; an error ends it as a failure."""
        try:
            yield from self._dispatch(stream, origin)
        except InputError as error:
            yield Failure(error)

    def _dispatch(self, stream: BinaryIO, origin: Origin) -> Iterator[Record | Failure]:
        match origin.format:
            case "text":
                return text.read(stream, origin)
            case "markdown":
                return markdown.read(stream, origin)
            case "html":
                return html.read(stream, origin)
            case "jsonl":
                return jsonl.read(stream, origin, self.field)
            case "csv":
                return csv.read(stream, origin, self.columns)
            case "docx":
                from . import docx

                return docx.read(stream, origin)
            case "pdf":
                from . import pdf

                return pdf.read(stream, origin)
        items = tab.load_list(stream, origin)
        if origin.format == "json":
            strings = bool(items) and all(isinstance(item, str) for item in items)
            origin = replace(origin, format="texts" if strings else "tab")
        return texts.read(items, origin) if origin.format == "texts" else tab.read(items, origin)


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(parent) / name
