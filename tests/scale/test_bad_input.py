"""Data that can't be sanitized: it stays out, its place and the reason are told, and the rest is done."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import rmtree
from subprocess import CompletedProcess
from typing import Any

import pyarrow
import pyarrow.parquet as pq
import pytest

from tacenda.documents.fields import FieldPolicy
from tacenda.errors import InputError
from tacenda.scale import Spec, quarantine, sanitize
from tacenda.scale.arrow_rows import sanitized_batch
from tacenda.scale.folder import PartEntry, do
from tacenda.scale.parts import plan
from tacenda.scale.places import OutputFolder, files_of
from tacenda.scale.spec import row_sanitizer
from tests.cli.test_sanitize import tacenda
from tests.growth import assert_linear

from .building import COLUMNS, POLICY, SECRETS, all_bytes, entries_of, note


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder for a data set."""
    path = tmp_path / "data"
    path.mkdir()
    return path


def _table(numbers: range, **more: Any) -> pyarrow.Table:
    columns = {
        "id": list(numbers),
        "note": [note(number) for number in numbers],
        "who": ["u1"] * len(numbers),
    }
    return pyarrow.table(columns | more)


def _run(folder: Path, spec: Spec, part_bytes: int = 10**9) -> tuple[int, list[dict[str, Any]]]:
    """Sanitize in this process, and return the number of rows and the quarantine."""
    output = folder.parent / "out"
    run = sanitize(folder, spec, output, processes=1, part_bytes=part_bytes)
    assert run.complete
    faults = list(quarantine(output))
    assert len(faults) == run.quarantined
    content = all_bytes(output) + json.dumps(faults).encode()
    assert [secret for secret in SECRETS if secret.encode() in content] == []
    return run.rows, faults


def test_rows_before_quotes_that_never_end_are_written(folder: Path, spec: Spec) -> None:
    """The error names the line of the file, in whatever part it is."""
    rows = [f'{number},"{note(number)}",u1' for number in range(20)]
    text = "\n".join(["id,note,who", *rows, '20,"never ends,u1', "21,ok,u1"]) + "\n"
    (folder / "a.csv").write_text(text)
    for part_bytes in (10**9, 200):
        count, (fault,) = _run(folder, spec, part_bytes)
        assert count == 20
        assert (fault["file"], fault["row"]) == ("a.csv", 22)
        assert fault["reason"].startswith(
            "line 22: a quoted cell that begins in this row never ends"
        )
        rmtree(folder.parent / "out")


def test_an_empty_table_has_no_columns(folder: Path, spec: Spec) -> None:
    """It is refused by name; the others are done."""
    (folder / "a.csv").write_text("")
    (folder / "b.csv").write_text("id,note,who\n1,ok,u1\n")
    count, (fault,) = _run(folder, spec)
    assert count == 1
    assert fault["reason"] == "a.csv: is empty: it has no column names; remove it."


@pytest.mark.parametrize("part_bytes", [1, 10**9])
def test_blank_lines_before_the_header_stay(folder: Path, spec: Spec, part_bytes: int) -> None:
    """As in a file that is read without an engine."""
    (folder / "a.csv").write_text('\ufeff\n\r\nid,note,who\n1,ok,u1\n2,"fine\nso far",u2\n')
    assert _run(folder, spec, part_bytes) == (2, [])
    parts = sorted(folder.parent.glob("out/*.csv"))
    assert len(parts) == (2 if part_bytes == 1 else 1)
    rows = b""
    for part in parts:
        header, _, content = part.read_bytes().partition(b"id,note,who\n")
        assert header.decode() == "\ufeff\n\r\n"
        rows += content
    assert rows.count(b"\n") == 3


def test_blank_lines_before_the_header_take_linear_time(folder: Path, spec: Spec) -> None:
    """A copy of all of them for each would take minutes."""

    def planned(size: int) -> None:
        (folder / "a.csv").write_text(size * "\n" + "id,note,who\n1,ok,u1\n")
        parts, faults = plan(files_of(folder), spec)
        assert (len(parts), faults) == (1, [])

    assert_linear(planned, 20_000)


