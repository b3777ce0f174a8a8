"""Strings in the bytes of an Arrow file: schema, footer, dictionaries, and buffers outside their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa

from . import Passage
from .strings import as_text, data_set_strings

_SHORTEST = 4
STRUCTURAL = frozenset("schema list element item array key_value key value entries map".split())
"""Names that Parquet and Arrow give to the fields inside lists and maps."""


def arrow_strings(file: BinaryIO) -> Iterator[tuple[str, str]]:
    """Yield position and text of each string outside the values: in the schema, and in the bytes that contain it."""
    yield from schema_strings(_reader(file)[0].schema, "schema")
    file.seek(0)
    if file.read(6) == b"ARROW1":
        end = file.seek(0, 2)
        file.seek(end - 10)
        size = int.from_bytes(file.read(4), "little")
        file.seek(end - 10 - size)
        yield from _runs(file.read(size), "footer")
        file.seek(8)
    else:
        file.seek(0)
    message = pa.ipc.read_message(file)
    yield from _runs(message.metadata.to_pybytes(), "schema message")


def schema_strings(schema: pa.Schema, place: str) -> Iterator[tuple[str, str]]:
    """Yield position and text of each string in an Arrow schema."""
    for key, value in (schema.metadata or {}).items():
        yield f"{place}: a key of the metadata", as_text(key)
        yield f"{place}: metadata", as_text(value)
    fields = list(schema)
    while fields:
        field = fields.pop()
        if field.name not in STRUCTURAL:
            yield f"{place}: a name", field.name
        for key, value in (field.metadata or {}).items():
            yield f"{place}: a key of a field's metadata", as_text(key)
            yield f"{place}: metadata of a field", as_text(value)
        type = field.type
        fields += [type.field(number) for number in range(type.num_fields)]


def _runs(data: bytes, place: str) -> Iterator[tuple[str, str]]:
    """Yield the readable strings in a flatbuffer: they end in a NUL, and so does the length before them."""
    for part in data.split(b"\0"):
        try:
            text = part.decode()
        except UnicodeDecodeError:
            continue
        if len(text) >= _SHORTEST and any(map(str.isalnum, text)) and text not in STRUCTURAL:
            yield place, text


def arrow_cells(file: BinaryIO) -> Iterator[Iterator[str | bytes]]:
    """Yield the strings in each batch, and the bytes of its buffers that belong to none of them.

    What only a dictionary contains comes with the last batch.
    """
    reader, is_file = _reader(file)
    if is_file:
        batches = [reader.get_batch] * reader.num_record_batches
        stream: Iterator[pa.RecordBatch] = (get(n) for n, get in enumerate(batches))
    else:
        stream = iter(reader)
    values: dict[int, set[Any]] = {}
    current = next(stream, None)
    while current is not None:
        following = next(stream, None)
        yield _of_batch(current, values, is_last=following is None)
        current = following


def _of_batch(
    batch: pa.RecordBatch, seen: dict[int, set[Any]], *, is_last: bool
) -> Iterator[str | bytes]:
    for number, column in enumerate(batch.columns):
        if pa.types.is_dictionary(column.type):
            values = seen.setdefault(number, set())
            news = set(column.unique().dictionary_decode().to_pylist())
            values |= news
            entries = column.dictionary.to_pylist() if is_last else ()
            yield from (
                value
                for value in (*news, *(entry for entry in entries if entry not in values))
                if isinstance(value, str | bytes)
            )
        else:
            yield from array_strings(column)


def array_strings(array: pa.Array) -> Iterator[str | bytes]:
    """Yield the strings in an array, all entries of its dictionaries, and bytes of its buffers that belong to none."""
    type = array.type
    if pa.types.is_dictionary(type):
        yield from array_strings(array.dictionary)
    elif isinstance(type, pa.BaseExtensionType):
        yield from array_strings(array.storage)
    elif pa.types.is_map(type):
        yield from array_strings(array.keys)
        yield from array_strings(array.items)
    elif pa.types.is_struct(type):
        for number in range(type.num_fields):
            yield from array_strings(array.field(number))
    elif hasattr(array, "flatten") and type.num_fields:
        yield from array_strings(array.values)
    elif pa.types.is_string_view(type) or pa.types.is_binary_view(type):
        yield from (value for value in array.to_pylist() if value is not None)
    elif pa.types.is_fixed_size_binary(type):
        return
    elif isinstance(
        array, pa.StringArray | pa.LargeStringArray | pa.BinaryArray | pa.LargeBinaryArray
    ):
        values = [value for value in array.to_pylist() if value]  # Null structs have empty members.
        yield from values
        size = sum(len(value.encode() if isinstance(value, str) else value) for value in values)
        content = array.buffers()[2]
        rest = b"" if content is None else content.to_pybytes()[size:]
        if rest.strip(b"\0"):
            yield rest


def _reader(file: BinaryIO) -> tuple[Any, bool]:
    file.seek(0)
    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    return (pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file)), is_file


def file_strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a whole file: names, metadata and cells."""
    return data_set_strings(data, arrow_strings, arrow_cells)
