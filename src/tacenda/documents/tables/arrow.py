"""Parquet and Arrow IPC: files are read and written by row group or record batch.

A worker opens the file once for each row group (or a few batches), so that a damaged one is skipped
and the rest is read. The values of a row are left out if one of them is too long. Unchanged values
are copied exactly, column by column; others are built from Python values of the same type.
Dictionaries contain only values that are written.

These stay: the schema with its field metadata, row order, nulls, row groups (large ones are split),
compression, statistics, page indexes, and metadata without masked strings. Bloom filters and
declarations of sort order aren't written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, BinaryIO

import pyarrow as pa

from ...errors import InputError
from ...isolation.workers import isolated
from ..fields import Fields, Treatment
from ..record import Failure, Origin, SourceDocument
from .arrow_reading import (
    BATCHES,
    Description,
    describe_ipc,
    describe_parquet,
    ipc_batches,
    parquet_group,
)
from .arrow_types import (
    TYPE_KEYS,
    Path,
    Unreadable,
    inner_names,
    is_text,
    leaf_types,
    leaves,
    values_of,
    written_type,
)
from .arrow_writing import ArrowSink
from .rows import (
    LARGEST_CELL,
    Table,
    TableLeaf,
    check_names,
    oversize,
    source_of,
    unreadable,
)

_BATCH = 256
_TECHNICAL = (b"pandas", *TYPE_KEYS)
"""Keys of metadata that isn't read as text."""


def read(stream: BinaryIO, origin: Origin, fields: Fields) -> Iterator[SourceDocument | Failure]:
    """Yield the head of a table and its rows.

    Args:
        stream: the file.
        origin: its name, and its format: ``parquet`` or ``arrow``.
        fields: treatments of the columns and their fields.

    Raises:
        InputError: if it isn't a table, has a column that can't be written, or has two columns with
            the same name.
    """
    source, size = source_of(stream, origin)
    is_parquet = origin.format == "parquet"
    describe = describe_parquet if is_parquet else describe_ipc
    try:
        description = isolated(describe, (source,), subject=origin.name, size=size)
    except InputError as error:
        raise error.of(origin.name) from None
    table = ArrowTable(description, fields, origin)
    yield table.head(table.texts)
    dropped = [column.name for column in description.schema if table.gone((column.name,))]
    number = 0
    for index in range(len(description.rows)) if is_parquet else count(0, BATCHES):
        try:
            load = parquet_group if is_parquet else ipc_batches
            arguments = (source, index, dropped, LARGEST_CELL)
            rows = isolated(load, arguments, subject=origin.name, size=size)
        except InputError as error:
            message = str(error).removeprefix(f"{origin.name}: ")
            if not is_parquet:
                yield Failure(InputError(f"batches from {index + 1} on: {message}", origin.name))
                return
            last = number + description.rows[index]
            where = f"row group {index + 1} (rows {number + 1} to {last})"
            yield Failure(InputError(f"{where}: {message}", origin.name))
            number = last
            continue
        if rows is None:
            return
        batches = pa.ipc.open_stream(rows.stream)
        for batch, group, path in zip(batches, rows.groups, rows.oversized, strict=True):
            if path is not None:
                number += 1
                if not table.fields.passes_over():
                    message = oversize(path, LARGEST_CELL, table.fields)
                    yield Failure(InputError(message, f"{origin.name}:{number}"))
                continue
            for start in range(0, batch.num_rows, _BATCH):
                part = batch.slice(start, _BATCH)
                yield from table.rows(part, group, number)
                number += part.num_rows


@dataclass(frozen=True, slots=True, eq=False)
class RowBatch:
    """A few rows of a row group.

    Attributes:
        batch: the rows.
        group: number of their row group or batch.
        values: the values of each column as Python objects.
    """

    batch: pa.RecordBatch = field(repr=False)
    group: int
    values: list[list[Any]] = field(repr=False)


