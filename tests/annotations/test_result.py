"""Results of this project are an annotation format that is read."""

from __future__ import annotations

import json
from pathlib import Path

from tacenda.document import Document
from tacenda.pipeline import load
from tacenda.policy import Policy
from tests.building import mention

from .test_command import convert

TEXT = "😀 Anna Berg wrote to anna@mail.example and lives in Ulm."


def _files(folder: Path) -> tuple[str, str]:

    sanitizer = load(Policy(recognizer=False, threshold=0.5, target=("Anna Berg",)))
    result = sanitizer.sanitize(TEXT, id="d1").to_dict()
    results, text = folder / "results.jsonl", folder / "gold.json"
    results.write_text(json.dumps(result) + "\n", "utf-8")
    text.write_text(json.dumps([{"doc_id": "d1", "text": TEXT, "annotations": {}}]), "utf-8")
    return str(results), str(text)


def test_results_become_annotations(tmp_path: Path) -> None:
    """Type, identifier, entity and risk are there, found by content and not by extension."""
    results, text = _files(tmp_path)
    run = convert(results, "--text", text, "--to", "jsonl", "--drop", "all")
    assert run.returncode == 0, run.stderr
    item = json.loads(run.stdout)
    name = mention(Document("d", TEXT), "Anna Berg").span
    first = next(each for each in item["spans"] if each["start"] == name.start)
    assert (first["end"], first["label"]) == (name.end, "PERSON")
    assert item["text"] == TEXT


def test_results_become_masks_without_a_text(tmp_path: Path) -> None:
    """What was kept is no mask."""
    results, _ = _files(tmp_path)
    only = ("--only", "DIRECT,QUASI")
    run = convert(results, "--to", "masks", "--drop", "all", *only)
    assert run.returncode == 0, run.stderr
    name = mention(Document("d", TEXT), "Anna Berg").span
    assert [name.start, name.end] in json.loads(run.stdout)["d1"]


def test_nothing_becomes_a_result(tmp_path: Path) -> None:
    """Decisions are made by sanitizing, and the message says so."""
    results, text = _files(tmp_path)
    run = convert(results, "--text", text, "--to", "result", "--drop", "all")
    assert run.returncode == 1
    assert b"sanitize --to json" in run.stderr


def test_a_result_may_hold_any_separator_of_lines(tmp_path: Path) -> None:
    """Only a line feed ends a line: U+2028 in a name does not."""
    results, _ = _files(tmp_path)
    content = Path(results).read_text("utf-8").replace('"d1"', '"d\u20281"')
    Path(results).write_text(content, "utf-8")
    only = ("--only", "DIRECT,QUASI")
    run = convert(results, "--to", "masks", "--drop", "all", *only)
    assert run.returncode == 0, run.stderr
    assert list(json.loads(run.stdout)) == ["d\u20281"]


def test_what_is_no_result_is_named(tmp_path: Path) -> None:
    """A file said to hold results that does not is an error, never an empty corpus."""
    masks = tmp_path / "masks.json"
    masks.write_text('{"d1": []}', "utf-8")
    run = convert(str(masks), "--from", "result", "--to", "masks")
    assert run.returncode == 1
    assert b"masks.json: must contain results" in run.stderr