def test_a_column_that_may_be_called_after_somebody_is_named_by_its_place(folder: Path) -> None:
    """Where files have other columns."""
    (folder / "a.csv").write_text("id,note,who\n1,ok,u1\n")
    (folder / "b.csv").write_text("id,note,who,Galip Yalman\n1,ok,u1,x\n")
    _, (fault,) = _run(folder, Spec.of("note", POLICY, keep=["*"]))
    assert fault["reason"] == "b.csv: has a column 4, which a.csv hasn't."


def test_the_command_takes_a_field_and_names_all_rows_that_are_lost(tmp_path: Path) -> None:
    """``--field`` is a column of text for an engine, too; of a damaged row group each row is counted."""
    policy = tmp_path / "p.yaml"
    policy.write_text("recognizer: false\nthreshold: 0.5\n")
    lines, data = tmp_path / "a.jsonl", tmp_path / "a.parquet"
    lines.write_text('{"prompt": "mail a.berg@example.org", "id": "1"}\n')
    run = _engine(lines, policy, "--field", "prompt", "--keep-columns", "id")
    assert (run.returncode, b"1 rows in 1 parts" in run.stderr) == (0, True)
    written = b"".join(path.read_bytes() for path in (tmp_path / "a.jsonl.out").glob("*.jsonl"))
    assert b"berg" not in written
    assert b'"id": "1"' in written
    table = pyarrow.table({"note": [f"word {n}" for n in range(300)]})
    pq.write_table(table, data, row_group_size=100, compression="NONE", use_dictionary=False)
    content = bytearray(data.read_bytes())
    place = pq.read_metadata(data).row_group(1).column(0).data_page_offset
    content[place : place + 40] = b"\xff" * 40
    data.write_bytes(content)
    run = _engine(data, policy, "--column", "note")
    assert (run.returncode, b"a.parquet:101 to 200: can't be read" in run.stderr) == (1, True)


def _engine(path: Path, policy: Path, *options: str) -> CompletedProcess[bytes]:
    """Sanitize a file by the local engine, into a folder beside it."""
    output = path.with_name(f"{path.name}.out")
    settings = ("--policy", str(policy), "--engine", "local", "--threads", "1")
    return tacenda("sanitize", str(path), *options, *settings, "-o", str(output))


def test_lines_don_t_take_a_field_by_its_place(folder: Path) -> None:
    """A part of a file can't tell which is its second name; in messages there is a pattern."""
    row = json.dumps({"note": "ok", "Galip Yalman": 1})
    (folder / "a.jsonl").write_text(f"{row}\n")
    rules = {"note": "text", "field 2": "drop", "*": "keep"}
    spec = Spec.of(policy=POLICY, fields=FieldPolicy.model_validate({"fields": rules}))
    rows, (fault,) = _run(folder, spec)
    assert rows == 0
    assert "'field 2' is a position, which is unknown in a part of a file" in fault["reason"]


def test_files_with_other_columns(folder: Path, spec: Spec) -> None:
    """A file whose columns aren't those of the first, or has one twice, is refused with the difference."""
    pq.write_table(_table(range(5)), folder / "a.parquet")
    pq.write_table(_table(range(5), age=[1] * 5), folder / "b.parquet")
    text = [str(number) for number in range(5)]
    pq.write_table(_table(range(5)).set_column(0, "id", [text]), folder / "c.parquet")
    pq.write_table(_table(range(5)).set_column(1, "note", [range(5)]), folder / "d.parquet")
    twice = pyarrow.Table.from_arrays([["a"], ["b"]], names=["note", "note"])
    pq.write_table(twice, folder / "e.parquet")
    (folder / "f.csv").write_text("id,note,note,who\n1,a,b,c\n")
    (folder / "g.parquet").write_bytes(b"PAR1 no such thing")
    rows, faults = _run(folder, spec)
    assert rows == 5
    reasons = {fault["file"]: fault["reason"] for fault in faults}
    assert "'age'" in reasons["b.parquet"] or "age" in reasons["b.parquet"]
    assert "column 'id' is string, in a.parquet it is int64" in reasons["c.parquet"]
    assert "column 'note' is int64, not text" in reasons["d.parquet"]
    assert "columns 1 and 2 have the same name" in reasons["e.parquet"]
    assert "more than one column is named 'note'" in reasons["f.csv"]
    assert "can't be read" in reasons["g.parquet"]


