"""Read the user's input (a file, a folder, stdin) as records of any format.

The extension determines the format, which can also be given by name. An error in one file, or one
unit of a file, doesn't stop the others: it is yielded as a ``Failure``.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ..errors import NAME_FORMAT, InputError, UnknownNameError
from ..text.decoding import check_encoding
from . import containers
from .compression import unpacked
from .fields import UNSAID, Fields
from .formats import ReadOptions
from .ocr.tesseract import OcrSettings, settings
from .record import Failure, Origin, Skipped, SourceDocument
from .registry import (
    SHIPPED,
    format_named,
    format_names,
    format_of_name,
    known_extensions,
    plugin_format_of,
    suffix_of,
)
from .remote import is_remote, is_remote_folder, last_name, names_below, opened

if TYPE_CHECKING:
    from .csv import CsvTable

STDIN = "-"
_UNKNOWN = f"its extension is not known; {NAME_FORMAT.command}"


def read(
    path: str | Path,
    format: str | None = None,
    *,
    field: str = "text",
    columns: Sequence[str] = (),
    fields: Fields = UNSAID,
    encoding: str = "utf-8",
    ocr: OcrSettings | None = None,
    stdin: BinaryIO | None = None,
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents in a file, a folder or stdin, in order.

    Args:
        path: a file, or its URL (extra ``remote``); a folder, read recursively in sorted order, for its files with a known
            extension (all files if ``format`` is given; hidden ones never, nor pipes or links out
            of the folder, see ``files_of``); ``-`` for stdin, text unless ``format`` says
            otherwise.
        format: one of ``FORMATS``, or ``json``; None to decide by extension.
        field: JSONL: the field with the text, by its name or its path.
        columns: CSV: the columns with text; ``text`` if none is named.
        fields: treatments of columns and fields; if its policy comes from a file, only it says what
            is text.
        encoding: any of Python's text codecs; a UTF-8 byte order mark is always recognized.
        ocr: how to read pictures of text; by default as set in the environment.
        stdin: the binary stream for ``-``; by default the process's own.

    Yields:
        A ``SourceDocument`` for each document, a ``Failure`` for each unreadable file or unit.

    Raises:
        InputError: if ``format`` or ``encoding`` is unknown. These are usage errors and are raised
            immediately, before anything is read.
        MissingExtraError: for a .docx or PDF without the extra ``documents``.
    """
    codec = check_input(format, encoding)
    reading = _FileReading.of(fields, field, columns, ocr, stdin)
    return (
        item
        for origin in files_of(path, format, encoding=codec)
        if not isinstance(origin, Skipped)
        for item in reading.read_file(origin)
    )


def check_input(format: str | None, encoding: str) -> str:
    """Return the name of an encoding's codec.

    Raises:
        UnknownNameError: if the format is unknown.
        InputError: if the encoding isn't for text.
    """
    if format is not None and format not in SHIPPED and format not in format_names():
        names = ", ".join(format_names())
        raise UnknownNameError(f"unknown format {format!r}; choose one of {names}.")
    return check_encoding(encoding)


