"""Folders of files with records, through the command line."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
from typer.testing import CliRunner

from tacenda.cli import app
from tests.fuzz.documents import Draw
from tests.fuzz.further import POLICIES, RECORDS
from tests.fuzz.people import Person

PERSON = Person("Galip", "Yalman", "a.b@mail.example", "+44 7700 900123", "DE02120300000000202051")


def command(folder: Path, *arguments: str, fields: str = POLICIES["records"]) -> tuple[int, str]:
    """Run the command line under a policy that knows one name; return exit code and messages."""
    (folder / "p.yaml").write_text("recognizer: false\nthreshold: 0.5\ntarget: [Galip Yalman]\n")
    (folder / "f.yaml").write_text(fields)
    options = ("--policy", str(folder / "p.yaml"), "--fields", str(folder / "f.yaml"))
    run = CliRunner().invoke(app, ["sanitize", *arguments, *options])
    return run.exit_code, run.stderr


def test_a_file_of_another_schema_is_named_and_the_others_are_done(tmp_path: Path) -> None:
    """With the column that has no treatment, or the one that is of another type."""
    (tmp_path / "in").mkdir()
    tables = {
        "a": {"note": ["Galip Yalman came."], "age": [40]},
        "b": {"note": ["Nobody."], "remark": ["Galip Yalman"]},
        "c": {"note": [1.5], "age": [41]},
        "d": {"age": [42], "note": ["Galip Yalman left."]},
    }
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), tmp_path / "in" / f"{name}.parquet")
    out = tmp_path / "out"
    rules = "fields: {note: text, age: {treatment: number, bins: 10}}\n"
    code, said = command(tmp_path, str(tmp_path / "in"), "-o", str(out), fields=rules)
    assert code == 1
    assert "b.parquet" in said
    assert "(remark)" in said
    assert "c.parquet: column 1 is of type 'double'" in said
    assert "Yalman" not in said
    notes = {path.stem: pq.read_table(path).to_pylist() for path in sorted(out.glob("*.parquet"))}
    assert notes == {
        "a": [{"note": "[PERSON 1] came.", "age": "40-49"}],
        "d": [{"age": "40-49", "note": "[PERSON 1] left."}],
    }


def test_files_of_every_format_are_resumed(tmp_path: Path) -> None:
    """What is finished stays when a run goes on."""
    (tmp_path / "in").mkdir()
    for format, make in RECORDS.items():
        drawn = Draw(PERSON, Random(format), "copper")
        (tmp_path / "in" / f"d.{format}").write_bytes(make(drawn))
    (tmp_path / "in" / "z.json").write_text("{")
    paths = (str(tmp_path / "in"), "-o", str(tmp_path / "out"))
    code, said = command(tmp_path, *paths)
    assert code == 1
    assert f"{len(RECORDS)} written, 1 " in said
    (tmp_path / "in" / "z.json").write_text("{}")
    code, said = command(tmp_path, *paths, "--resume")
    assert code == 0, said
    assert f"1 written, {len(RECORDS)} written before" in said


def test_nothing_is_written_that_a_mapping_could_not_undo(tmp_path: Path) -> None:
    """Neither the file nor a part of it; the message names the format."""
    (tmp_path / "maps").mkdir()
    for format, make in RECORDS.items():
        path = tmp_path / f"d.{format}"
        path.write_bytes(make(Draw(PERSON, Random(format), "copper")))
        output, mapping = tmp_path / "out" / f"x.{format}", tmp_path / "maps" / f"{format}.map"
        code, said = command(tmp_path, str(path), "-o", str(output), "--mapping", str(mapping))
        assert code == 1, format
        assert "a mapping can't undo the format" in said
        assert "Yalman" not in said
        assert not output.exists(), format