def test_rows_that_are_none(folder: Path, spec: Spec) -> None:
    """A line that is no JSON, a field nobody spoke of, a row of too few cells: the line is told."""
    lines = [json.dumps({"id": n, "note": note(n), "who": "u"}) for n in range(30)]
    lines[4] = '{"id": 4, "note": "07700 900131'
    lines[9] = json.dumps({"id": 9, "note": "x", "who": "u", "Galip Yalman": 1})
    lines[21] = "[1]"
    (folder / "a.jsonl").write_text("\n".join(lines) + "\n")
    text = 'id,note,who\n1,plain,u\n2\n3,"two\nlines",u\n4,a,b,c\n5,last,u\n'
    (folder / "b.csv").write_text(text)
    (folder / "c.csv").write_bytes(b"id,note,who\n1,\xff\xfe,u\n2,fine,u\n")
    rows, faults = _run(folder, spec, part_bytes=500)
    assert rows == 27 + 3 + 1
    places = {(fault["file"], fault["row"]) for fault in faults}
    assert places == {
        *(("a.jsonl", row) for row in (5, 10, 22)),
        ("b.csv", 3),
        ("b.csv", 6),
        ("c.csv", 2),
    }


def test_a_bad_row_beside_views(folder: Path) -> None:
    """Polars writes strings as such, and Arrow can't pick rows of them; they are written all the same."""
    notes = pyarrow.array([note(1), "x" * 300, None, "plain"], pyarrow.string_view())
    tags = pyarrow.array([["a long one " * 3], [], None, ["b"]], pyarrow.list_(notes.type))
    pq.write_table(pyarrow.table({"note": notes, "tags": tags}), folder / "a.parquet")
    spec = Spec.of("note", POLICY, keep=["tags"], longest_cell=200)
    rows, (fault,) = _run(folder, spec)
    assert (rows, fault["row"]) == (3, 2)
    (path,) = (folder.parent / "out").glob("*.parquet")
    after = pq.read_table(path)
    assert after["tags"].to_pylist() == [["a long one " * 3], None, ["b"]]
    assert after["note"].to_pylist()[1:] == [None, "plain"]


