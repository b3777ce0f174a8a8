"""Parquet and Arrow: what comes in comes out, but for what is masked, which is nowhere in the bytes."""

from __future__ import annotations

import base64
import datetime
import io
import re
import uuid
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.document import SemanticType
from tacenda.documents import Failure, Origin, SourceDocument
from tacenda.documents.inspection.parquet import parquet_cells, parquet_strings
from tacenda.documents.inspection.strings import as_text
from tacenda.documents.reading import read_file
from tacenda.documents.running_numbers import RunningNumbers
from tacenda.documents.tables import arrow, rows
from tacenda.documents.tables.arrow_reading import parquet_group
from tacenda.errors import InputError
from tests.documents.building_tables import NAME, fields_of, items_of, sanitized_table

SECRETS = re.compile(b"(?i)yalman|galip")


def _parquet(table: pa.Table, **options: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def _cells(file: io.BytesIO) -> list[str]:
    return [as_text(value) for group in parquet_cells(file) for value in group]


def _ipc(table: pa.Table, *, stream: bool = False, compression: str | None = None) -> bytes:
    buffer = io.BytesIO()
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    options = pa.ipc.IpcWriteOptions(compression=compression, emit_dictionary_deltas=True)
    with new(buffer, table.schema, options=options) as sink:
        sink.write_table(table, max_chunksize=2)
    return buffer.getvalue()


def _table() -> pa.Table:
    moment = datetime.datetime(2020, 1, 2, 3, 4, 5, 678, tzinfo=datetime.UTC)
    return pa.table(
        {
            "note": pa.array([f"{NAME} came.", None, "Nobody came."], pa.large_string()),
            "small": pa.array([1, None, -3], pa.int8()),
            "large": pa.array([2**63, None, 3], pa.uint64()),
            "half": pa.array([0.1, None, float("nan")], pa.float32()),
            "price": pa.array([Decimal("1.50"), None, Decimal("-2.00")], pa.decimal128(9, 2)),
            "seen": pa.array([moment, None, moment], pa.timestamp("us", "Europe/Oslo")),
            "born": pa.array([datetime.date(1980, 5, 6), None, None], pa.date32()),
            "exact": pa.array(np.array([1, 2, 3], "M8[ns]")),
            "raw": pa.array([b"\x00\xff", None, b""], pa.binary()),
            "ward": pa.array(["a", "b", "a"]).dictionary_encode(),
            "yes": pa.array([True, None, False]),
            "id": pa.array([uuid.UUID(int=n).bytes for n in range(3)], pa.binary(16)).cast(
                pa.uuid()
            ),
            "tags": pa.array([["x", None], None, []], pa.list_(pa.string())),
            "who": pa.array(
                [{"name": NAME, "n": 1}, None, {"name": None, "n": 2}],
                pa.struct([("name", pa.string()), ("n", pa.int64())]),
            ),
            "pairs": pa.array([[("k", "v")], None, []], pa.map_(pa.string(), pa.string())),
        }
    ).replace_schema_metadata({"unit": "ward 3"})


FORMATS: dict[str, Callable[[pa.Table], bytes]] = {
    "parquet": lambda table: _parquet(table, row_group_size=2, compression="zstd"),
    "file": lambda table: _ipc(table, compression="lz4"),
    "stream": lambda table: _ipc(table, stream=True),
}


def _read(data: bytes) -> pa.Table:
    if data.startswith(b"PAR1"):
        return pq.read_table(io.BytesIO(data))
    new = pa.ipc.open_file if data.startswith(b"ARROW1") else pa.ipc.open_stream
    return new(data).read_all()


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_without_masks_comes_back_with_every_type_and_null(kind: str) -> None:
    """Schema, metadata, values, order; not one bit of a number is another."""
    data = FORMATS[kind](_table())
    format = "parquet" if kind == "parquet" else "arrow"
    output, errors = sanitized_table(data, format, {"*": "keep"})
    assert errors == []
    before, after = _read(data), _read(output)
    assert after.schema.equals(before.schema, check_metadata=True)
    assert str(after.to_pydict()) == str(before.to_pydict())
    assert (
        after.column("half")
        .combine_chunks()
        .buffers()[1]
        .equals(before.column("half").combine_chunks().buffers()[1])
    )


@pytest.mark.parametrize("kind", FORMATS)
def test_columns_of_views_come_back(kind: str) -> None:
    """Polars writes strings as such, and Arrow can't pick rows of them."""
    long = "longer than what a view holds itself"
    table = pa.table(
        {
            "note": pa.array([f"{NAME} came.", None, long], pa.string_view()),
            "ward": pa.array([long, None, "b"], pa.string_view()),
            "raw": pa.array([b"\xff" * 20, None, b""], pa.binary_view()),
            "tags": pa.array([[long, None], None, []], pa.list_(pa.string_view())),
        }
    )
    data, format = FORMATS[kind](table), "parquet" if kind == "parquet" else "arrow"
    output, errors = sanitized_table(data, format, {"note": "text", "*": "keep"}, NAME)
    assert errors == []
    after = _read(output)
    assert after.schema.equals(_read(data).schema)
    expected = table.to_pydict() | {"note": ["[X] came.", None, long]}
    assert after.to_pydict() == expected
    assert not SECRETS.search(output)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_masked_name_is_in_no_byte_of_the_file(kind: str) -> None:
    """Not in cells, other columns of its row, dictionaries, statistics, or metadata, coded or not."""
    table = _table().append_column(
        pa.field("kept", pa.dictionary(pa.int32(), pa.string()), metadata={"by": NAME}),
        pa.array([f"by {NAME}", "x", "y"]).dictionary_encode(),
    )
    coded = base64.b64encode(NAME.encode()).decode()
    table = table.replace_schema_metadata({"unit": "ward 3", "author": f"by {NAME}", "code": coded})
    options = {"write_page_index": True} if kind == "parquet" else {}
    data = _parquet(table, **options) if kind == "parquet" else FORMATS[kind](table)
    format = "parquet" if kind == "parquet" else "arrow"
    treatments = {"note": "text", "who.name": "text", "*": "keep"}
    output, errors = sanitized_table(data, format, treatments, NAME)
    assert errors == []
    after = _read(output)
    assert after.column("note").to_pylist() == ["[X] came.", None, "Nobody came."]
    assert after.column("who").to_pylist()[0] == {"name": "[X]", "n": 1}
    assert after.column("kept").to_pylist() == ["by ***", "x", "y"]
    assert after.schema.metadata == {b"unit": b"ward 3"}
    assert not SECRETS.search(output)
    assert coded.encode() not in output
    if format == "parquet":
        file = io.BytesIO(output)
        strings = [text for _, text in parquet_strings(file)] + _cells(file)
        assert not SECRETS.search("\0".join(strings).encode())


def test_the_independent_reader_finds_a_name_in_each_place_of_parquet() -> None:
    """Compressed pages, dictionaries, statistics and the stored schema: else its silence says nothing."""
    for options in (
        {},
        {"use_dictionary": False},
        {"data_page_version": "2.0"},
        {"compression": "gzip"},
    ):
        table = pa.table({"a": [f"{NAME} {n}" for n in range(3)], "b": [[NAME], None, []]})
        file = io.BytesIO(_parquet(table, **options))
        values = set(_cells(file))
        assert {f"{NAME} 0", f"{NAME} 2", NAME} <= values
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["a", NAME]))
    assert NAME in _cells(io.BytesIO(_parquet(pa.table({"entry without a row": coded}))))
    named = pa.table({NAME: [1]}).replace_schema_metadata({"x": f"by {NAME}"})
    texts = [text for _, text in parquet_strings(io.BytesIO(_parquet(named)))]
    assert texts.count(NAME) == 2
    assert f"by {NAME}" in texts


