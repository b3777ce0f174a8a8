"""Columns of data frames: every kind comes out as it came in, with nothing but its text changed."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from tacenda.document import Document
from tacenda.errors import InputError, LeakError, ModelError, UnknownModelError, UnknownNameError
from tacenda.frames import sanitize_column, sanitize_columns
from tacenda.models.networks import RecognizerModel
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy
from tacenda.result import Result

for package in ("narwhals", "pandas", "polars", "pyarrow", "duckdb", "datasets"):
    pytest.importorskip(package, reason=f"needs {package}")

import datasets  # noqa: E402
import duckdb  # noqa: E402
import pandas  # noqa: E402
import polars  # noqa: E402
import pyarrow  # noqa: E402

NOTES = ["Mr Galip Yalman lives in Ankara.", None, "Nothing to see.", "", "Call Mr Galip Yalman."]
ROWS = {"id": [5, 6, 7, 8, 9], "note": NOTES}


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    """A sanitizer that writes tags."""
    return load(Policy(operator="tag"), threads=1)


@pytest.fixture(scope="module")
def expected(sanitizer: Sanitizer) -> list[str | None]:
    """The notes sanitized one by one."""
    return [None if note is None else sanitizer.sanitize(note).text for note in NOTES]


FRAMES: dict[str, Any] = {
    "pandas": lambda: pandas.DataFrame(ROWS, index=[3, 1, 4, 1, 5]),
    "pandas object": lambda: pandas.DataFrame(ROWS).astype({"note": object}),
    "pandas category": lambda: pandas.DataFrame(ROWS).astype({"note": "category"}),
    "polars": lambda: polars.DataFrame(ROWS),
    "polars lazy": lambda: polars.LazyFrame(ROWS),
    "arrow": lambda: pyarrow.table(ROWS),
    "duckdb": lambda: duckdb.from_arrow(pyarrow.table(ROWS)),
    "datasets": lambda: (
        datasets.Dataset(  # a fingerprint of its own pickles types of Arrow, not with all versions
            datasets.table.InMemoryTable(pyarrow.table(ROWS)), fingerprint="notes"
        )
    ),
}


def _column(frame: Any, name: str) -> list[Any]:
    """Return the values of a column of any kind of frame, None for nulls."""
    if isinstance(frame, datasets.Dataset):
        return list(frame[name])
    if isinstance(frame, pyarrow.Table):
        return list(frame[name].to_pylist())
    values = frame[name].to_list()
    return [None if pandas.isna(value) else value for value in values]


@pytest.mark.parametrize("kind", FRAMES)
def test_each_kind_of_frame(kind: str, sanitizer: Sanitizer, expected: list[str | None]) -> None:
    """The named column is sanitized, the other stays; order, index, nulls and kind stay; the input is not changed."""
    frame = FRAMES[kind]()
    clean = sanitize_columns(frame, "note", sanitizer)
    assert _column(clean, "note") == expected
    assert _column(clean, "id") == ROWS["id"]
    collected = {"polars lazy": polars.DataFrame, "duckdb": pyarrow.Table}
    assert isinstance(clean, collected.get(kind, type(frame)))
    if kind == "pandas":
        assert list(clean.index) == [3, 1, 4, 1, 5]
        assert clean["note"].dtype == frame["note"].dtype
    if kind not in ("duckdb", "polars lazy"):
        assert _column(frame, "note") == NOTES


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "datasets"])
def test_details(kind: str, sanitizer: Sanitizer) -> None:
    """Counts, risks and results come as further columns; those of a null are null."""
    details = ("masked", "risk", "residual", "decisions", "record")
    clean = sanitize_columns(FRAMES[kind](), ["note"], sanitizer, details=details)
    masked = _column(clean, "note_masked")
    assert masked[1] is None
    assert masked[0] >= 2
    assert masked[2] == 0
    before, after = _column(clean, "note_risk"), _column(clean, "note_residual")
    assert before[0] > 1 > after[0]
    record = json.loads(_column(clean, "note_record")[0])
    decisions = json.loads(_column(clean, "note_decisions")[0])
    assert "Yalman" not in json.dumps((record, decisions))
    assert record["text"] == _column(clean, "note")[0]
    assert decisions == record["entities"]
    assert sum(item["decision"] == "mask" for item in decisions) == masked[0]


def test_series(sanitizer: Sanitizer, expected: list[str | None]) -> None:
    """A column alone keeps its name and index."""
    series = sanitize_column(pandas.Series(NOTES, index=list("vwxyz"), name="n"), sanitizer)
    assert (series.name, list(series.index)) == ("n", list("vwxyz"))
    assert [None if value != value else value for value in series] == expected
    assert sanitize_column(polars.Series("n", NOTES), sanitizer).to_list() == expected
    assert sanitize_column(pyarrow.chunked_array([NOTES]), sanitizer).to_pylist() == expected


def test_rows_beyond_a_batch_are_counted(
    sanitizer: Sanitizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress is told of each cell, and a fault by its row, in whatever batch it lies."""
    monkeypatch.setattr("tacenda.frames.BATCH", 2)
    done: list[int] = []
    frame = polars.DataFrame({"note": ["a", "b", "c", "d", "e"]})
    sanitize_columns(frame, "note", sanitizer, progress=lambda: done.append(1))
    assert len(done) == 5
    mixed = pandas.DataFrame({"note": ["a", "b", "c", 4.5, "e"]})
    with pytest.raises(InputError, match=r"note\[3\]: float, not text"):
        sanitize_columns(mixed, "note", sanitizer)