def read_file(
    origin: Origin | Failure,
    *,
    field: str = "text",
    columns: Sequence[str] = (),
    fields: Fields = UNSAID,
    ocr: OcrSettings | None = None,
    stdin: BinaryIO | None = None,
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents in one of the files from ``files_of``; see ``read``."""
    return _FileReading.of(fields, field, columns, ocr, stdin).read_file(origin)


def read_bytes(
    content: bytes, origin: Origin, fields: Fields = UNSAID
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents in a file in memory.

    Args:
        content: the whole file.
        origin: its name and format; ``path`` isn't opened.
        fields: treatments of columns and fields.

    Raises:
        MissingExtraError: for a .docx or PDF without the extra ``documents``.
    """
    return _FileReading.of(fields).guarded(BytesIO(content), origin)


def table_of(content: bytes, origin: Origin, fields: Fields = UNSAID) -> CsvTable:
    """Return an in-memory CSV file whose rows are the records of ``read_bytes``.

    Raises:
        InputError: if it can't be read.
    """
    from .csv import CsvTable

    columns = () if fields.source else ("text",)
    return CsvTable(unpacked(BytesIO(content), origin.name), origin, columns, fields)


def files_of(
    path: str | Path, format: str | None = None, *, encoding: str = "utf-8"
) -> Iterator[Origin | Skipped | Failure]:
    """Yield the files at a path for ``read``, in its order; none is opened.

    Of a folder are left out, and named as skipped: hidden files, unknown extensions, links out of
    the folder, and pipes, sockets and devices: opening a pipe could block. A pipe named
    itself is read, as a shell's ``<(command)`` needs; a device never is.
    """
    root = Path(path)
    if str(path) == STDIN:
        yield Origin(STDIN, "stdin", format or "text", encoding)
        return
    if is_remote(path):
        try:
            names = names_below(str(path)) if is_remote_folder(str(path)) else None
        except InputError as error:
            yield Failure(error)
            return
        if names is None:
            yield _named(str(path), last_name(str(path)), format, encoding)
            return
        entries = _remote_entries(str(path), names)
    elif os.path.isdir(path):  # noqa: PTH112  # Unlike Path.is_dir, no error for a NUL.
        entries = _entries(root)
    else:
        name = root.name if root.is_absolute() else root.as_posix()
        yield _single(root, name, format, encoding)
        return
    count = 0
    for entry in entries:
        if not isinstance(entry, tuple):
            count += isinstance(entry, Failure)
            yield entry
        elif format or _has_known_extension(entry[1]):
            count += 1
            yield _named(*entry, format, encoding)
        else:
            yield Skipped(entry[1], _UNKNOWN)
    if not count:
        extensions = " ".join(sorted(known_extensions()))
        message = f"the folder has no file with one of the extensions {extensions}"
        name = last_name(str(path)) if is_remote(path) else str(root)
        yield Failure(InputError(message, name, NAME_FORMAT))


def format_of(name: str) -> str:
    """Return a file's format, judging by its name: one of ``FORMATS``, or ``json``.

    Raises:
        InputError: if its extension is unknown.
    """
    format = format_of_name(name)
    if format is None:
        suffix = suffix_of(name)[:20]
        extensions = " ".join(known_extensions())
        raise InputError(f"unknown extension {suffix!r}; known extensions are {extensions}.", name)
    return format.name


@dataclass(frozen=True, slots=True)
class _FileReading:
    """One call of ``read``: what the user says about all its files.

    Attributes:
        options: the options for each format's reader.
        ocr: how to read pictures of text.
        stdin: the stream for ``-``.
    """

    options: ReadOptions
    ocr: OcrSettings | None = None
    stdin: BinaryIO | None = None

    @classmethod
    def of(
        cls,
        fields: Fields,
        field: str = "text",
        columns: Sequence[str] = (),
        ocr: OcrSettings | None = None,
        stdin: BinaryIO | None = None,
    ) -> _FileReading:
        """Return the settings for files with these text fields, unless a field policy names them."""
        if fields.source:
            options = ReadOptions("", (), fields)
        else:
            options = ReadOptions(field, tuple(columns) or ("text",), fields)
        return cls(options, ocr, stdin)

    def read_file(self, origin: Origin | Failure) -> Iterator[SourceDocument | Failure]:
        if isinstance(origin, Failure):
            yield origin
            return
        if origin.path == STDIN:
            yield from self.guarded(self.stdin or sys.stdin.buffer, origin)
            return
        path = origin.path
        try:
            with opened(path) if is_remote(path) else Path(path).open("rb") as stream:
                yield from self.guarded(stream, origin)
        except InputError as error:
            yield Failure(error)
        except OSError as error:
            yield Failure(unopened(error, origin.name))

    def guarded(self, stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument | Failure]:
        """Read one stream; an error ends it with a failure."""
        try:
            if origin.ocr is None:
                origin = replace(origin, ocr=self.ocr or settings())
            format, content = format_named(origin.format), unpacked(stream, origin.name)
            reader = containers.read if format.isolated else format.read
            yield from reader(content, origin, self.options)
        except InputError as error:
            yield Failure(error)


def _has_known_extension(name: str) -> bool:
    return bool(suffix_of(name)) and format_of_name(name) is not None


def _remote_entries(
    url: str, names: Sequence[str]
) -> Iterator[tuple[str, str] | Skipped | Failure]:
    """Yield the URL and the name of each file below a URL."""
    for name in names:
        if any(part.startswith(".") for part in name.split("/")):
            yield Skipped(name, "it is hidden")
        else:
            yield f"{url.rstrip('/')}/{name}", name


def unopened(error: OSError, name: str) -> InputError:
    """Return why a file can't be opened, without its local path."""
    reason = error.strerror or type(error).__name__
    return InputError(f"can't be opened: {reason}; check the path.", name)


def _named(path: str, name: str, format: str | None, encoding: str) -> Origin | Failure:
    suffix, shipped = suffix_of(name).lower(), format_of_name(name)
    try:
        file_format = format or (shipped.name if shipped else plugin_format_of(suffix))
    except InputError as error:
        return Failure(error.of(name))
    if file_format is None:
        message = f"extension {suffix!r} is not known"
        return Failure(InputError(message, name, NAME_FORMAT))
    return Origin(path, name, file_format, encoding)


def _single(path: Path, name: str, format: str | None, encoding: str) -> Origin | Failure:
    """Return the origin of a single file that the user named."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return Failure(unopened(error, name))
    except ValueError:
        return Failure(InputError("can't be opened: no path has a NUL; check the path.", name))
    kind = _kind(mode)
    if kind and not stat.S_ISFIFO(mode):
        return Failure(InputError(f"{kind}; name a file, or - for stdin.", name))
    return _named(str(path), name, format, encoding)


def _entries(root: Path) -> Iterator[tuple[str, str] | Skipped | Failure]:
    """Yield path and name of each file in a folder and its subfolders: files, then folders, each in sorted order."""
    real = root.resolve()
    folders = [root]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            yield Failure(unopened(error, folder.relative_to(root).as_posix()))
            continue
        inner = []
        for entry in entries:
            path = folder / entry.name
            name = path.relative_to(root).as_posix()
            reason = _reason(entry, real)
            if reason:
                yield Skipped(name, reason)
            elif entry.is_dir(follow_symlinks=False):
                inner.append(path)
            else:
                yield str(path), name
        folders += reversed(inner)


def _reason(entry: os.DirEntry[str], root: Path) -> str:
    """Return why something in a folder is left out; empty if it isn't."""
    if entry.name.startswith("."):
        return "it is hidden"
    try:
        if entry.is_symlink():
            if not Path(entry.path).resolve(strict=True).is_relative_to(root):
                return "it is a link out of the folder"
            if entry.is_dir():
                return "it is a link to a folder, which is read at its real path"
        return "" if entry.is_dir() else _kind(entry.stat().st_mode)
    except (OSError, RuntimeError):  # RuntimeError: a link to itself, before Python 3.13.
        return "it is a dangling link"


def _kind(mode: int) -> str:
    """Return the message for anything that isn't a file; empty for a file."""
    if stat.S_ISREG(mode):
        return ""
    if stat.S_ISFIFO(mode):
        return "it is a pipe"
    return "it is a socket" if stat.S_ISSOCK(mode) else "it is a device"
