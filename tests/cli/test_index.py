"""The command `tacenda index`: files in, an index out, bad ones named."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_sanitize import tacenda, write


def test_files_of_all_formats_are_found_by_what_they_say(tmp_path: Path) -> None:
    """Each record of a file has an address of its own: path and line, or the id it declares."""
    (tmp_path / "in").mkdir()
    write(tmp_path / "in/a.txt", "Anna Berg keeps bees.")
    write(tmp_path / "in/b.jsonl", '{"text": "Carl"}\n{"text": "Doğan keeps bees"}\n')
    write(tmp_path / "in/c.json", json.dumps([{"doc_id": "c-1", "text": "More bees"}]))
    index = str(tmp_path / "k.db")
    run = tacenda("index", "build", str(tmp_path / "in"), "-o", index)
    assert run.returncode == 0
    assert b"4 written" in run.stderr
    found = json.loads(tacenda("index", "search", index, "BEES", "--json").stdout)
    folder = tmp_path / "in"
    assert {hit["address"] for hit in found} == {
        f"{folder}/a.txt",
        f"{folder}/b.jsonl:2",
        f"{folder}/c.json#c-1",
    }
    lines = tacenda("index", "search", index, "dogan", "bees").stdout.decode().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"{folder}/b.jsonl:2\t")
    assert "«dogan»" in lines[0]


def test_built_again_only_changes_are_written(tmp_path: Path) -> None:
    """Equal documents stay, changed ones are replaced, gone ones forgotten."""
    index = str(tmp_path / "k.db")
    source = write(tmp_path / "a.jsonl", '{"text": "one"}\n{"text": "two"}\n{"text": "three"}\n')
    tacenda("index", "build", source, "-o", index)
    write(tmp_path / "a.jsonl", '{"text": "one"}\n{"text": "zwei"}\n')
    run = tacenda("index", "build", source, "-o", index)
    assert b"1 written, 1 unchanged, 1 forgotten" in run.stderr
    assert json.loads(tacenda("index", "info", index, "--json").stdout)["documents"] == 2


def test_a_bad_file_is_named_and_the_others_are_indexed(tmp_path: Path) -> None:
    """The exit code is 1; what a file held before its bad line stays known."""
    index = str(tmp_path / "k.db")
    source = write(tmp_path / "a.jsonl", '{"text": "one"}\n{"text": "two"}\n')
    tacenda("index", "build", source, "-o", index)
    write(tmp_path / "a.jsonl", '{"text": "one"}\n{"text": \n')
    good = write(tmp_path / "b.txt", "three")
    run = tacenda("index", "build", source, good, "-o", index)
    assert run.returncode == 1
    assert b"a.jsonl:2" in run.stderr
    assert b"1 written, 1 unchanged, 0 forgotten" in run.stderr
    assert b"Traceback" not in run.stderr
    info = tacenda("index", "info", index).stdout
    assert b"3 documents of 2 sources" in info
    assert b"1 sources were not read to their end" in info


def test_what_is_no_index_is_an_error(tmp_path: Path) -> None:
    """A text file is neither searched nor written over."""
    text = write(tmp_path / "a.txt", "Anna Berg " * 100)
    for arguments in (
        ("search", text, "Berg"),
        ("info", text),
        ("build", text, "-o", text),
        ("info", str(tmp_path / "missing.db")),
    ):
        run = tacenda("index", *arguments)
        assert run.returncode == 1
        assert b"tacenda index build" in run.stderr
        assert b"Traceback" not in run.stderr
    assert (tmp_path / "a.txt").read_text() == "Anna Berg " * 100