def test_row_groups_compression_and_indexes_stay(tmp_path: Path) -> None:
    """As far as the file says how it was written."""
    table = pa.table({"a": ["x"] * 5, "b": range(5)})
    data = _parquet(
        table,
        row_group_size=2,
        compression={"a": "gzip", "b": "none"},
        use_dictionary=["b"],
        write_statistics=["b"],
        write_page_index=True,
    )
    output, _ = sanitized_table(data, "parquet", {"*": "keep"})
    before, after = (pq.ParquetFile(io.BytesIO(file)).metadata for file in (data, output))
    assert [after.row_group(n).num_rows for n in range(3)] == [2, 2, 1]
    for number in range(2):
        for quality in ("compression", "has_dictionary_page", "is_stats_set", "has_column_index"):
            chunks = [file.row_group(0).column(number) for file in (before, after)]
            assert getattr(chunks[0], quality) == getattr(chunks[1], quality), quality


def test_the_index_of_pandas_stays_and_dropped_columns_leave_it() -> None:
    """What pandas wrote is read by pandas again."""
    frame = pd.DataFrame({"note": ["a", "b"], "gone": [1, 2]}, index=pd.Index([7, 9], name="key"))
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    output, _ = sanitized_table(buffer.getvalue(), "parquet", {"gone": "drop", "*": "keep"})
    assert b"gone" not in output
    pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(output)), frame.drop(columns="gone"))


