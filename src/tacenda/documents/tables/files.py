"""Files of tables: opened, with the extra that each needs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ...errors import InputError, MissingExtraError
from ..containers import LARGEST_FILE
from ..fields import Fields
from ..record import Failure, Origin, SourceDocument


def read_arrow(
    stream: BinaryIO, origin: Origin, fields: Fields
) -> Iterator[SourceDocument | Failure]:
    """Yield what is beside the rows of an Arrow or Parquet file, and its rows.

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


def read_sqlite(
    stream: BinaryIO, origin: Origin, fields: Fields
) -> Iterator[SourceDocument | Failure]:
    """Yield what is beside the rows of a database, and its rows."""
    from .sqlite import read

    source, _ = source_of(stream, origin)
    yield from read(source, origin, fields)


def read_workbook(
    stream: BinaryIO, origin: Origin, fields: Fields
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
        raise InputError(f"has more than {LARGEST_FILE:,} bytes; split the workbook.", origin.name)
    yield from read(data, origin, fields)


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
            f"has more than {LARGEST_FILE:,} bytes; save it to a file and pass the path.",
            origin.name,
        )
    return data, len(data)
