"""Strings in a Parquet file: names, metadata, statistics, dictionaries and values.

Text columns are read as dictionaries, so entries that no row uses are found too. pyarrow, which
also writes the files, fills their pages only from values.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa
from pyarrow import parquet

from . import Passage
from .arrow import array_strings, schema_strings
from .strings import as_text, data_set_strings, read_only


def parquet_strings(file: BinaryIO) -> Iterator[tuple[str, str]]:
    """Yield position and text of each string outside the values: names and metadata."""
    metadata = parquet.ParquetFile(file).metadata
    yield from schema_strings(metadata.schema.to_arrow_schema(), "schema")
    for number, (key, value) in enumerate((metadata.metadata or {}).items(), 1):
        if key == b"ARROW:schema":
            message = pa.py_buffer(base64.b64decode(value))
            yield from schema_strings(pa.ipc.read_schema(message), "stored schema")
        else:
            yield f"key {number} of the metadata", as_text(key)
            yield f"metadata {number}", as_text(value)


def parquet_cells(file: BinaryIO) -> Iterator[Iterator[str | bytes]]:
    """Yield the strings in each row group: values, dictionary entries, and bounds in statistics."""
    schema = parquet.ParquetFile(file).schema
    columns = (schema.column(number) for number in range(len(schema)))
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    content = parquet.ParquetFile(file, read_dictionary=texts)
    for number in range(content.num_row_groups):
        yield _of_group(content, number, texts)


def _of_group(content: Any, number: int, texts: list[str]) -> Iterator[str | bytes]:
    group = content.metadata.row_group(number)
    for chunk in (group.column(index) for index in range(group.num_columns)):
        if chunk.path_in_schema in texts and chunk.is_stats_set and chunk.statistics.has_min_max:
            yield from (chunk.statistics.min_raw, chunk.statistics.max_raw)
    for column in content.read_row_group(number, columns=texts).columns if texts else ():
        for array in column.chunks:
            yield from array_strings(array)


def file_strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a whole file: names, metadata and cells."""
    yield from data_set_strings(data, parquet_strings, parquet_cells)
    # Its dictionaries contain each value once.
    for column in parquet.ParquetFile(read_only(data)).read().columns:
        yield from (Passage(str(value), "cell") for value in column.to_pylist() if value)