def test_types_follow_the_treatments() -> None:
    """Identifiers stay numbers, shifted dates dates; bins and years are text; fields within are dropped."""
    moment = datetime.datetime(2020, 1, 2, 3, 4)
    table = pa.table(
        {
            "id": [4711, 12, 4711],
            "float": [4711.0, None, 12.0],
            "age": [41, None, 50],
            "day": [datetime.date(2020, 1, 2)] * 3,
            "when": [moment] * 3,
            "year": [moment] * 3,
            "who": [{"name": "x", "n": 1}, None, {"name": "y", "n": 2}],
        }
    )
    treatments = {
        "id": "identifier",
        "float": "identifier",
        "age": {"treatment": "number", "bins": 10},
        "day": {"treatment": "date", "to": "shift"},
        "when": {"treatment": "date", "to": "shift"},
        "year": {"treatment": "date", "to": "year"},
        "who": "keep",
        "who.n": "drop",
    }
    output, errors = sanitized_table(_parquet(table), "parquet", treatments, name=RunningNumbers())
    after = _read(output)
    assert errors == []
    assert after.column("id").to_pylist() == [1, 2, 1]
    assert after.column("float").to_pylist() == [1.0, None, 2.0]
    assert after.column("age").to_pylist() == ["40-49", None, "50-59"]
    assert after.column("year").to_pylist() == ["2020"] * 3
    assert after.column("who").to_pylist() == [{"name": "x"}, None, {"name": "y"}]
    assert after.schema.field("day").type == pa.date32()
    days = {new - datetime.date(2020, 1, 2) for new in after.column("day").to_pylist()}
    assert datetime.timedelta(0) not in days
    assert all(new.time() == moment.time() for new in after.column("when").to_pylist())
    keyed, _ = sanitized_table(
        _parquet(table), "parquet", treatments, name=str.upper, key=b"sixteen bytes long"
    )
    ids = _read(keyed).column("id").to_pylist()
    assert ids[0] == ids[2] == int(_read(keyed).column("float")[0].as_py())
    assert len(set(ids)) == 2
    assert 4711 not in ids


def test_a_date_without_room_to_be_moved_is_dropped_where_the_policy_says_so() -> None:
    """The last day that there is stands for "never" in many tables; the row stays."""
    days = [datetime.date(2020, 1, 2), datetime.date.max, datetime.date.min, None]
    moments = [datetime.datetime(2020, 1, 2, 3, 4), datetime.datetime.max, None, None]
    table = pa.table({"note": ["a", "b", "c", "d"], "day": days, "when": moments})
    rule = {"treatment": "date", "to": "shift", "unreadable": "drop"}
    output, errors = sanitized_table(
        _parquet(table), "parquet", {"note": "text", "day": rule, "when": rule}
    )
    after = _read(output)
    assert errors == []
    assert after.column("note").to_pylist() == ["a", "b", "c", "d"]
    assert after.column("day").is_null().to_pylist() == [False, True, True, True]
    assert after.column("when").is_null().to_pylist() == [False, True, True, True]


