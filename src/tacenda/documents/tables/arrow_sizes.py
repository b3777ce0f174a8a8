"""Values of Arrow that are too long to be read: found by their sizes, before conversion."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from .arrow_types import Path, is_list, taken

_BYTES = 4
"""Maximum number of bytes of a character in UTF-8."""


def pieces(
    batch: pa.RecordBatch, dropped: Collection[str], longest: int
) -> Iterator[tuple[pa.RecordBatch, Path | None]]:
    """Yield a batch in pieces; a row with a value that is too long is one of its own, of nulls, with the value's field.

    Args:
        batch: of rows.
        dropped: names of columns whose values may have any length; where one is too long, they become null.
        longest: characters of a value at most.
    """
    if batch.get_total_buffer_size() <= longest:
        yield batch, None
        return
    columns = list(batch.columns)
    fields: dict[int, Path] = {}
    for index, name in enumerate(batch.schema.names):
        column = columns[index]
        if name not in dropped:
            columns[index], rows = _checked(column, (name,), longest)
            fields = rows | fields
        elif _oversized(column, (name,), longest) is not None:
            columns[index] = pa.nulls(len(column), column.type)
    batch = pa.RecordBatch.from_arrays(columns, schema=batch.schema)
    begin = 0
    for row in sorted(fields):
        if begin < row:
            yield batch.slice(begin, row - begin), None
        nulls = [pa.nulls(1, field.type) for field in batch.schema]
        yield pa.RecordBatch.from_arrays(nulls, schema=batch.schema), fields[row]
        begin = row + 1
    if begin < len(batch):
        yield batch.slice(begin), None


def _checked(column: pa.Array, path: Path, longest: int) -> tuple[pa.Array, dict[int, Path]]:
    """Return a column, and the field of a value that is too long by the number of its row.

    Of a dictionary, all of which is in each slice, entries that are too long are null.
    """
    if not pa.types.is_dictionary(column.type):
        return column, dict(_rows(column, path, longest))
    entries = column.dictionary
    oversized = dict(_rows(entries, path, longest))
    if not oversized:
        return column, {}
    places = [None if place in oversized else place for place in range(len(entries))]
    entries = taken(entries, places)
    numbers = enumerate(column.indices.to_pylist())
    rows = {row: path for row, place in numbers if place in oversized}
    ordered = column.type.ordered
    return pa.DictionaryArray.from_arrays(column.indices, entries, ordered=ordered), rows


def _rows(column: pa.Array, path: Path, longest: int, begin: int = 0) -> Iterator[tuple[int, Path]]:
    """Yield the number of each row with a value that is too long, and the value's field, by bisection."""
    field = _oversized(column, path, longest)
    if field is None:
        return
    if len(column) == 1:
        yield begin, field
        return
    middle = len(column) // 2
    yield from _rows(column.slice(0, middle), path, longest, begin)
    yield from _rows(column.slice(middle), path, longest, begin + middle)


def _oversized(array: pa.Array, path: Path, longest: int) -> Path | None:
    """Return the field of the first value that is too long, or None."""
    return next(
        (field for field, strings in _strings(array, path) if _exceed(strings, longest)), None
    )


def _exceed(strings: pa.Array, longest: int) -> bool:
    """Return whether a string is too long, or so many bytes that they are too long in any encoding."""
    size = pc.max(pc.binary_length(strings)).as_py() or 0
    if size <= longest:
        return False
    if pa.types.is_binary(strings.type) or pa.types.is_large_binary(strings.type):
        return bool(size > _BYTES * longest)
    return bool(pc.max(pc.utf8_length(strings)).as_py() > longest)


def _strings(array: pa.Array, path: Path) -> Iterator[tuple[Path, pa.Array]]:
    """Yield the strings and bytes of an array, however nested, by their field."""
    type = array.type
    if not len(array):
        return
    if isinstance(array, pa.ExtensionArray):
        yield from _strings(array.storage, path)
    elif pa.types.is_dictionary(type):
        entries = _plain(array.dictionary)
        yield from _strings(entries.take(array.indices.drop_null().unique()), path)
    elif pa.types.is_struct(type):
        for field, values in zip(type, array.flatten(), strict=True):
            yield from _strings(values, (*path, field.name))
    elif pa.types.is_map(type):
        begin, end = array.offsets[0].as_py(), array.offsets[-1].as_py()
        yield from _strings(array.keys.slice(begin, end - begin), (*path, "key"))
        yield from _strings(array.items.slice(begin, end - begin), (*path, "value"))
    elif is_list(type):
        yield from _strings(array.flatten(), path)
    elif _is_string(_plain(array).type):
        yield path, _plain(array)


def _plain(array: pa.Array) -> pa.Array:
    """Return an array whose strings or bytes aren't views."""
    if pa.types.is_string_view(array.type):
        return array.cast(pa.large_string())
    return array.cast(pa.large_binary()) if pa.types.is_binary_view(array.type) else array


def _is_string(type: pa.DataType) -> bool:
    return any(
        is_kind(type)
        for is_kind in (
            pa.types.is_string,
            pa.types.is_large_string,
            pa.types.is_binary,
            pa.types.is_large_binary,
        )
    )