def _string(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _treatments(type: pa.DataType) -> frozenset[Treatment] | None:
    """Return the treatments that a type allows besides drop and keep, or None if it allows all."""
    if is_text(type):
        return None
    is_number = pa.types.is_integer(type) or pa.types.is_floating(type)
    treatments = set()
    if pa.types.is_date(type) or pa.types.is_timestamp(type):
        treatments.add(Treatment.DATE)
    if is_number or pa.types.is_decimal(type):
        treatments.add(Treatment.NUMBER)
    if _of_identifiers(type) is not None:
        treatments.add(Treatment.IDENTIFIER)
    if pa.types.is_boolean(type) or pa.types.is_null(type):
        treatments.add(Treatment.KEEP)  # Such values identify nobody.
    return frozenset(treatments)


def _of_identifiers(type: pa.DataType) -> pa.DataType | None:
    """Return the type of a column's pseudonyms (its own or the next larger one), or None if no type can store them."""
    if pa.types.is_integer(type):
        if type.bit_width < pa.int32().bit_width:
            return pa.int32()
        return pa.int64() if type == pa.uint32() else type
    is_other = pa.types.is_float64(type) or str(type) == "extension<arrow.uuid>"
    return type if is_other else None


class ArrowTable(Table):
    """An Arrow table and how each of its columns is written.

    Args:
        description: everything in the file except its rows.
        fields: treatments.
        origin: the file.

    Raises:
        InputError: if two columns have the same name, or a column's type doesn't support its
            treatment.
    """

    def __init__(self, description: Description, fields: Fields, origin: Origin) -> None:
        names = description.schema.names
        fields = fields.with_names({f"column {n}": name for n, name in enumerate(names, 1)})
        self.description = description
        self.fields = fields
        self.origin = origin
        self._left_out: set[str] = set()
        self._types: dict[Path, pa.DataType | None] = {}
        for number, name in enumerate(names, 1):
            if names.index(name) < number - 1:
                raise InputError(
                    f"columns {names.index(name) + 1} and {number} have the same name; rename one.",
                    origin.name,
                )
        unlisted: dict[int, str] = {}
        for number, column in enumerate(description.schema, 1):
            self._plan(number, column, unlisted)
        check_names(fields, self._types, origin.name)
        self.refusal = fields.refusal(unlisted, "column") if unlisted else ""
        columns = ((column, self._types[(column.name,)]) for column in description.schema)
        self.written = pa.schema(
            [column.with_type(new) for column, new in columns if new is not None]
        )
        self._metadata = self._pandas_without_dropped()
        metadata = {
            f"metadata of column {number}, {place}": _string(value)
            for number, column in enumerate(self.written, 1)
            for place, (key, value) in enumerate((column.metadata or {}).items(), 1)
            if key not in _TECHNICAL
        }
        self.texts = dict(metadata)
        for number, (key, value) in enumerate(self._metadata.items(), 1):
            metadata[f"metadata {number}"] = _string(value)
            if key not in _TECHNICAL:
                self.texts[f"metadata {number}"] = _string(value)
        self.constants = self._names() | metadata

    def _plan(self, number: int, column: pa.Field, unlisted: dict[int, str]) -> None:
        """Choose the output types of a column and its fields."""

        def leaf(path: Path, type: pa.DataType) -> pa.DataType | None:
            rule = self.fields.rule(path)
            if self.fields.takes is not None:
                self.fields.declare(path, _treatments(type))
            if rule is None:
                unlisted[number] = ".".join(path)
                return type
            return self._leaf_type(type, rule.treatment, rule.to == "shift", number)

        path = (column.name,)
        rule = self.fields.rule(path)
        if rule is not None and rule.treatment is Treatment.DROP and not self.fields.within(path):
            self._types[path] = None
            return
        try:
            self._check_inside(number, column)
        except InputError:
            if self.fields.takes is None:
                raise
            self.fields.declare(path, frozenset())
            self._types[path] = None
            return
        written_type(column.type, path, leaf, self._types)

    def _check_inside(self, number: int, column: pa.Field) -> None:
        """Raise an InputError if a column's values can't be written back."""
        path = (column.name,)
        try:
            inner = list(leaf_types(column.type, path))
        except InputError as error:
            raise InputError(f"column {number}: {error}", self.origin.name) from None
        if self.origin.format == "arrow" and any(
            pa.types.is_dictionary(type) and place != path for place, type in inner
        ):
            raise InputError(
                f"column {number} contains a nested dictionary; cast it to text, or drop it.",
                self.origin.name,
            )

    def _leaf_type(
        self, type: pa.DataType, treatment: Treatment, is_shifted: bool, number: int
    ) -> pa.DataType | None:
        if treatment is Treatment.DROP:
            return None
        treatments = _treatments(type)
        if treatments is None or treatment is Treatment.KEEP:
            return type
        if treatment in treatments:
            if treatment is Treatment.IDENTIFIER:
                return _of_identifiers(type)
            return type if is_shifted else pa.string()
        raise InputError(
            f"column {number} is of type {str(type)!r}, which {treatment} doesn't support; cast it "
            "to text, or choose another treatment.",
            self.origin.name,
        )

    def gone(self, path: Path) -> bool:
        """Return whether a field is dropped with everything in it."""
        return self._types.get(path, self) is None

    def _names(self) -> dict[str, str]:
        """Return the names of columns and their fields, by position."""
        names: dict[str, str] = {}
        for number, column in enumerate(self.written, 1):
            names[f"name of column {number}"] = column.name
            for place, name in enumerate(inner_names(column.type), 1):
                names[f"name of field {place} in column {number}"] = name
        return names

    def _pandas_without_dropped(self) -> dict[bytes, bytes]:
        """Return the schema's metadata, with pandas entries only for the columns that are written."""
        metadata = dict(self.description.metadata)
        if b"pandas" not in metadata:
            return metadata
        try:
            item = json.loads(metadata[b"pandas"])
            names = self.written.names
            columns = [column for column in item["columns"] if column["field_name"] in names]
            for column in columns:
                old = self.description.schema.field(column["field_name"]).type
                new = self.written.field(column["field_name"]).type
                if pa.types.is_integer(new) and new != old:
                    column |= {"pandas_type": str(new), "numpy_type": str(new)}
                elif new != old:
                    column |= {"pandas_type": "unicode", "numpy_type": "object"}
            indexes = [
                index
                for index in item["index_columns"]
                if not isinstance(index, str) or index in names
            ]
            item |= {"columns": columns, "index_columns": indexes}
        except (ValueError, KeyError, TypeError, AttributeError):
            del metadata[b"pandas"]
            return metadata
        metadata[b"pandas"] = json.dumps(item).encode()
        return metadata

    def leave_out(self, place: str) -> bool:
        """Leave out metadata that contains a masked string; column names can't be left out."""
        if place.startswith("metadata "):
            self._left_out.add(place)
        return place.startswith("metadata ")

    def schema(self) -> pa.Schema:
        """Return the output schema with the metadata that stays."""
        columns = []
        for number, column in enumerate(self.written, 1):
            items = enumerate((column.metadata or {}).items(), 1)
            kept = {
                key: value
                for place, (key, value) in items
                if f"metadata of column {number}, {place}" not in self._left_out
            }
            columns.append(column.with_metadata(kept or None))
        metadata = {
            key: value
            for number, (key, value) in enumerate(self._metadata.items(), 1)
            if f"metadata {number}" not in self._left_out
        }
        return pa.schema(columns, metadata or None)

    def rows(
        self, batch: pa.RecordBatch, group: int, before: int
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a few rows.

        Args:
            batch: the rows.
            group: number of their row group.
            before: number of rows before them.
        """
        columns: list[list[Any]] = [
            [None] * batch.num_rows
            if self.gone((column.name,))
            else values_of(batch.column(number))
            for number, column in enumerate(batch.schema)
        ]
        part = RowBatch(batch, group, columns)
        for index in range(batch.num_rows):
            if self.fields.passes_over():
                continue
            name = f":{before + index + 1}"
            cells = [
                (column, values[index])
                for column, values in zip(batch.schema, part.values, strict=True)
                if not self.gone((column.name,))
            ]
            damaged = next((c.name for c, value in cells if value is Unreadable), None)
            if damaged is not None:
                message = unreadable((damaged,), self.fields)
                yield Failure(InputError(message, self.origin.name + name))
                continue
            items = [
                TableLeaf(path, value, is_typed=True)
                for column, cell in cells
                for path, value in leaves(cell, column.type, (column.name,))
            ]
            yield self.row((part, index), items, name)

    def sink(self) -> ArrowSink:
        """Return an empty file of the same kind."""
        return ArrowSink(self)
