"""Formats of tables, for the table of shipped formats."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, ClassVar

from ...errors import InputError, MissingExtraError
from ...result import Result
from ..containers import LARGEST_FILE
from ..fields import UNSAID, Fields
from ..formats import Passage
from ..record import Failure, Origin, SourceDocument
from .rows import RowsAssembly, strings_of_part


class _TableFormat:
    """What formats of tables share: a document is a row, a file is put together of them."""

    extensions: ClassVar[tuple[str, ...]]

    def read(self, stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument | Failure]:
        """Yield the rows of a file, none of which can be written without a word on its columns."""
        return self.read_fields(stream, origin, UNSAID)

    def read_fields(
        self, stream: BinaryIO, origin: Origin, fields: Fields
    ) -> Iterator[SourceDocument | Failure]:
        """Yield what is beside the rows of a file, and its rows."""
        raise NotImplementedError

    def write(self, source: SourceDocument, result: Result) -> bytes:
        """Return the new values of a row."""
        assert source.container is not None
        return source.container.write(source, result)

    def strings(self, data: bytes, encoding: str) -> Sequence[Passage]:
        """Return the new values of a row; those of the file are read again when it is whole."""
        return strings_of_part(data)

    def assembly(self) -> RowsAssembly:
        """Return an empty file."""
        return RowsAssembly()


class _ArrowLike(_TableFormat):
    def read_fields(
        self, stream: BinaryIO, origin: Origin, fields: Fields
    ) -> Iterator[SourceDocument | Failure]:
        """Yield what is beside the rows of a file, and its rows.

        Raises:
            InputError: if it can't be read.
            MissingExtraError: if pyarrow is not installed.
        """
        try:
            from .arrow import read
        except ImportError as error:
            raise MissingExtraError(f"reading and writing {origin.format}", "tables") from error
        source, size = source_of(stream, origin)
        yield from read(source, size, origin, fields)


class ArrowFormat(_ArrowLike):
    """Arrow IPC: files, Feather, streams."""

    extensions = (".arrow", ".arrows", ".feather", ".ipc")


class ParquetFormat(_ArrowLike):
    """Parquet."""

    extensions = (".parquet", ".pq")


class SqliteFormat(_TableFormat):
    """SQLite."""

    extensions = (".sqlite", ".sqlite3", ".db")

    def read_fields(
        self, stream: BinaryIO, origin: Origin, fields: Fields
    ) -> Iterator[SourceDocument | Failure]:
        """Yield what is beside the rows of a database, and its rows."""
        from .sqlite import read

        source, _ = source_of(stream, origin)
        yield from read(source, origin, fields)


class _WorkbookFormat(_TableFormat):
    def read_fields(
        self, stream: BinaryIO, origin: Origin, fields: Fields
    ) -> Iterator[SourceDocument | Failure]:
        """Yield what is beside the rows of a workbook, and its rows.

        Raises:
            InputError: if it can't be read.
            MissingExtraError: if the extra is not installed.
        """
        from .sheets import program, read

        try:
            program(origin.format)
        except ImportError as error:
            raise MissingExtraError(f"reading and writing .{origin.format}", "documents") from error
        data = stream.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise InputError(
                f"has more than {LARGEST_FILE:,} bytes; split the workbook.", origin.name
            )
        yield from read(data, origin, fields)


class XlsxFormat(_WorkbookFormat):
    """Workbooks of Office Open XML."""

    extensions = (".xlsx", ".xlsm")


class OdsFormat(_WorkbookFormat):
    """Workbooks of OpenDocument."""

    extensions = (".ods",)


def source_of(stream: BinaryIO, origin: Origin) -> tuple[str | bytes, int]:
    """Return the path of a file, or its bytes where they don't lie on a disk as they are; and its size.

    Raises:
        InputError: if it has too many bytes to be held in memory.
    """
    if getattr(stream, "name", None) == origin.path and Path(origin.path).is_file():
        return origin.path, os.fstat(stream.fileno()).st_size
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(
            f"has more than {LARGEST_FILE:,} bytes; write it to a file, and name that.", origin.name
        )
    return data, len(data)