class _Leaking:
    """A check that finds a leak in one document."""

    def __call__(self, result: Result) -> Result:
        if result.document.id == "note[4]":
            raise LeakError(["code point 3"], result.document.id)
        if result.document.id == "note[0]":
            raise ZeroDivisionError(result.document.text)
        return result


def test_faults_by_cell(expected: list[str | None]) -> None:
    """A cell at fault becomes null with its reason, without its text; the others are done."""
    sanitizer = load(Policy(operator="tag"), threads=1, checks=[_Leaking()])
    frame = pandas.DataFrame({"note": [*NOTES, 7]})
    clean = sanitize_columns(frame, "note", sanitizer, errors="column", details=("masked",))
    assert _column(clean, "note") == [None, None, *expected[2:4], None, None]
    errors = _column(clean, "note_error")
    assert errors[1:4] == [None, None, None]
    assert "note[5]: int, not text" in errors[5]
    assert "note[4]" in errors[4]
    assert errors[0]
    assert "Yalman" not in errors[0]
    with pytest.raises(InputError):
        sanitize_columns(frame, "note", sanitizer)


@pytest.fixture(scope="module")
def patterns() -> Sanitizer:
    """A sanitizer of what has a form."""
    return load(Policy(recognizer=False, threshold=0.5, operator="tag"))


WRITTEN = ["Write to galip@metu.edu.tr.", None, "x"]
CLEAN = ["Write to [CODE 1].", None, "x"]


@pytest.mark.parametrize(
    "type",
    [
        pyarrow.large_string(),
        pyarrow.string_view(),
        pyarrow.dictionary(pyarrow.int32(), pyarrow.string()),
    ],
    ids=str,
)
def test_a_column_of_arrow_keeps_its_field(type: pyarrow.DataType, patterns: Sanitizer) -> None:
    """Type and metadata of column and table stay."""
    field = pyarrow.field("note", type, metadata={"unit": "line"})
    schema = pyarrow.schema([field], metadata={"origin": "ward"})
    table = pyarrow.table([pyarrow.array(WRITTEN).cast(type)], schema=schema)
    clean = sanitize_columns(table, "note", patterns)
    assert clean.schema.equals(schema, check_metadata=True)
    assert clean["note"].to_pylist() == CLEAN


def test_categories_stay_categories(patterns: Sanitizer) -> None:
    """Those of pandas and Polars, with the sanitized texts."""
    polar = polars.DataFrame({"note": polars.Series(WRITTEN, dtype=polars.Categorical)})
    clean = sanitize_columns(polar, "note", patterns)
    assert (clean.schema, _column(clean, "note")) == (polar.schema, CLEAN)
    panda = pandas.DataFrame({"note": pandas.Series(WRITTEN, index=[2, 2, 1], dtype="category")})
    clean = sanitize_columns(panda, "note", patterns)
    assert (str(clean["note"].dtype), list(clean.index)) == ("category", [2, 2, 1])
    assert _column(clean, "note") == CLEAN


def test_an_index_of_several_levels_stays(patterns: Sanitizer) -> None:
    """So do nulls of every kind."""
    index = pandas.MultiIndex.from_tuples([("b", 2), ("a", 1), ("a", 1)], names=["ward", "bed"])
    frame = pandas.DataFrame({"note": ["x", float("nan"), pandas.NA]}, index=index)
    clean = sanitize_columns(frame, "note", patterns, details=("masked",))
    assert clean.index.equals(index)
    assert clean.index.names == index.names
    assert clean["note"].isna().tolist() == clean["note_masked"].isna().tolist()
    assert clean["note"].isna().tolist() == [False, True, True]


@pytest.mark.parametrize("kind", ["polars", "arrow", "duckdb", "datasets"])
def test_errors_are_a_column_of_every_kind(kind: str) -> None:
    """It is a column of text also where nothing went wrong, and nulls are no errors."""
    policy = Policy(recognizer=False, threshold=0.5, operator="tag")
    sanitizer = load(policy, checks=[_Leaking()])
    clean = sanitize_columns(FRAMES[kind](), "note", sanitizer, errors="column")
    errors = _column(clean, "note_error")
    assert [error is None for error in errors] == [False, True, True, True, False]
    assert "note[4]" in errors[4]
    assert _column(clean, "id") == ROWS["id"]
    whole = sanitize_columns(
        FRAMES[kind](), "note", load(policy), errors="column", details=("masked", "risk")
    )
    if kind in ("arrow", "duckdb"):
        assert whole.schema.field("note_error").type == pyarrow.string()
    else:
        types = whole.features if kind == "datasets" else whole.schema
        assert types["note_error"] == types["note"]


