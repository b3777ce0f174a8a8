"""Strings in the bytes of a Parquet file: footer, statistics, page headers, dictionaries and values.

They are read from the file's own structures, using only the codecs of the library that wrote it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa

from ...errors import InputError
from . import Passage
from .strings import data_set_strings, read_only
from .thrift import CompactReader

# Field numbers: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
_SCHEMA, _GROUPS, _KEY_VALUES = 2, 4, 5
_REPETITION, _NAME, _CHILDREN = 3, 4, 5
_META, _INDEX_OFFSET, _INDEX_LENGTH = 3, 6, 7
_TYPE, _PATH, _CODEC, _COMPRESSED, _DATA_OFFSET, _DICTIONARY_OFFSET, _STATISTICS = (
    1,
    3,
    4,
    7,
    9,
    11,
    12,
)
_BOUNDS = (1, 2, 5, 6)
_DATA_PAGE, _DICTIONARY_PAGE, _DATA_PAGE_2 = 0, 2, 3
_BYTE_ARRAY = 6
_PLAIN, _RLE_DICTIONARY = 0, 8
_REPEATED, _REQUIRED = 2, 0
_CODECS = {1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}
STRUCTURAL = frozenset("schema list element item array key_value key value entries map".split())
_HEADER = 1 << 16


def parquet_strings(file: BinaryIO) -> Iterator[tuple[str, str]]:
    """Yield position and text of each string outside the values: names and metadata.

    Raises:
        InputError: if the file can't be read.
    """
    footer = _footer(file)
    for number, element in enumerate(footer[_SCHEMA]):
        name = _text(element[_NAME])
        if name not in STRUCTURAL:
            yield f"name {number}", name
    for number, item in enumerate(footer.get(_KEY_VALUES, ()), 1):
        key = _text(item[1])
        if key == "ARROW:schema":
            message = pa.py_buffer(base64.b64decode(item[2]))
            yield from schema_strings(pa.ipc.read_schema(message), "stored schema")
        else:
            yield f"key {number} of the metadata", key
            yield f"metadata {number}", _text(item.get(2, b""))
    for group in footer[_GROUPS]:
        for chunk in group[1]:
            for item in chunk[_META].get(8, ()):
                yield "metadata of a chunk", _text(item[1]) + _text(item.get(2, b""))


def schema_strings(schema: pa.Schema, place: str) -> Iterator[tuple[str, str]]:
    """Yield position and text of each string in an Arrow schema."""
    for key, value in (schema.metadata or {}).items():
        yield f"{place}: a key of the metadata", _text(key)
        yield f"{place}: metadata", _text(value)
    fields = list(schema)
    while fields:
        field = fields.pop()
        if field.name not in STRUCTURAL:
            yield f"{place}: a name", field.name
        for key, value in (field.metadata or {}).items():
            yield f"{place}: a key of a field's metadata", _text(key)
            yield f"{place}: metadata of a field", _text(value)
        type = field.type
        fields += [type.field(number) for number in range(type.num_fields)]


def parquet_cells(file: BinaryIO) -> Iterator[Iterator[bytes]]:
    """Yield the strings in each row group: values, dictionary entries, and bounds in statistics.

    Raises:
        InputError: if the file can't be read.
    """
    footer = _footer(file)
    levels = _levels(footer[_SCHEMA])
    for group in footer[_GROUPS]:
        yield _of_group(file, group, levels)


def _of_group(
    file: BinaryIO, group: dict[int, Any], levels: dict[tuple[bytes, ...], tuple[bool, bool]]
) -> Iterator[bytes]:
    for chunk in group[1]:
        meta = chunk[_META]
        if meta[_TYPE] != _BYTE_ARRAY:
            continue
        yield from _bounds(meta.get(_STATISTICS))
        if _INDEX_OFFSET in chunk:
            file.seek(chunk[_INDEX_OFFSET])
            index = CompactReader(file.read(chunk[_INDEX_LENGTH])).struct()
            for is_null, *bounds in zip(index[1], index[2], index[3], strict=True):
                if not is_null:
                    yield from bounds
        yield from _of_chunk(file, meta, levels[tuple(meta[_PATH])])


def _of_chunk(file: BinaryIO, meta: dict[int, Any], levels: tuple[bool, bool]) -> Iterator[bytes]:
    position = meta.get(_DICTIONARY_OFFSET, meta[_DATA_OFFSET])
    end = position + meta[_COMPRESSED]
    while position < end:
        file.seek(position)
        reader = CompactReader(file.read(min(_HEADER + 2 * LARGEST_BOUND, end - position)))
        header = reader.struct()
        file.seek(position + reader.position)
        page = file.read(header[3])
        position += reader.position + header[3]
        if header[1] == _DICTIONARY_PAGE:
            yield from _plain(_decompressed(page, meta[_CODEC], header[2]))
            continue
        if header[1] == _DATA_PAGE:
            detail = header[5]
            yield from _bounds(detail.get(5))
            page = _without_levels(_decompressed(page, meta[_CODEC], header[2]), levels)
        elif header[1] == _DATA_PAGE_2:
            detail = {**header[8], 2: header[8][4]}
            yield from _bounds(detail.get(8))
            begin = detail[5] + detail[6]
            page = page[begin:]
            if detail.get(7, True):
                page = _decompressed(page, meta[_CODEC], header[2] - begin)
        else:
            raise InputError("the sanitized file has a page of an unknown kind.")
        if detail[2] == _PLAIN:
            yield from _plain(page)
        elif detail[2] not in (2, _RLE_DICTIONARY):
            raise InputError("the sanitized file has a page in an unknown encoding.")


LARGEST_BOUND = 1 << 16


def _bounds(statistics: dict[int, Any] | None) -> Iterator[bytes]:
    for number in _BOUNDS:
        if statistics and number in statistics:
            yield statistics[number]


def _plain(page: bytes) -> Iterator[bytes]:
    position = 0
    while position < len(page):
        size = int.from_bytes(page[position : position + 4], "little")
        position += 4 + size
        if position > len(page):
            raise InputError("the sanitized file has a page that is cut off.")
        yield page[position - size : position]


def _without_levels(page: bytes, levels: tuple[bool, bool]) -> bytes:
    """Return a page after its repetition and definition levels, each of which is preceded by its length."""
    position = 0
    for is_there in levels:
        if is_there:
            position += 4 + int.from_bytes(page[position : position + 4], "little")
    return page[position:]


def _levels(schema: list[dict[int, Any]]) -> dict[tuple[bytes, ...], tuple[bool, bool]]:
    """Return for each leaf, by path, whether it has repetition and definition levels."""
    levels: dict[tuple[bytes, ...], tuple[bool, bool]] = {}
    elements = iter(schema[1:])

    def walk(count: int, path: tuple[bytes, ...], repeated: bool, optional: bool) -> None:
        for _ in range(count):
            element = next(elements)
            inner = (*path, element[_NAME])
            kind = element.get(_REPETITION, _REQUIRED)
            is_repeated, is_optional = repeated or kind == _REPEATED, optional or kind != _REQUIRED
            if _CHILDREN in element:
                walk(element[_CHILDREN], inner, is_repeated, is_optional)
            else:
                levels[inner] = (is_repeated, is_optional)

    walk(schema[0].get(_CHILDREN, 0), (), False, False)
    return levels


def _decompressed(page: bytes, codec: int, size: int) -> bytes:
    if not codec or not page:
        return page
    if codec not in _CODECS:
        raise InputError("the sanitized file has a page in an unknown codec.")
    return pa.decompress(page, decompressed_size=size, codec=_CODECS[codec], asbytes=True)  # type: ignore[no-any-return]


def _footer(file: BinaryIO) -> dict[int, Any]:
    end = file.seek(0, 2)
    file.seek(max(0, end - 8))
    tail = file.read(8)
    size = int.from_bytes(tail[:4], "little")
    if tail[4:] != b"PAR1" or size > end:
        raise InputError("the sanitized file has no footer.")
    file.seek(end - 8 - size)
    return CompactReader(file.read(size)).struct()


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def file_strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a whole file: names, metadata and cells."""
    yield from data_set_strings(data, parquet_strings, parquet_cells)
    # Its dictionaries contain each value once.
    from pyarrow import parquet

    for column in parquet.ParquetFile(read_only(data)).read().columns:
        yield from (Passage(str(value), "cell") for value in column.to_pylist() if value)
