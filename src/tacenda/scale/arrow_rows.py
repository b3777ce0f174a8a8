"""Rows of Parquet and Arrow files and of Arrow batches: written in the form they had, each one a sanitized record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import pyarrow
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..documents.fields import Fields, Treatment, column_label
from ..documents.formats import Kind, Passage
from ..documents.inspection import refuse_survivors
from ..documents.leaves import record_of
from ..documents.names import NameScrubber
from ..documents.record import Origin
from ..documents.tables.arrow_types import Unreadable, taken, values_of
from ..documents.tables.rows import oversize, unreadable
from ..errors import InputError, TacendaError, unforeseen
from ..frames import BATCH, KINDS, SanitizedCell, batches, sanitized_cells
from .places import DataFile
from .spec import RowSanitizer, Spec, check_unique, texts_of

if TYPE_CHECKING:
    from .parts import DatasetPart, PartResult

ERROR: Final = "tacenda_error"
"""Column of the reasons why rows weren't sanitized."""
_MOST_ROWS: Final = 65_536
_BUFFER: Final = 1 << 20
_METADATA: Final = (b"pandas",)
"""Metadata of a schema that stay; others may say anything."""
_TYPES: Final = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
_Leaves = list[tuple[tuple[str, ...], str]]


def layout(
    file: DataFile, spec: Spec, part_bytes: int
) -> tuple[dict[str, str], list[tuple[int, int, int, int]]]:
    """Return the column types, and the group, begin, end and first row number of each part.

    A table without rows is one part.

    Raises:
        InputError: if the file can't be read, or its columns aren't those of the spec.
    """
    with file.opened() as stream:
        if file.kind == "parquet":
            reader = _parquet(stream)
            schema, metadata = reader.schema_arrow, reader.metadata
            row_groups = map(metadata.row_group, range(metadata.num_row_groups))
            groups = [(group.num_rows, group.total_byte_size) for group in row_groups]
        else:
            source = pyarrow.ipc.open_file(stream)
            schema = source.schema
            record_batches = map(source.get_batch, range(source.num_record_batches))
            groups = [(len(batch), batch.get_total_buffer_size()) for batch in record_batches]
    written(schema, spec, file.name)
    ranges: list[tuple[int, int, int, int]] = []
    first = 1
    for index, (rows, size) in enumerate(groups):
        step = max(1, min(_MOST_ROWS, part_bytes * rows // max(size, 1)))
        ranges += (
            (index, begin, min(begin + step, rows), first + begin) for begin in range(0, rows, step)
        )
        first += rows
    return {field.name: str(field.type) for field in schema}, ranges or [(0, 0, 0, 1)]


def written(schema: pyarrow.Schema, spec: Spec, place: str = "") -> pyarrow.Schema:
    """Return the schema of sanitized rows, with the additional columns at the end.

    Raises:
        InputError: if a name is used twice or equals that of an additional column; if a text column
            is missing or isn't text; if a column has no treatment.
    """
    policy = spec.treatments()
    fields, names = Fields(policy), schema.names
    unlisted: dict[int, str] = {}
    columns: list[pyarrow.Field] = []
    for name in texts_of(policy):
        if name.partition(".")[0] not in names:
            raise InputError(
                f"no column is named {name!r}; name the columns that contain text with --column NAME.",
                place,
            )
    check_unique(names, place)
    for number, field in enumerate(schema, 1):
        name = field.name
        rule = fields.rule((name,), f"column {number}")
        if name.startswith("tacenda_"):
            raise InputError(
                f"column {number} has a name that begins with 'tacenda_', which is reserved; rename it.",
                place,
            )
        if rule is None and not fields.within((name,)):
            unlisted[number] = name
            continue
        if fields.within((name,)) or (
            rule and rule.treatment is Treatment.TEXT and not is_text(field.type)
        ):
            raise InputError(
                f"column {column_label(name, number)} is {field.type}, not text; keep or drop all of it, or sanitize the file "
                "without an engine.",
                place,
            )
        if rule is not None and rule.treatment is not Treatment.DROP:
            stays = rule.treatment in (Treatment.TEXT, Treatment.KEEP)
            columns.append(pyarrow.field(name, field.type if stays else pyarrow.string()))
    if unlisted:
        raise InputError(fields.refusal(unlisted, "column"), place)
    columns += [
        pyarrow.field(f"tacenda_{detail}", _TYPES[KINDS[detail]]) for detail in spec.details
    ]
    columns.append(pyarrow.field(ERROR, pyarrow.string()))
    metadata = {key: value for key, value in (schema.metadata or {}).items() if key in _METADATA}
    return pyarrow.schema(columns, metadata or None)


def sanitized_batch(
    batch: pyarrow.RecordBatch, sanitizer: RowSanitizer, name: str = "row", first: int | None = None
) -> pyarrow.RecordBatch:
    """Return a batch of sanitized rows.

    A row that can't be sanitized keeps its pseudonyms, numbers and dates; everything else in it is
    null, and ``tacenda_error`` says why.

    Args:
        batch: the rows.
        sanitizer: sanitizes the rows.
        name: name of the file, for messages.
        first: number of the first row; if None, messages don't number rows.

    Raises:
        InputError: if its columns aren't those of the spec.
    """
    schema = written(batch.schema, sanitizer.spec)
    titles = [title for title in schema.names if title in batch.schema.names]
    columns = {
        title: _strings(batch.column(title), sanitizer.spec.longest_cell) for title in titles
    }
    lines = list(zip(*columns.values(), strict=True))
    texts = ["".join(value for value in line if isinstance(value, str)) for line in lines]
    values: dict[str, list[Any]] = {title: [] for title in titles}
    further: list[SanitizedCell] = []
    for begin, end in batches(texts):
        rows = []
        for index in range(begin, end):
            place = "" if first is None else f":{first + index}"
            rows.append((place, dict(zip(titles, lines[index], strict=True))))
        new = _rows(rows, name, sanitizer)
        for (_, row), (changed, cell) in zip(rows, new, strict=True):
            further.append(cell)
            if cell.error is not None:
                changed = _without_text(row, batch.schema, sanitizer.fields)
            for title in titles:
                values[title].append(changed.get(title))
    arrays = []
    for field in schema:
        if field.name == ERROR:
            arrays.append(pyarrow.array([cell.error for cell in further], field.type))
        elif field.name not in values:
            detail: Any = field.name.removeprefix("tacenda_")
            arrays.append(pyarrow.array([cell.detail(detail) for cell in further], field.type))
        else:
            old = batch.column(field.name)
            arrays.append(_array(values[field.name], columns[field.name], old, field.type))
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


def _rows(
    rows: Sequence[tuple[str, dict[str, Any]]], name: str, sanitizer: RowSanitizer
) -> Iterator[tuple[dict[str, str | None], SanitizedCell]]:
    """Yield each row's new values by column, and its additional columns."""
    origin = Origin(name, name, "arrow", "utf-8")
    records = []
    for place, row in rows:
        leaves: _Leaves = [((title,), value) for title, value in row.items() if value is not None]
        fault = next(filter(None, (_fault(*leaf, sanitizer) for leaf in leaves)), "")
        record = None if fault else record_of(leaves, sanitizer.fields, origin, place)
        records.append((leaves, record, fault))
    documents = [record.document.document for _, record, _ in records if record is not None]
    cells = sanitized_cells(sanitizer.sanitizer, documents)
    for leaves, record, fault in records:
        cell = SanitizedCell(error=fault) if record is None else next(cells)
        values: dict[str, str | None] = {}
        if record is not None and cell.result is not None:
            try:
                forms = NameScrubber.of(cell.result)
                new = record.values(cell.result, forms)
                values = {path[0]: value for (path, _), value in zip(leaves, new, strict=True)}
                passages = (
                    Passage(value or "", title, Kind.VALUE) for title, value in values.items()
                )
                refuse_survivors(passages, cell.result, forms)
            except InputError as error:
                values, cell = {}, SanitizedCell(error=str(error))
        if record is not None and cell.error:
            message = cell.error.removeprefix(f"{record.document.document.id}: ")
            cell = SanitizedCell(error=message)
        yield values, cell


def _fault(path: tuple[str, ...], value: Any, sanitizer: RowSanitizer) -> str:
    """Return why a value can't be sanitized, or an empty string if it can."""
    if value is Unreadable:
        return unreadable(path, sanitizer.fields)
    longest = sanitizer.spec.longest_cell
    return oversize(path, longest, sanitizer.fields) if len(value) > longest else ""


def _without_text(
    row: dict[str, Any], schema: pyarrow.Schema, fields: Fields
) -> dict[str, str | None]:
    """Return the values that help to find a row that can't be sanitized: pseudonyms, and kept values that aren't text."""
    values: dict[str, str | None] = {}
    for title, value in row.items():
        rule = fields.rule((title,))
        if rule is None or value in (None, Unreadable):
            continue
        if rule.treatment is Treatment.IDENTIFIER:
            values[title] = fields.pseudonym(value, rule)
        elif rule.treatment is Treatment.KEEP and _is_plain(schema.field(title).type):
            values[title] = value
    return values


def _is_plain(type: pyarrow.DataType) -> bool:
    """Return whether the values of a type are numbers, dates or times."""
    return bool(
        pyarrow.types.is_integer(type)
        or pyarrow.types.is_floating(type)
        or pyarrow.types.is_boolean(type)
        or pyarrow.types.is_temporal(type)
    )


def quietly_sanitized(batch: pyarrow.RecordBatch, sanitizer: RowSanitizer) -> pyarrow.RecordBatch:
    """Return a sanitized batch of a data frame; an error contains no text, since the engine will log it.

    Raises:
        TacendaError: for any failure.
    """
    try:
        return sanitized_batch(batch, sanitizer)
    except TacendaError:
        raise
    except Exception as error:
        raise unforeseen(error) from None


def sanitized(part: DatasetPart, sanitizer: RowSanitizer) -> PartResult:
    """Return the sanitized rows of a part.

    Raises:
        InputError: if the rows can't be read.
    """
    from .parts import Fault, PartResult

    tables: list[pyarrow.RecordBatch] = []
    faults: list[Fault] = []
    for first, batch in _batches(part):
        new = sanitized_batch(batch, sanitizer, part.file.name, first)
        reasons = new.column(ERROR).to_pylist()
        faults += (
            Fault(part.file.name, number, 1, reason)
            for number, reason in enumerate(reasons, first)
            if reason is not None
        )
        new = new.drop_columns([ERROR])
        kept = [row for row, reason in enumerate(reasons) if reason is None]
        columns = [taken(column, kept) for column in new.columns]
        tables.append(pyarrow.RecordBatch.from_arrays(columns, schema=new.schema))
    if part.begin == part.end:
        table = written(_schema(part.file), sanitizer.spec).empty_table().drop_columns([ERROR])
    else:
        table = pyarrow.Table.from_batches(tables).combine_chunks()

    def write(stream: Any) -> None:
        if part.file.kind == "parquet":
            pq.write_table(table, stream)
        else:
            with pyarrow.ipc.new_file(stream, table.schema) as writer:
                writer.write_table(table)

    return PartResult(len(table), tuple(faults), write if len(table) or not faults else None)


def _schema(file: DataFile) -> pyarrow.Schema:
    """Return the schema of a file.

    Raises:
        InputError: if it can't be read.
    """
    with file.opened() as stream:
        if file.kind == "parquet":
            return _parquet(stream).schema_arrow
        return pyarrow.ipc.open_file(stream).schema


def _batches(part: DatasetPart) -> Iterator[tuple[int, pyarrow.RecordBatch]]:
    """Yield small batches of rows, each with the number of its first row."""
    if part.begin == part.end:
        return
    with part.file.opened() as stream:
        if part.file.kind == "parquet":
            reader = _parquet(stream)
            group = reader.metadata.row_group(part.group)
            rows = max(1, min(BATCH, _BUFFER * group.num_rows // max(group.total_byte_size, 1)))
            source = reader.iter_batches(rows, row_groups=[part.group], use_threads=False)
        else:
            batch = pyarrow.ipc.open_file(stream).get_batch(part.group)
            source = (batch.slice(begin, BATCH) for begin in range(0, len(batch), BATCH))
        position = 0
        for batch in source:
            begin, end = max(part.begin - position, 0), min(part.end - position, len(batch))
            if begin < end:
                yield part.first + position + begin - part.begin, batch.slice(begin, end - begin)
            position += len(batch)
            if position >= part.end:
                return


def _parquet(stream: Any) -> pq.ParquetFile:
    return pq.ParquetFile(stream, buffer_size=_BUFFER, pre_buffer=False)


def is_text(type: pyarrow.DataType) -> bool:
    """Return whether the values of a type are strings."""
    if pyarrow.types.is_dictionary(type):
        type = type.value_type
    return any(
        is_kind(type)
        for is_kind in (
            pyarrow.types.is_string,
            pyarrow.types.is_large_string,
            pyarrow.types.is_string_view,
        )
    )


def _strings(column: pyarrow.Array, longest: int) -> list[Any]:
    """Return the values of a column as strings, or ``Unreadable`` for values that have none.

    Strings that are too long are truncated just above the limit.
    """
    if not is_text(column.type):
        return [_string(value) for value in values_of(column)]
    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pyarrow.types.is_string_view(column.type):
        column = column.cast(pyarrow.large_string())
    if (pc.max(pc.binary_length(column)).as_py() or 0) > longest:
        with suppress(pyarrow.ArrowInvalid):  # One of them isn't UTF-8.
            column = pc.utf8_slice_codeunits(column, 0, longest + 1)
    return values_of(column)


def _string(value: Any) -> Any:
    if value is None or value is Unreadable or isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _array(
    new: list[str | None], old: list[Any], column: pyarrow.Array, type: pyarrow.DataType
) -> pyarrow.Array:
    """Return a column with its new strings.

    Values of other types stay as they are, or become null if their strings would change.
    """
    if is_text(type):
        if pyarrow.types.is_dictionary(type):
            return pyarrow.array(new, type.value_type).dictionary_encode().cast(type)
        return pyarrow.array(new, type)
    pairs = enumerate(zip(new, old, strict=True))
    return taken(column, [index if after == before else None for index, (after, before) in pairs])