def test_splits_and_streams_of_datasets(patterns: Sanitizer) -> None:
    """Each split is sanitized, and a stream as it is read."""
    done: list[int] = []
    split = FRAMES["datasets"]()
    splits = datasets.DatasetDict({"train": split, "test": split})
    clean = sanitize_columns(splits, "note", patterns, progress=lambda: done.append(1))
    assert isinstance(clean, datasets.DatasetDict)
    assert len(done) == 2 * len(NOTES)
    stream = sanitize_columns(split.to_iterable_dataset(), "note", patterns)
    assert [row["note"] for row in stream] == list(clean["test"]["note"])


def test_one_name_of_two_columns_is_refused(patterns: Sanitizer) -> None:
    """Nobody can say which of them is meant."""
    frame = pandas.DataFrame([["a", "b", "c"]], columns=["id", "note", "note"])
    for twins in (frame, pyarrow.table([["a"], ["b"]], names=["note", "note"])):
        with pytest.raises(InputError, match="2 columns are called 'note'; rename them"):
            sanitize_columns(twins, "note", patterns)


def test_none_stays_none(patterns: Sanitizer) -> None:
    """In one call, and in a row of texts and documents, whose numbers it doesn't change."""
    assert patterns.sanitize(None) is None
    results = list(patterns.pipe([None, *WRITTEN, Document("d", "x"), None], batch_size=2))
    assert [result and result.document.id for result in results] == [
        None,
        "text-2",
        None,
        "text-4",
        "d",
        None,
    ]


def test_bad_requests(sanitizer: Sanitizer) -> None:
    """A missing column, a name that is taken and an unknown detail are said before any work."""
    frame = polars.DataFrame({"note": ["a"], "note_risk": [1.0]})
    with pytest.raises(InputError, match="unknown column 'text'; choose from 'note', 'note_risk'"):
        sanitize_columns(frame, ["text"], sanitizer)
    with pytest.raises(InputError, match="already named 'note_risk'"):
        sanitize_columns(frame, "note", sanitizer, details=("risk",))
    with pytest.raises(InputError, match="unknown detail 'colour'"):
        sanitize_columns(frame, "note", sanitizer, details=("colour",))  # type: ignore[arg-type]


def test_arguments_that_can_not_be_meant_are_named(sanitizer: Sanitizer) -> None:
    """What is no frame, no column, no name of a column, no detail or no way with errors."""
    frame = pandas.DataFrame({"note": ["a"], 7: ["b"]})
    connection = duckdb.connect()
    batch = pyarrow.record_batch({"note": ["a"]})
    for thing, kind in (
        (batch, "RecordBatch of pyarrow"),
        ([1], "list"),
        (connection, "DuckDBPyConnection of duckdb"),
    ):
        with pytest.raises(
            InputError, match=f"a {kind} is not a data frame; give .* a Table of Arrow"
        ):
            sanitize_columns(thing, "note", sanitizer)
        with pytest.raises(InputError, match=f"a {kind} is not a column"):
            sanitize_column(thing, sanitizer)
    for columns in (7, [7], ["note", 7]):
        with pytest.raises(InputError, match="7 is not a column name"):
            sanitize_columns(frame, columns, sanitizer)  # type: ignore[arg-type]
    with pytest.raises(
        UnknownNameError, match="unknown errors='bogus'; choose one of raise, column"
    ):
        sanitize_columns(frame, "note", sanitizer, errors="bogus")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="unknown detail 'risks'"):
        sanitize_columns(frame, "note", sanitizer, details="risks")  # type: ignore[arg-type]
    output = sanitize_columns(frame, "note", sanitizer, details="masked")
    assert list(output.columns) == ["note", 7, "note_masked"]
    series = pandas.Series(["Mr Galip Yalman lives in Ankara."], name=7)
    assert "Yalman" not in sanitize_column(series, sanitizer)[0]


def test_a_sanitizer_pickles(sanitizer: Sanitizer, expected: list[str | None]) -> None:
    """What comes back writes the same; the pickle is small, and the weights are loaded once."""
    pickled = pickle.dumps(sanitizer)
    assert len(pickled) < 20_000
    first, second = pickle.loads(pickled), pickle.loads(pickled)
    assert first.sanitize(NOTES[0]).text == expected[0]
    assert first.policy == sanitizer.policy
    assert first._recognizer._model is second._recognizer._model


def test_a_pickle_of_other_weights_is_refused(tmp_path: Any) -> None:
    """Weights that are not those of the pickle aren't used in their place."""
    model = RecognizerModel.load()
    remake, (place, digests) = model.__reduce__()
    with pytest.raises(ModelError, match="differs from the pickled one"):
        remake(place, digests | {"model.onnx": "0" * 64})  # type: ignore[operator]
    with pytest.raises(UnknownModelError):
        remake(str(tmp_path / "gone"), digests)  # type: ignore[operator]
    with pytest.raises(TypeError, match="can't be pickled"):
        pickle.dumps(model.without_calibration())