@pytest.mark.parametrize("name", [RunningNumbers(), str.upper])
def test_keys_of_all_whole_numbers_still_point(name: Callable[[str], str]) -> None:
    """One value has one pseudonym, whatever the type of its column; one that can't hold all of them gets wider."""
    types = {
        pa.int8(): pa.int32(), pa.int16(): pa.int32(), pa.int32(): pa.int32(), pa.int64(): pa.int64(),
        pa.uint8(): pa.int32(), pa.uint16(): pa.int32(), pa.uint32(): pa.int64(), pa.uint64(): pa.uint64(),
        pa.float64(): pa.float64(),
    }  # fmt: skip
    values = [7, 100, 7, 0, None]
    table = pa.table({str(type): pa.array(values, type) for type in types})
    chosen = {"*": "identifier"}
    output, errors = sanitized_table(_parquet(table), "parquet", chosen, name=name, key=b"a key")
    after = _read(output)
    assert errors == []
    assert [after.schema.field(str(type)).type for type in types] == list(types.values())
    (ids,) = {tuple(column.to_pylist()) for column in after.columns}
    assert ids[0] == ids[2]
    assert ids[4] is None
    assert len(set(ids)) == 4
    if name is str.upper:
        assert not {7, 100, 0} & set(ids)


def test_pandas_reads_a_column_that_got_wider() -> None:
    """Its own description of the columns follows."""
    frame = pd.DataFrame({"id": np.array([1, 2, 1], dtype="int16"), "n": [1.5, 2.5, 3.5]})
    stream = io.BytesIO()
    frame.to_parquet(stream)
    chosen = {"id": "identifier", "n": "keep"}
    output, errors = sanitized_table(stream.getvalue(), "parquet", chosen, name=RunningNumbers())
    assert errors == []
    after = pd.read_parquet(io.BytesIO(output))
    assert after["id"].tolist() == [1, 2, 1]
    assert str(after["id"].dtype) == "int32"


def test_the_ends_of_a_type_have_pseudonyms_that_it_holds() -> None:
    """Negative numbers, too; those of more than 32 bits are of another kind."""
    low, high = -(2**31), 2**31 - 1
    small = pa.array([low, -1, 0, high, None, None], pa.int32())
    large = pa.array([low, -1, 0, high, 2**31, low - 1], pa.int64())
    table = pa.table({"small": small, "large": large})
    chosen = {"*": "identifier"}
    output, errors = sanitized_table(
        _parquet(table), "parquet", chosen, name=str.upper, key=b"a key"
    )
    after = _read(output)
    assert errors == []
    assert after["small"].to_pylist()[:4] == after["large"].to_pylist()[:4]
    assert len(set(after["large"].to_pylist())) == 6
    assert [n < 0 for n in after["small"].to_pylist()[:4]] == [True, True, False, False]


def test_a_number_that_is_masked_becomes_null() -> None:
    """A part of it can't be struck out."""
    table = pa.table({"note": ["call 47112233", "none"], "phone": [47112233, 5]})
    output, errors = sanitized_table(
        _parquet(table),
        "parquet",
        {"note": "text", "phone": "keep"},
        "47112233",
        type=SemanticType.CODE,
    )
    assert errors == []
    assert _read(output).to_pydict() == {"note": ["call [X]", "none"], "phone": [None, 5]}


def test_an_empty_table_comes_out_empty() -> None:
    """With its schema."""
    for kind, write in FORMATS.items():
        table = _table().slice(0, 0)
        format = "parquet" if kind == "parquet" else "arrow"
        output, errors = sanitized_table(write(table), format, {"*": "keep"})
        assert errors == []
        assert _read(output).schema.equals(table.schema)


