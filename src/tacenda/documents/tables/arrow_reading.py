"""Read Parquet and Arrow files in a worker; each call opens the file again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import InputError
from .arrow_types import Path, Unreadable, is_text, leaf_types, leaves, value_of

BATCHES = 16
"""Number of batches of an Arrow file that are read at a time."""
_MOST_ROWS = 65_536
_BUFFER = 1 << 20
"""Approximate number of bytes of a row group that are decoded at a time."""
_BYTES = 4
"""Maximum number of bytes of a character in UTF-8."""
_DAMAGED = "can't be read: {}; write the file again with the program that made it."
_MAGIC = {b"\x04\x22\x4d\x18": "lz4", b"\x28\xb5\x2f\xfd": "zstd"}
Source = str | bytes


@dataclass(frozen=True, slots=True)
class Description:
    """Everything in a file except its rows.

    Attributes:
        schema: the schema of its rows, without its own metadata.
        metadata: the schema's metadata by key.
        rows: number of rows in each row group; empty for Arrow IPC, where it is unknown.
        options: options to write a file like it.
    """

    schema: pa.Schema
    metadata: Mapping[bytes, bytes] = field(repr=False)
    rows: tuple[int, ...]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArrowRows:
    """Rows of a row group, or of a few batches.

    Attributes:
        stream: batches of rows, as an Arrow stream.
        groups: for each batch, the number of its row group or batch in the file.
        oversized: for each batch, the field whose value is too long, in which case its only row is
            null; otherwise None.
    """

    stream: bytes = field(repr=False)
    groups: tuple[int, ...]
    oversized: tuple[Path | None, ...]


def describe_parquet(source: Source) -> Description:
    """Return the properties of a Parquet file apart from its rows.

    Raises:
        InputError: if it has another format, or is encrypted or damaged.
    """
    file = _parquet(source)
    metadata = file.metadata
    options: dict[str, Any] = {
        "version": "1.0" if metadata.format_version == "1.0" else "2.6",
        "store_schema": b"ARROW:schema" in (metadata.metadata or {}),
    }
    if metadata.num_row_groups:
        group = metadata.row_group(0)
        chunks = [group.column(number) for number in range(group.num_columns)]
        options |= {
            "compression": {chunk.path_in_schema: _codec(chunk) for chunk in chunks},
            "use_dictionary": [c.path_in_schema for c in chunks if c.has_dictionary_page],
            "write_statistics": [c.path_in_schema for c in chunks if c.is_stats_set],
            "use_compliant_nested_type": not any(".list.item" in c.path_in_schema for c in chunks),
            "write_page_index": any(chunk.has_column_index for chunk in chunks),
            "use_deprecated_int96_timestamps": any(c.physical_type == "INT96" for c in chunks),
        }
    schema = file.schema_arrow
    rows = tuple(metadata.row_group(n).num_rows for n in range(metadata.num_row_groups))
    return Description(schema.remove_metadata(), schema.metadata or {}, rows, options)


def _codec(chunk: Any) -> str:
    name = str(chunk.compression)
    return {"UNCOMPRESSED": "NONE", "LZ4_RAW": "LZ4"}.get(name, name)


def _parquet(source: Source) -> pq.ParquetFile:
    try:
        file = source if isinstance(source, str) else pa.BufferReader(source)
        return pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        protected = "encrypt" in str(error).lower()
        reason = "it is encrypted" if protected else "it is not a Parquet file, or is damaged"
        raise InputError(_DAMAGED.format(reason)) from None


def parquet_group(source: Source, index: int, dropped: Collection[str], longest: int) -> ArrowRows:
    """Return a row group, with nulls in place of rows with a value that is too long.

    Args:
        source: path, or all bytes.
        index: number of the row group.
        dropped: names of columns that aren't used, whose values may have any length.
        longest: maximum number of characters in a value.

    Raises:
        InputError: if it is damaged.
        MemoryError: if there isn't enough memory.
    """
    try:
        file = _parquet(source)
        group = file.metadata.row_group(index)
        rows = _BUFFER * group.num_rows // max(group.total_byte_size, 1)
        batches = file.iter_batches(
            max(1, min(rows, _MOST_ROWS)), row_groups=[index], use_threads=False
        )
        return _rows(file.schema_arrow, ((index, batch) for batch in batches), dropped, longest)
    except MemoryError:
        raise MemoryError from None  # The parent process doesn't know Arrow's own exception.
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        raise InputError(_DAMAGED.format("it is damaged")) from None


def _rows(
    schema: pa.Schema,
    batches: Iterator[tuple[int, pa.RecordBatch]],
    dropped: Collection[str],
    longest: int,
) -> ArrowRows:
    """Return batches, given with the numbers of their groups, as rows."""
    buffer = pa.BufferOutputStream()
    groups: list[int] = []
    oversized: list[Path | None] = []
    with pa.ipc.new_stream(buffer, schema) as writer:
        for group, batch in batches:
            batch.validate(full=True)
            for part, path in _pieces(batch, dropped, longest):
                writer.write_batch(part)
                groups.append(group)
                oversized.append(path)
    return ArrowRows(buffer.getvalue().to_pybytes(), tuple(groups), tuple(oversized))


def _pieces(
    batch: pa.RecordBatch, dropped: Collection[str], longest: int
) -> Iterator[tuple[pa.RecordBatch, Path | None]]:
    """Yield a batch in pieces; a row with a value that is too long becomes a separate piece of nulls, with the value's field."""
    columns = list(batch.columns)
    oversized: dict[int, Path] = {}
    for index, column in enumerate(batch.schema):
        if columns[index].get_total_buffer_size() <= longest:
            continue
        if column.name in dropped:
            columns[index] = pa.nulls(batch.num_rows, column.type)
            continue
        for row, item in enumerate(columns[index] if _has_strings(column.type) else ()):
            path = _oversized(value_of(item), column, longest)
            if path is not None:
                oversized.setdefault(row, path)
    batch = pa.RecordBatch.from_arrays(columns, schema=batch.schema)
    begin = 0
    for row in sorted(oversized):
        if begin < row:
            yield batch.slice(begin, row - begin), None
        nulls = [pa.nulls(1, column.type) for column in batch.schema]
        yield pa.RecordBatch.from_arrays(nulls, schema=batch.schema), oversized[row]
        begin = row + 1
    if begin < batch.num_rows:
        yield batch.slice(begin), None


