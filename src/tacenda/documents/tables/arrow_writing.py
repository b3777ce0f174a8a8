"""Assemble Parquet and Arrow files from sanitized rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import InputError, in_one_line
from ..inspection.arrow import arrow_cells, arrow_strings
from ..inspection.parquet import parquet_cells, parquet_strings
from .arrow_types import TYPE_KEYS, leaves, rebuilt, taken
from .rows import TypedRow
from .verified import VerifiedStrings, nameless_file

if TYPE_CHECKING:
    from .arrow import ArrowTable, RowBatch

LARGEST_GROUP = 128_000_000
"""Size of a row group in memory, in bytes, above which it is split."""
_CHUNK = 1 << 20


class ArrowSink:
    """Writes one file; its bytes are in an unnamed temporary file until it is complete.

    Args:
        table: the table as read.
    """

    def __init__(self, table: ArrowTable) -> None:
        self._table = table
        self._is_parquet = table.origin.format == "parquet"
        self._file = nameless_file(self)
        self._writer: Any = None
        self._part: RowBatch | None = None
        self._indices: list[int] = []
        self._cells: dict[int, dict[int, Any]] = {}
        self._batches: list[pa.RecordBatch] = []
        self._dictionaries: dict[str, dict[Any, int]] = {}
        self._strings = VerifiedStrings()

    def add(self, row: TypedRow, values: Sequence[Any]) -> None:
        """Add a row, or the metadata, from which masked entries are left out."""
        if row.place is None:
            for leaf, value in zip(row.leaves, values, strict=True):
                if value != leaf.value:
                    self._table.leave_out(leaf.path[-1])
            return
        part, index = row.place
        if self._part is not part:
            self._end_part(part)
        self._strings.add(value for value in values if isinstance(value, str | bytes))
        news: dict[str, list[Any]] = {}
        columns: set[str] = set()
        for leaf, value in zip(row.leaves, values, strict=True):
            news.setdefault(leaf.path[0], []).append(value)
            if value is not leaf.value:
                columns.add(leaf.path[0])
        for number, column in enumerate(part.batch.schema):
            if column.name in columns:
                self._cells.setdefault(number, {})[index] = rebuilt(
                    part.values[number][index],
                    column.type,
                    iter(news[column.name]),
                    self._table.gone,
                    (column.name,),
                )
        self._indices.append(index)

    def close(self) -> Iterator[bytes]:
        """Yield the bytes of the file.

        Raises:
            InputError: if it contains a string that is in none of its rows.
        """
        self._end_part(None)
        self._end_group()
        self._open()
        self._writer.close()
        if not self._schema.equals(self._table.schema(), check_metadata=True):
            self._write_without_metadata()
        self._check()
        self._file.seek(0)
        with self._file as file:
            while chunk := file.read(_CHUNK):
                yield chunk

    def _open(self) -> None:
        if self._writer is not None:
            return
        self._schema = self._table.schema()
        options = dict(self._table.description.options)
        if self._is_parquet:
            self._writer = pq.ParquetWriter(self._file, self._schema, **options)
            return
        create = pa.ipc.new_file if options.pop("file") else pa.ipc.new_stream
        settings = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True, **options)
        self._writer = create(self._file, self._schema, options=settings)

    def _end_part(self, following: RowBatch | None) -> None:
        """Turn the rows of a part into a batch, and end the row group if the next part belongs to another one."""
        part, self._part = self._part, following
        if part is not None and self._indices:
            columns = [
                self._column(part, number, column)
                for number, column in enumerate(part.batch.schema)
                if not self._table.gone((column.name,))
            ]
            batch = pa.RecordBatch.from_arrays(columns, schema=self._table.written)
            self._batches.append(batch)
        self._indices, self._cells = [], {}
        ends = part is not None and following is not None and part.group != following.group
        if ends or sum(batch.nbytes for batch in self._batches) > LARGEST_GROUP:
            self._end_group()

    def _column(self, part: RowBatch, number: int, column: pa.Field) -> pa.Array:
        new = self._table.written.field(column.name).type
        cells = self._cells.get(number, {})
        is_encoded = pa.types.is_dictionary(new)
        if not cells and new == column.type and not is_encoded:
            # Copying leaves behind the bytes under nulls and outside slices.
            return taken(part.batch.column(number), self._indices)
        values = [
            cells[index] if index in cells else self._unchanged(part, number, index, column)
            for index in self._indices
        ]
        if is_encoded and not self._is_parquet:
            return self._encoded(column.name, new, values)
        try:
            return pa.array(values, type=new)
        except (pa.ArrowException, OverflowError, TypeError, ValueError):
            raise InputError(
                f"column {number + 1}: its new values can't be written as {str(new)!r}; cast it, or "
                f"choose another treatment.",
                self._table.origin.name,
            ) from None

    def _unchanged(self, part: RowBatch, number: int, index: int, column: pa.Field) -> Any:
        value, path = part.values[number][index], (column.name,)
        old = (leaf for _, leaf in leaves(value, column.type, path))
        return rebuilt(value, column.type, old, self._table.gone, path)

    def _encoded(self, name: str, type: pa.DataType, values: list[Any]) -> pa.Array:
        """Return values with a dictionary that starts with the entries of earlier batches."""
        numbers = self._dictionaries.setdefault(name, {})
        indices = [
            None if value is None else numbers.setdefault(value, len(numbers)) for value in values
        ]
        entries = pa.array(list(numbers), type=type.value_type)
        keys = pa.array(indices, type=type.index_type)
        return pa.DictionaryArray.from_arrays(keys, entries, ordered=type.ordered)

    def _end_group(self) -> None:
        """Write the collected rows as a row group or a batch."""
        if not self._batches:
            return
        self._open()
        table = pa.Table.from_batches(self._batches).replace_schema_metadata(self._schema.metadata)
        table = table.cast(self._schema) if table.schema != self._schema else table
        self._batches = []
        if self._is_parquet:
            self._writer.write_table(table, row_group_size=max(1, table.num_rows))
        else:
            for batch in table.combine_chunks().to_batches():
                self._writer.write_batch(batch)
        self._strings.end_group()

    def _write_without_metadata(self) -> None:
        """Write the file again without metadata in which a string was masked after the file was started."""
        old, self._writer = self._file, None
        self._file = nameless_file(self)
        self._open()
        old.seek(0)
        with old:
            if self._is_parquet:
                file = pq.ParquetFile(old)
                for index in range(file.num_row_groups):
                    group = file.read_row_group(index).cast(self._schema)
                    self._writer.write_table(group, row_group_size=max(1, group.num_rows))
            else:
                is_file = self._table.description.options["file"]
                reader = pa.ipc.open_file(old) if is_file else pa.ipc.open_stream(old)
                numbers = range(reader.num_record_batches) if is_file else ()
                for batch in (reader.get_batch(n) for n in numbers) if is_file else reader:
                    self._writer.write_batch(batch.replace_schema_metadata(self._schema.metadata))
            self._writer.close()

    def _check(self) -> None:
        """Raise an ``InputError`` if the file contains a string that isn't in its rows, names or metadata."""
        beside = set(self._table.constants.values()) | _keys(self._schema)
        file = self._file
        is_parquet = self._is_parquet
        places = [
            f"{place} of the sanitized file"
            for place, text in (parquet_strings(file) if is_parquet else arrow_strings(file))
            if text not in beside
        ]
        groups = parquet_cells(file) if is_parquet else arrow_cells(file)
        for number, unknown in enumerate(self._strings.unknown(groups), 1):
            if unknown:
                places.append(f"{unknown} values of row group {number} of the sanitized file")
        if places:
            raise InputError(
                f"strings of unknown origin would be in the output: {in_one_line(places)}. "
                "Nothing was written; please report it.",
                self._table.origin.name,
            )


def _keys(schema: pa.Schema) -> set[str]:
    """Return the keys of a schema's metadata, and strings that only describe types."""
    keys: set[str] = set()
    items: list[Any] = [schema, *schema]
    while items:
        item = items.pop()
        for key, value in (item.metadata or {}).items():
            keys.add(key.decode("utf-8", "replace"))
            if key in TYPE_KEYS:
                keys.add(value.decode("utf-8", "replace"))
        if isinstance(item, pa.Field):
            keys.add(getattr(item.type, "tz", None) or "")
            if isinstance(item.type, pa.BaseExtensionType):
                keys |= {item.type.extension_name, *(key.decode() for key in TYPE_KEYS)}
            items += [item.type.field(number) for number in range(item.type.num_fields)]
    return keys
