"""Formats whose parsers a file could crash or hang are read and written in a worker.

To its owner, a record's container remains a writer of the file. Its content (parts, not trees) is
sent to the worker and back, so the worker may be replaced between reading and writing.
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
from .formats import FileFormat, ReadOptions
from .record import Container, Failure, Origin, SourceDocument
from .registry import format_named

if TYPE_CHECKING:
    from .fields import Fields
    from .pdf.drawing import DrawnFile

LARGEST_FILE = 200_000_000
_PICTURE = 1_000_000
"""Bytes that each picture of text adds to the size of a file, which corresponds to half a minute."""


def is_isolated(format: str) -> bool:
    """Return whether files in a format are read, written and inspected in a worker."""
    return format_named(format).isolated


def input_size(data: bytes, format: FileFormat) -> int:
    """Return the size of a file that counts towards the limits, in bytes."""
    return format.weight * len(data) + _PICTURE * format.pictures(data)


def whole_file(stream: BinaryIO, name: str, remedy: str) -> bytes:
    """Return the bytes of a file.

    Raises:
        InputError: if there are too many; gives the remedy.
    """
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"has more than {LARGEST_FILE:,} bytes; {remedy}.", name)
    return data


@runtime_checkable
class SettledContainer(Protocol):
    """A container that, back in its own process, needs information about the run that only that process has."""

    def settled(self, fields: Fields) -> Container:
        """Return the container for the writer."""
        ...


def read(
    stream: BinaryIO, origin: Origin, options: ReadOptions
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents in a file of an isolated format.

    Args:
        stream: the file.
        origin: the file's name and format.
        options: treatments of fields, for formats whose files may contain records.

    Raises:
        InputError: if it can't be read, or exceeds the limits.
        MissingExtraError: if the format's extra isn't installed.
    """
    data = whole_file(stream, origin.name, "split the document")
    format = format_named(origin.format)
    items = isolated(
        _read,
        (data, origin, format.for_worker(options)),
        subject=origin.name,
        size=input_size(data, format),
    )
    size = len(data) + _PICTURE * format.pictures(data)
    for item in items:
        if isinstance(item, SourceDocument):
            container = item.container
            if options.fields is not None and isinstance(container, SettledContainer):
                container = container.settled(options.fields)
            item = replace(item, container=_Isolated(container, size))
        yield item


@dataclass(frozen=True, slots=True)
class _Isolated:
    """A container that is written in a worker.

    Attributes:
        container: the format's container, if any.
        size: size of its file in bytes, plus what its pictures count as.
    """

    container: Container | None
    size: int

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the whole sanitized file."""
        limits().check_edits(len(sanitized.replacements), record.origin.name)
        format = format_named(record.origin.format)
        return isolated(
            _write,
            (self.container, replace(record, container=None), sanitized),
            subject=record.origin.name,
            size=self.size + format.written_size(record, sanitized),
        )


def drawn_pages(data: bytes, origin: Origin) -> DrawnFile:
    """Return the pages of a PDF as shown, with the positions of the characters of its text.

    Args:
        data: the file.
        origin: the origin it was read with; of the format *pdf*.

    Raises:
        InputError: if it can't be read, or exceeds the limits.
        MissingExtraError: if the format's extra isn't installed.
    """
    size = input_size(data, format_named(origin.format))
    return isolated(_drawn, (data, origin), subject=origin.name, size=size)


def _drawn(data: bytes, origin: Origin) -> DrawnFile:
    from .pdf.text import drawn

    return drawn(BytesIO(data), origin)


def _read(data: bytes, origin: Origin, options: ReadOptions) -> list[SourceDocument | Failure]:
    try:
        return list(format_named(origin.format).read(BytesIO(data), origin, options))
    except InputError as error:
        return [Failure(error)]


def _write(container: Container | None, record: SourceDocument, sanitized: Result) -> bytes:
    format = format_named(record.origin.format)
    return format.write(replace(record, container=container), sanitized)