def _has_strings(type: pa.DataType) -> bool:
    inner = (leaf for _, leaf in leaf_types(type, ()))
    return any(
        is_text(leaf)
        or pa.types.is_binary(leaf)
        or pa.types.is_large_binary(leaf)
        or pa.types.is_binary_view(leaf)
        for leaf in inner
    )


def _oversized(value: Any, column: pa.Field, longest: int) -> Path | None:
    """Return the field of the first leaf that is too long in any encoding, or None."""
    items = () if value is Unreadable else leaves(value, column.type, (column.name,))
    for path, leaf in items:
        most = longest if isinstance(leaf, str) else _BYTES * longest
        if isinstance(leaf, str | bytes) and len(leaf) > most:
            return path
    return None


def describe_ipc(source: Source) -> Description:
    """Return the properties of an Arrow file or stream apart from its rows.

    Raises:
        InputError: if it has another format, or is damaged.
    """
    reader, is_file = _ipc(source)
    schema = reader.schema
    options: dict[str, Any] = {"file": is_file, "compression": _ipc_codec(source)}
    return Description(schema.remove_metadata(), schema.metadata or {}, (), options)


def _ipc(source: Source) -> tuple[Any, bool]:
    file = pa.memory_map(source) if isinstance(source, str) else pa.BufferReader(source)
    begin = file.read(6)
    file.seek(0)
    if begin[:4] == b"FEA1":
        raise InputError(_DAMAGED.format("it is Feather of version 1"))
    is_file = begin == b"ARROW1"
    try:
        return (pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file)), is_file
    except (pa.ArrowException, OSError):
        raise InputError(_DAMAGED.format("it is not an Arrow file, or is damaged")) from None


def _ipc_codec(source: Source) -> str | None:
    """Return the compression of an Arrow file's buffers, judging by the first bytes of the first one."""
    file = pa.memory_map(source) if isinstance(source, str) else pa.BufferReader(source)
    if file.read(6) != b"ARROW1":
        file.seek(0)
    else:
        file.seek(8)
    try:
        while message := pa.ipc.read_message(file):
            if message.type == "record batch" and message.body is not None:
                body = message.body.slice(0, 1 << 16).to_pybytes()
                starts = range(8, len(body) - 4, 8)
                return next(
                    (_MAGIC[body[n : n + 4]] for n in starts if body[n : n + 4] in _MAGIC), None
                )
    except (pa.ArrowException, OSError, EOFError):
        return None
    return None


def ipc_batches(
    source: Source, first: int, dropped: Collection[str], longest: int
) -> ArrowRows | None:
    """Return a few batches in the way ``parquet_group`` returns a row group, or None if there are no more.

    Args:
        source: path, or all bytes.
        first: number of the first batch.
        dropped: see ``parquet_group``.
        longest: see ``parquet_group``.

    Raises:
        InputError: if one of them is damaged.
        MemoryError: if there isn't enough memory.
    """
    reader, is_file = _ipc(source)
    batches: Iterator[tuple[int, pa.RecordBatch]]
    try:
        if is_file:
            numbers = range(first, min(first + BATCHES, reader.num_record_batches))
            batches = ((number, reader.get_batch(number)) for number in numbers)
        else:
            batches = islice(enumerate(reader), first, first + BATCHES)
        # Each batch may have its own dictionaries, which a stream allows.
        rows = _rows(reader.schema, batches, dropped, longest)
    except MemoryError:
        raise MemoryError from None
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        raise InputError(_DAMAGED.format("they are damaged or cut off")) from None
    return rows if rows.groups else None
