"""From what the user names (a file, a folder, stdin) to records, whatever the format.

The format follows the extension and can be forced by name. Nothing raised by one file or one
unit of it stops the others: it is yielded as a ``Failure``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path, PurePosixPath
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
    settings = _Settings(field, tuple(columns) or ("text",))
    if str(path) == STDIN:
        origin = Origin(STDIN, "stdin", format or "text", codec)
        return settings.guarded(stdin or sys.stdin.buffer, origin)
    found = files_of(path, format, encoding=codec)
    return (item for origin in found for item in settings.read_file(origin))


def read_bytes(content: bytes, origin: Origin) -> Iterator[Record | Failure]:
    """Yield the documents of a file that is in memory already.

    Args:
        content: the whole file.
        origin: what it is called and what it is; ``path`` is not opened.

    Raises:
        MissingExtraError: at a .docx or PDF without the extra ``documents``.
    """
    return _Settings("text", ("text",)).guarded(BytesIO(content), origin)


def files_of(
    path: str | Path, format: str | None = None, *, encoding: str = "utf-8"
) -> Iterator[Origin | Failure]:
    """Yield the files that ``read`` takes of a path, in its order; none is opened."""
    root = Path(path)
    if not root.is_dir():
        name = root.name if root.is_absolute() else root.as_posix()
        yield _origin(root, name, format, encoding)
        return
    taken = 0
    for file in _files(root):
        if format or (file.suffix and file.suffix.lower() in _BY_EXTENSION):
            taken += 1
            yield _origin(file, file.relative_to(root).as_posix(), format, encoding)
    if not taken:
        known = " ".join(sorted(_BY_EXTENSION)).strip()
        message = (
            f"the folder has no file that ends in one of {known}; name the format with --from."
        )
        yield Failure(InputError(message, str(root)))


def format_of(name: str) -> str:
    """Return the format that a file's name says it has: one of ``INPUT_FORMATS``, or ``json``.

    Raises:
        InputError: if its extension is not known.
    """
    suffix = PurePosixPath(name.replace("\\", "/")).suffix
    format = _BY_EXTENSION.get(suffix.lower())
    if format is None:
        known = " ".join(_BY_EXTENSION).strip()
        raise InputError(f"extension {suffix[:20]!r} is not known; known are {known}.", name)
    return format


class _Settings:
    """What holds for all files of one call of ``read``."""

    def __init__(self, field: str, columns: tuple[str, ...]) -> None:
        self.field = field
        self.columns = columns

    def read_file(self, origin: Origin | Failure) -> Iterator[Record | Failure]:
        if isinstance(origin, Failure):
            yield origin
            return
        try:
            with Path(origin.path).open("rb") as stream:
                yield from self.guarded(stream, origin)
        except OSError as error:
            yield Failure(unopened(error, origin.name))

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


def unopened(error: OSError, name: str) -> InputError:
    """Return why a file can't be opened, without its path on this machine."""
    reason = error.strerror or type(error).__name__
    return InputError(f"can't be opened: {reason}; check the path.", name)


def _origin(path: Path, name: str, format: str | None, encoding: str) -> Origin | Failure:
    found = format or _BY_EXTENSION.get(path.suffix.lower())
    if found is None:
        message = f"extension {path.suffix!r} is not known; name the format with --from FORMAT."
        return Failure(InputError(message, name))
    return Origin(str(path), name, found, encoding)


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(parent) / name
