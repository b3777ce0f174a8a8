"""Arrow values as leaves with paths, and values rebuilt from other leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from ...errors import InputError

Path = tuple[str, ...]
Gone = Callable[[Path], bool]
TYPE_KEYS = (b"PARQUET:field_id", b"ARROW:extension:name", b"ARROW:extension:metadata")
"""Keys of metadata that describe the type of a column."""

# A leaf is a value other than a list, struct or map. Lists add nothing to a path, structs add the
# names of their fields, and maps add ``key`` or ``value``.


def leaf_types(type: pa.DataType, path: Path) -> Iterator[tuple[Path, pa.DataType]]:
    """Yield path and type of each leaf of a column.

    Raises:
        InputError: if the values of a type can't be written back.
    """
    type = _plain(type)
    if is_list(type):
        yield from leaf_types(type.value_type, path)
    elif pa.types.is_struct(type):
        for field in type.fields:
            yield from leaf_types(field.type, (*path, field.name))
    elif pa.types.is_map(type):
        yield from leaf_types(type.key_type, (*path, "key"))
        yield from leaf_types(type.item_type, (*path, "value"))
    elif pa.types.is_union(type) or pa.types.is_run_end_encoded(type):
        raise InputError(f"its type {str(type)!r} can't be written; drop the column.")
    else:
        yield path, type


def leaves(value: Any, type: pa.DataType, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield path and value of each leaf of a cell, given as by ``to_pylist``; a null has no leaves."""
    type = _plain(type)
    if value is None:
        return
    if is_list(type):
        for item in value:
            yield from leaves(item, type.value_type, path)
    elif pa.types.is_struct(type):
        for field in type.fields:
            yield from leaves(value[field.name], field.type, (*path, field.name))
    elif pa.types.is_map(type):
        for key, item in value:
            yield from leaves(key, type.key_type, (*path, "key"))
            yield from leaves(item, type.item_type, (*path, "value"))
    else:
        yield path, value


def rebuilt(value: Any, type: pa.DataType, values: Iterator[Any], gone: Gone, path: Path) -> Any:
    """Return a cell with other leaves, in the order of ``leaves``, without dropped fields."""
    type = _plain(type)
    if value is None:
        return None
    if is_list(type):
        return [rebuilt(item, type.value_type, values, gone, path) for item in value]
    if pa.types.is_struct(type):
        members = [
            (field.name, rebuilt(value[field.name], field.type, values, gone, (*path, field.name)))
            for field in type.fields
        ]
        return {name: item for name, item in members if not gone((*path, name))}
    if pa.types.is_map(type):
        return [
            (
                rebuilt(key, type.key_type, values, gone, (*path, "key")),
                rebuilt(item, type.item_type, values, gone, (*path, "value")),
            )
            for key, item in value
        ]
    return next(values)


def written_type(
    type: pa.DataType,
    path: Path,
    leaf: Callable[[Path, pa.DataType], pa.DataType | None],
    plan: dict[Path, pa.DataType | None],
) -> pa.DataType | None:
    """Return the type of a column as it is written.

    Args:
        type: the type in the input.
        path: path of the column.
        leaf: returns the new type of a leaf, given its path and type, or None if it is dropped.
        plan: receives the new type of each path.

    Returns:
        The type without dropped fields, or None if nothing is left.
    """
    new: pa.DataType | None
    if pa.types.is_struct(type):
        inner = [
            (field, written_type(field.type, (*path, field.name), leaf, plan))
            for field in type.fields
        ]
        fields = [_with_type(field, new) for field, new in inner if new is not None]
        new = pa.struct(fields) if fields or not type.num_fields else None
    elif pa.types.is_map(type):
        key = written_type(type.key_type, (*path, "key"), leaf, plan)
        item = written_type(type.item_type, (*path, "value"), leaf, plan)
        new = None
        if key is not None and item is not None:
            new = pa.map_(key, _with_type(type.item_field, item), keys_sorted=False)
    elif is_list(type):
        value = written_type(type.value_type, path, leaf, plan)
        new = None if value is None else _list_of(type, _with_type(type.value_field, value))
    else:
        new = leaf(path, type)
    plan[path] = new
    return new


def _with_type(field: pa.Field, type: pa.DataType) -> pa.Field:
    """Return an inner field with another type and only the metadata that describes types."""
    metadata = {key: value for key, value in (field.metadata or {}).items() if key in TYPE_KEYS}
    return field.with_type(type).with_metadata(metadata or None)


def inner_names(type: pa.DataType) -> Iterator[str]:
    """Yield the names of the fields within a column."""
    for number in range(type.num_fields):
        yield type.field(number).name
        yield from inner_names(type.field(number).type)


class Unreadable:
    """A value that Python can't represent, such as a date in the year 12,000 or a string that isn't UTF-8."""


def values_of(column: pa.Array) -> list[Any]:
    """Return the values of a column, with ``Unreadable`` for those that Python can't represent."""
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except (ValueError, OverflowError, pa.ArrowException):
        return [value_of(item) for item in column]


def value_of(item: pa.Scalar) -> Any:
    """Return a value, or ``Unreadable`` if Python can't represent it."""
    try:
        return item.as_py()
    except (ValueError, OverflowError, pa.ArrowException):
        return Unreadable


def taken(column: pa.Array, places: Sequence[int | None]) -> pa.Array:
    """Return the values at some positions of a column (null for None), without any bytes of other values."""
    try:
        return column.take(pa.array(places, pa.int64()))
    except pa.ArrowNotImplementedError:  # Views can't be taken from.
        values = [None if place is None else column[place].as_py() for place in places]
        return pa.array(values, column.type)


def is_text(type: pa.DataType) -> bool:
    """Return whether a leaf of this type is a string."""
    type = _plain(type)
    return bool(
        pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type)
    )


def _plain(type: pa.DataType) -> pa.DataType:
    """Return the type of the values behind a dictionary or an extension."""
    while True:
        if pa.types.is_dictionary(type):
            type = type.value_type
        elif isinstance(type, pa.BaseExtensionType):
            type = type.storage_type
        else:
            return type


def is_list(type: pa.DataType) -> bool:
    """Return whether values of this type are lists; maps aren't."""
    return bool(
        pa.types.is_list(type)
        or pa.types.is_large_list(type)
        or pa.types.is_fixed_size_list(type)
        or pa.types.is_list_view(type)
        or pa.types.is_large_list_view(type)
    )


def _list_of(type: pa.DataType, field: pa.Field) -> pa.DataType:
    if pa.types.is_fixed_size_list(type):
        return pa.list_(field, type.list_size)
    if pa.types.is_large_list(type):
        return pa.large_list(field)
    if pa.types.is_list_view(type):
        return pa.list_view(field)
    return pa.large_list_view(field) if pa.types.is_large_list_view(type) else pa.list_(field)