def test_a_damaged_row_group(folder: Path, spec: Spec) -> None:
    """Its rows are told, those of the other groups are written."""
    path = folder / "a.parquet"
    pq.write_table(_table(range(90)), path, row_group_size=30)
    column = pq.read_metadata(path).row_group(1).column(1)
    content = bytearray(path.read_bytes())
    start = column.dictionary_page_offset or column.data_page_offset
    content[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(bytes(content))
    rows, faults = _run(folder, spec)
    assert rows == 60
    assert [(fault["row"], fault["rows"]) for fault in faults] == [(31, 30)]


def test_a_value_that_can_t_be_read_is_named_by_row_and_field(folder: Path) -> None:
    """A string that isn't UTF-8, a date that no calendar of Python has: the rows around are written."""
    ends, text = pyarrow.array([0, 2, 6, 8], pyarrow.int32()).buffers()[1], b"ok\xff07700ok"
    broken = pyarrow.StringArray.from_buffers(3, ends, pyarrow.py_buffer(text[:8]))
    days = pyarrow.array([0, 1, 4_000_000], pyarrow.date32())
    pq.write_table(pyarrow.table({"note": broken, "day": days}), folder / "a.parquet")
    days = pyarrow.array([[0], [1], [4_000_000]], pyarrow.list_(pyarrow.date32()))
    table = pyarrow.table({"note": ["a", "b", "c"], "Anna Berg": days})
    spec = Spec.of("note", POLICY, keep=["day"])
    rows, faults = _run(folder, spec)
    assert rows == 1
    fault = "the value of field {!r} can't be read; correct it, or drop the field."
    places = [(fault["row"], fault["reason"]) for fault in faults]
    assert places == [(2, fault.format("note")), (3, fault.format("day"))]
    spec = Spec.of("note", POLICY, keep=["*"], details=["masked"])
    batch = sanitized_batch(table.to_batches()[0], row_sanitizer(spec))
    assert batch["tacenda_error"].to_pylist() == [None, None, fault.format("*")]
    assert batch["Anna Berg"].null_count == 1


def test_the_field_of_a_cell_too_long_is_not_named_after_somebody(folder: Path) -> None:
    """Only if the spec names it itself, as without an engine."""
    table = pyarrow.table({"note": ["ok", "ok"], "Anna Berg": ["x" * 300, "ok"]})
    pq.write_table(table, folder / "a.parquet")
    rows, (fault,) = _run(folder, Spec.of("note", POLICY, keep=["*"], longest_cell=200))
    assert (rows, fault["file"], fault["row"]) == (1, "a.parquet", 1)
    assert fault["reason"] == "field '*' has more than 200 characters; split it, or drop the field."
    spec = Spec.of(["note", "Anna Berg"], POLICY, longest_cell=200)
    batch = sanitized_batch(table.to_batches()[0], row_sanitizer(spec))
    assert "field 'Anna Berg' has more" in batch["tacenda_error"].to_pylist()[0]
    table = table.set_column(1, "Anna Berg", [[1, 2]])
    rules = FieldPolicy.model_validate({"fields": {"*": "text"}})
    with pytest.raises(InputError, match="column 2 is int64, not text"):
        sanitized_batch(table.to_batches()[0], row_sanitizer(Spec.of(policy=POLICY, fields=rules)))


def test_a_cell_of_80_megabytes(folder: Path, spec: Spec) -> None:
    """It is left out, in a table and in lines; the worker's memory stays bounded by a few times that."""
    big = "x" * 80_000_000
    pq.write_table(_table(range(3)).set_column(1, "note", [["a", big, "c"]]), folder / "a.parquet")
    with (folder / "b.jsonl").open("w") as stream:
        for text in ("a", big, "c"):
            stream.write(f'{{"id": 1, "note": "{text}", "who": "u"}}\n')
    rows, faults = _run(folder, spec)
    assert rows == 4
    assert [(fault["file"], fault["row"]) for fault in faults] == [("a.parquet", 2), ("b.jsonl", 2)]
    assert (
        faults[0]["reason"]
        == "field 'note' has more than 1,000,000 characters; split it, or drop the field."
    )
    assert faults[1]["reason"] == (
        "the line has 80,000,034 bytes, at most 6,000,000 are read; split it."
    )
    of_table, of_lines = entries_of(folder.parent / "out")
    assert of_table["memory"] < 1.2e9
    assert of_lines["memory"] < 1.05 * of_table["memory"]


def test_what_changes_meanwhile(folder: Path, spec: Spec, tmp_path: Path) -> None:
    """A file that isn't as it was listed is not sanitized; nothing to sanitize is a fault."""
    path = folder / "a.jsonl"
    path.write_text(json.dumps({"id": 1, "note": "a", "who": "u"}) + "\n")
    ((part,), _) = plan(files_of(folder), spec)
    path.write_text(json.dumps({"id": 1, "note": "b", "who": "u"}) + "\n\n")
    entry = do(part, spec, OutputFolder(str(tmp_path / "out")))
    assert (
        entry.error
        == "a.jsonl, part-00000-00000: a.jsonl: has changed since it was listed; start again."
    )
    assert entry == PartEntry(entry.name, error=entry.error)
    with pytest.raises(InputError, match="no such file"):
        files_of(tmp_path / "none")
    with pytest.raises(InputError, match=r"must be one of \.parquet"):
        files_of(_written(tmp_path / "note.txt"))
    assert Spec.of("note", POLICY, **COLUMNS) == spec


def _written(path: Path) -> Path:
    path.write_text("a")
    return path
