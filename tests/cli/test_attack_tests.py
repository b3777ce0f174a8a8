"""``tacenda attack --tests``: formats, labels and originals, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tacenda.result import schema
from tests.cli.test_sanitize import tacenda, write
from tests.reidentify.village import store

TEXTS = (
    ("anna", "She lives in Bergen, and she bakes.", {"sex": "f", "city": "Bergen"}),
    ("anna", "I bake.", {"sex": "f"}),
    ("carl", "He lives in ***, and he bakes.", {"sex": "m"}),
    ("emil", "They fly.", {"sex": "m"}),
)


def release(path: Path, **fields: Any) -> str:
    """Write the texts as JSON Lines, maybe with other fields; return the path."""
    lines = [
        {"text": text, "person": person, "attributes": labels} | fields
        for person, text, labels in TEXTS
    ]
    return write(path, "".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("reveal", [False, True])
def test_the_report_follows_its_schema(tmp_path: Path, reveal: bool) -> None:
    """Rates with intervals; guesses and words only with --reveal."""
    store(tmp_path / "p.db").person(0)
    arguments = ["--background", str(tmp_path / "p.db"), "--to", "json", *["--reveal"][:reveal]]
    run = tacenda("attack", release(tmp_path / "a.jsonl"), "--tests", *arguments)
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    jsonschema.validate(report, schema("criteria"))
    assert report["singling_out"]["people"] == 5
    assert report["inference"]["sex"]["attack"]["rules"]["rate"] == 0.5
    assert [item["fitting"] for item in report["results"]] == [2, 5, 5, 5]
    assert report["linkability"]["pairs"] == 1
    assert (b"norway" in run.stdout) == reveal


def test_without_background_and_labels(tmp_path: Path) -> None:
    """The people are those of the release; what is true is said by the originals, or a note says what to give."""
    masked = release(tmp_path / "a.jsonl", attributes=None)
    run = tacenda("attack", masked, "--tests", "--to", "json")
    assert run.returncode == 0, run.stderr
    assert b"fewer than two people have known attributes" in run.stderr
    assert json.loads(run.stdout)["inference"] == {}
    run = tacenda("attack", masked, "--tests", "--original", masked, "--to", "json")
    assert json.loads(run.stdout)["inference"]["sex"]["original"]["rate"] == 1.0


def test_labels_are_those_before_masking(tmp_path: Path) -> None:
    """What sanitizing masked of the labels beside the text is known all the same."""
    original = release(tmp_path / "a.jsonl")
    masked = release(tmp_path / "b.jsonl", attributes={"sex": "***"})
    run = tacenda("attack", masked, "--tests", "--original", original, "--to", "json")
    assert json.loads(run.stdout)["inference"]["sex"]["attack"]["rules"]["rate"] == 0.5


def test_a_risk_above_the_limit_fails_the_gate(tmp_path: Path) -> None:
    """Exit code 1 names the worst test; below the limit it is 0; tables and page are printed."""
    path = release(tmp_path / "a.jsonl")
    run = tacenda("attack", path, "--tests", "--max-rate", "0.2")
    assert run.returncode == 1
    assert b"the risk of" in run.stderr
    assert b"inference of" in run.stdout
    run = tacenda("attack", path, "--tests", "--max-rate", "1", "--to", "html")
    assert run.returncode == 0
    assert b"<h2>Risks</h2>" in run.stdout


def test_faults_name_their_document(tmp_path: Path) -> None:
    """Labels that are no object, a person whom the background lacks, and a wrong number of originals."""
    path = release(tmp_path / "a.jsonl", attributes=[1])
    run = tacenda("attack", path, "--tests")
    assert run.returncode == 1
    assert b"not an object of attributes" in run.stderr
    store(tmp_path / "p.db").person(0)
    path = release(tmp_path / "b.jsonl", person="nobody")
    run = tacenda("attack", path, "--tests", "--background", str(tmp_path / "p.db"))
    assert run.returncode == 1
    assert b"no person has the id or name" in run.stderr
    one = write(tmp_path / "c.txt", "He runs.")
    run = tacenda("attack", path, "--tests", "--original", one)
    assert run.returncode == 1
    assert b"give the same ones" in run.stderr


def test_attack_itself_needs_a_background(tmp_path: Path) -> None:
    """Without --tests there is nobody to rank."""
    run = tacenda("attack", release(tmp_path / "a.jsonl"))
    assert run.returncode == 2
    assert b"--background" in run.stderr


def test_the_file_of_a_person(tmp_path: Path) -> None:
    """Names of documents, values only with --reveal; --max-rate decides the exit code; an unknown id is named."""
    people = ("ann", "ben", "ann", "cy")
    texts = ("She tunes harpsichords.", "He rows.", "She tunes harpsichords, being 45.", "I rest.")
    lines = [
        json.dumps({"text": text, "person": who}) for who, text in zip(people, texts, strict=True)
    ]
    path = write(tmp_path / "a.jsonl", "\n".join(lines) + "\n")
    run = tacenda("attack", path, "--file-of", "ann", "--json", "--max-rate", "0.5")
    assert run.returncode == 1
    report = json.loads(run.stdout)
    assert report["attackers"]["rare words"]["joined"] == report["documents"]
    assert len(report["documents"]) == 2
    assert ["sex"] in report["together"]
    assert b"female" not in run.stdout
    run = tacenda("attack", path, "--file-of", "ann", "--reveal")
    assert run.returncode == 0, run.stderr
    assert b"female" in run.stdout
    assert b"2 of 2" in run.stdout
    run = tacenda("attack", path, "--file-of", "dora")
    assert run.returncode != 0
    assert b"two documents of 'dora'" in run.stderr
