"""Formats with parsers that a file could crash or hang: read and written in a worker.

For its owner the container of a record stays a writer of the
file. Its content (parts, not trees) travels to the worker and back, so a worker may
be replaced between the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Protocol, runtime_checkable

from ..errors import InputError
from ..isolation.limits import limits
from ..isolation.workers import isolated
from ..result import Result
from .formats import SHIPPED, format_named, read_by, written_by
from .record import PAGE_BREAK, Container, Failure, Origin, SourceDocument

if TYPE_CHECKING:
    from .fields import Fields
    from .mail.attachments import AttachedFields
    from .pdf.drawing import DrawnFile

LARGEST_FILE = 200_000_000
_PDF_READ = 4
_PDF_WRITTEN = 30
"""Times that a PDF's bytes, and characters of its text, count: it is packed, and drawn to be compared."""
_PDF_PAGE = 33_000
"""Bytes that a page counts as besides, however little is on it: a second."""
_PICTURE = 1_000_000
"""Bytes that a picture counts as besides, which may be one of text: half a minute."""
_PICTURES = {"png": 5, "jpeg": 5, "tiff": 20}
"""Numbers of pictures that a file counts as."""
_MOST_PICTURES = 500


def is_isolated(format: str) -> bool:
    """Return whether files of a format are read, written and inspected in a worker."""
    return format in ("docx", "pdf") or (format in SHIPPED and SHIPPED[format].isolated)


@runtime_checkable
class SettledContainer(Protocol):
    """Container that knows of the run what only its own process can say, once it is there again."""

    def settled(self, fields: Fields) -> Container:
        """Return the container for the writer."""
        ...


def read(
    stream: BinaryIO, origin: Origin, fields: Fields | None = None
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents of a file of an isolated format.

    Args:
        stream: the file.
        origin: its name and format.
        fields: treatments of fields, for formats whose files may have some within.

    Raises:
        InputError: if it can't be read, or costs more than the limits grant.
        MissingExtraError: if the extra of the format is not installed.
    """
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"has more than {LARGEST_FILE:,} bytes; split the document.", origin.name)
    pictures = _picture_size(data, origin.format)
    size = len(data) * (_PDF_READ if origin.format == "pdf" else 1) + pictures
    attached = _carried(fields) if origin.format == "eml" else None
    items = isolated(_read, (data, origin, attached), subject=origin.name, size=size)
    for item in items:
        yield _isolated(_settled(item, fields), len(data) + pictures)


def _settled(item: SourceDocument | Failure, fields: Fields | None) -> SourceDocument | Failure:
    if fields is None or not isinstance(item, SourceDocument):
        return item
    container = item.container
    if not isinstance(container, SettledContainer):
        return item
    return replace(item, container=container.settled(fields))


def _picture_size(data: bytes, format: str) -> int:
    """Return what the pictures of a file count as, in bytes."""
    number = _PICTURES.get(format, 0)
    if format == "pdf":
        # A stream's dictionary is never packed, so that each picture can be seen.
        number = min(data.count(b"/Image"), _MOST_PICTURES)
    return _PICTURE * number


def _isolated(item: SourceDocument | Failure, size: int) -> SourceDocument | Failure:
    if not isinstance(item, SourceDocument):
        return item
    container = item.container
    if item.origin.format in SHIPPED:
        container = _Shipped(container)
    return item if container is None else replace(item, container=_Isolated(container, size))


@dataclass(frozen=True, slots=True)
class _Shipped:
    """Container of a shipped format: its own writer, and what that knows of the file."""

    inner: Container | None

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the document's part of the sanitized file."""
        format = format_named(record.origin.format)
        assert format is not None
        return written_by(format, replace(record, container=self.inner), sanitized)


@dataclass(frozen=True, slots=True)
class _Isolated:
    """Container written in a worker.

    Attributes:
        container: the one of the format.
        size: bytes of its file, and what its pictures count as.
    """

    container: Container
    size: int

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the whole sanitized file."""
        limits().check_edits(len(sanitized.replacements), record.origin.name)
        inner = replace(record, container=None)
        size = self.size + len(sanitized.text)
        if record.origin.format == "pdf":
            pages = 1 + record.document.text.count(PAGE_BREAK)
            size = self.size + _PDF_WRITTEN * len(sanitized.text) + _PDF_PAGE * pages
        return isolated(
            _write, (self.container, inner, sanitized), subject=record.origin.name, size=size
        )


def drawn_pages(data: bytes, origin: Origin) -> DrawnFile:
    """Return the pages of a PDF as they are shown, with the places of the characters of its text.

    Args:
        data: the file.
        origin: as it was read; of the format *pdf*.

    Raises:
        InputError: if it can't be read, or costs more than the limits grant.
        MissingExtraError: if the extra of the format is not installed.
    """
    size = _PDF_READ * len(data) + _picture_size(data, origin.format)
    return isolated(_drawn, (data, origin), subject=origin.name, size=size)


def _drawn(data: bytes, origin: Origin) -> DrawnFile:
    from .pdf.text import drawn

    return drawn(BytesIO(data), origin)


def _carried(fields: Fields | None) -> AttachedFields | None:
    from .mail.attachments import AttachedFields

    return AttachedFields.carried(fields)


def _read(
    data: bytes, origin: Origin, attached: AttachedFields | None = None
) -> list[SourceDocument | Failure]:
    stream = BytesIO(data)
    try:
        if attached is not None:
            from .mail import Eml

            return list(Eml().read(stream, origin, attached))
        if origin.format == "docx":
            from . import docx

            return list(docx.read(stream, origin))
        if (format := format_named(origin.format)) is not None:
            return list(read_by(format, stream, origin))
        from .pdf.text import read

        return list(read(stream, origin))
    except InputError as error:
        return [Failure(error)]


def _write(container: Container, record: SourceDocument, sanitized: Result) -> bytes:
    return container.write(record, sanitized)