def test_a_damaged_row_group_is_named_and_the_rest_is_done() -> None:
    """With the rows that are missing."""
    table = pa.table({"a": [f"text {n}" for n in range(6)]})
    data = bytearray(_parquet(table, row_group_size=2, compression="gzip"))
    chunk = pq.ParquetFile(io.BytesIO(bytes(data))).metadata.row_group(1).column(0)
    start = chunk.dictionary_page_offset
    data[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    output, errors = sanitized_table(bytes(data), "parquet", {"*": "keep"})
    (error,) = errors
    assert "row group 2 (rows 3 to 4)" in error
    assert _read(output).column("a").to_pylist() == ["text 0", "text 1", "text 4", "text 5"]


def _fault(data: bytes, format: str) -> str:
    try:
        items = items_of(data, format, {"*": "keep"})
    except InputError as error:
        return str(error)
    return next(str(item.error) for item in items if isinstance(item, Failure))


def test_what_is_no_table_says_so() -> None:
    """And what can't be written with a treatment names column and type."""
    for data, format, message in (
        (b"nothing", "parquet", "not a Parquet file"),
        (b"", "parquet", "not a Parquet file"),
        (b"FEA1" + bytes(40), "arrow", "version 1"),
        (b"ARROW1" + bytes(40), "arrow", "not an Arrow file"),
        (_ipc(_table(), stream=True)[:-200], "arrow", "cut off"),
    ):
        assert message in _fault(data, format)
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
    with pytest.raises(InputError, match="columns 1 and 2 have the same name"):
        items_of(_ipc(twice), "arrow", {"*": "keep"})
    with pytest.raises(InputError, match="column 1 is of type 'int64', which text doesn't support"):
        items_of(_parquet(pa.table({"a": [1]})), "parquet", {"a": "text"})


def test_a_column_without_a_treatment_refuses_the_file() -> None:
    """Once, with the name of the column."""
    data = _parquet(pa.table({"note": ["x"], "ward": ["y"]}))
    head, _ = items_of(data, "parquet", {"note": "text"})
    assert not isinstance(head, Failure)
    assert head.beside.refuses_file
    assert "ward" in head.beside.refusal


def test_a_row_that_masks_the_name_of_a_column_is_not_written() -> None:
    """The name stands in the file for all rows."""
    table = pa.table({"note": [f"{NAME} came", "nobody"], "Yalman": [1, 2]})
    output, errors = sanitized_table(
        _parquet(table), "parquet", {"note": "text", "*": "keep"}, NAME
    )
    assert errors == [
        "table.parquet:1: masked strings would still be in the output: name of column 2. Nothing "
        "was written; mask or remove them there, or allow leaks."
    ]
    assert _read(output).column("note").to_pylist() == ["nobody"]


def test_bytes_under_nulls_and_beside_slices_stay_behind() -> None:
    """Arrow's buffers may hold values that no reader shows."""
    text = pa.py_buffer(f"{NAME}public{NAME}".encode())
    ends = pa.py_buffer(np.array([0, 12, 18], np.int32).tobytes())
    hidden = pa.StringArray.from_buffers(2, ends, text, pa.py_buffer(b"\x02"))
    table = pa.table({"a": hidden})
    data = _ipc(table)
    assert SECRETS.search(data)
    output, errors = sanitized_table(data, "arrow", {"*": "keep"})
    assert errors == []
    assert _read(output).column("a").to_pylist() == [None, "public"]
    assert not SECRETS.search(output)


def test_two_tables_are_no_file() -> None:
    """Rows of a second one are refused."""
    from tacenda.documents.writing import writer

    from .conftest import mask_strings

    data = _parquet(pa.table({"a": ["x"]}))
    sink = writer("same", io.BytesIO())
    for item in items_of(data, "parquet", {"*": "keep"}):
        sink.write(item, mask_strings(item.document))  # type: ignore[union-attr, arg-type]
    with pytest.raises(InputError, match="two tables"):
        sink.write(head := items_of(data, "parquet", {"*": "keep"})[0], mask_strings(head.document))  # type: ignore[union-attr, arg-type]


def test_a_column_of_text_that_is_not_there_is_named() -> None:
    """Else nothing of the table would be sanitized."""
    from tacenda.documents.reading import read_bytes
    from tacenda.documents.record import Origin

    data = _parquet(pa.table({"note": ["x"]}))
    origin = Origin("table.parquet", "table.parquet", "parquet", "utf-8")
    (failure,) = read_bytes(data, origin)
    assert isinstance(failure, Failure)
    assert str(failure.error).startswith("table.parquet: no column is named 'text'")


OVERSIZE = "field {!r} has more than 1,000 characters; split it, or drop the field."
LONG = "long " * 300
OVERSIZED: dict[str, tuple[str, pa.Array]] = {
    "text": ("note", pa.array(["a", LONG, "c", None, LONG])),
    "large text": ("note", pa.array(["a", LONG, "c", None, LONG], pa.large_string())),
    "view": ("note", pa.array(["a", LONG, "c", None, LONG], pa.string_view())),
    "bytes": ("note", pa.array([b"a", b"\xff" * 4_001, b"c", None, b"y" * 4_001])),
    "dictionary": ("note", pa.array(["a", LONG, "c", None, LONG]).dictionary_encode()),
    "list": ("note", pa.array([["a", None], ["b", LONG], [], None, [LONG]])),
    "record": (
        "note.text.who",
        pa.array([{"text": [{"who": text}]} for text in ("a", LONG, "c", None, LONG)]),
    ),
    "map": (
        "note.value",
        pa.array(
            [[("k", "a")], [("k", "b"), ("k", LONG)], [], None, [("k", LONG)]],
            pa.map_(pa.string(), pa.string()),
        ),
    ),
}


@pytest.mark.parametrize("column", OVERSIZED)
@pytest.mark.parametrize("kind", FORMATS)
def test_a_cell_too_long_is_named_and_the_rest_is_done(
    kind: str, column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its row and its field, before anything is made of it, however deep it is; dropped, it may have any length."""
    monkeypatch.setattr(rows, "LARGEST_CELL", 1_000)
    monkeypatch.setattr(arrow, "LARGEST_CELL", 1_000)
    field, values = OVERSIZED[column]
    table = pa.table({"id": range(5), "note": values})
    data, format = FORMATS[kind](table), "parquet" if kind == "parquet" else "arrow"
    output, errors = sanitized_table(data, format, {"*": "keep"})
    assert errors == [f"table.{format}:{row}: {OVERSIZE.format(field)}" for row in (2, 5)]
    after = _read(output)
    assert after.schema.equals(_read(data).schema)
    assert after.to_pylist() == [table.to_pylist()[index] for index in (0, 2, 3)]
    output, errors = sanitized_table(data, format, {"id": "keep", "note": "drop"})
    assert (errors, _read(output).to_pydict()) == ([], {"id": [0, 1, 2, 3, 4]})


def test_the_field_of_a_cell_too_long_is_not_named_after_somebody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only if a field policy names it itself."""
    monkeypatch.setattr(rows, "LARGEST_CELL", 1_000)
    data = _parquet(pa.table({NAME: [LONG]}))
    _, errors = sanitized_table(data, "parquet", {"*": "keep"})
    assert errors == [f"table.parquet:1: {OVERSIZE.format('*')}"]
    _, errors = sanitized_table(data, "parquet", {NAME: "keep"})
    assert errors == [f"table.parquet:1: {OVERSIZE.format(NAME)}"]


def test_a_value_that_can_t_be_read_is_named_and_the_rest_is_done() -> None:
    """A date that no calendar of Python has, with its row and field."""
    table = pa.table({"note": ["a", "b"], "day": pa.array([4_000_000, 0], pa.date32())})
    output, errors = sanitized_table(_parquet(table), "parquet", {"*": "keep"})
    fault = "the value of field 'day' can't be read; correct it, or drop the field."
    assert errors == [f"table.parquet:1: {fault}"]
    assert _read(output).column("note").to_pylist() == ["b"]


def test_a_cell_of_200_megabytes_takes_no_other_row_along(tmp_path: Path) -> None:
    """The worker that reads its row group needs less than its limit."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"id": [1, 2, 3], "note": ["a", "x" * 200_000_000, "c"]}), path)
    fields = fields_of({"note": "text", "id": "keep"})
    head, *items = read_file(Origin(str(path), "a.parquet", "parquet", "utf-8"), fields=fields)
    assert isinstance(head, SourceDocument)
    assert [isinstance(item, Failure) for item in items] == [False, True, False]
    assert str(items[1].error) == (
        "a.parquet:2: field 'note' has more than 20,000,000 characters; split it, or drop the field."
    )


def test_a_row_group_that_needs_too_much_memory_is_not_called_damaged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker says what its parent process knows."""

    def fail(*_: Any, **__: Any) -> None:
        raise pa.ArrowMemoryError("malloc of size 1 failed")

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", fail)
    with pytest.raises(MemoryError) as fault:
        parquet_group(_parquet(pa.table({"a": ["x"]})), 0, (), 1_000)
    assert type(fault.value) is MemoryError
