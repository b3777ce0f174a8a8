"""`sanitize --attack`: what leads to the person is masked, the result attacked, the exit code a gate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_sanitize import tacenda, write
from tests.reidentify.village import ABOUT_ANNA, VILLAGERS, store

TEXT = "He lives in Oslo and comes from Lund.\n"
LAX = ("--threshold", "0.999", "--operator", "suppress")
BY_WORDS = ("--attacker", "bm25", "--k", "1")


@pytest.fixture
def people(tmp_path: Path) -> str:
    """Return a store of the village."""
    store(tmp_path / "people.db")
    return str(tmp_path / "people.db")


def test_what_leads_to_the_person_is_masked(tmp_path: Path, people: str) -> None:
    """Lund is where Carl lives; Oslo tells nothing of him and stays."""
    source = write(tmp_path / "a.txt", TEXT)
    arguments = ("sanitize", source, *LAX, *BY_WORDS, "--attack", people, "--person", "Carl Lund")
    run = tacenda(*arguments, "--explain")
    assert run.returncode == 0, run.stderr
    assert run.stdout.decode() == "He lives in Oslo and comes from ***.\n"
    assert b"bm25 has the person at rank 1 of 5; without it at rank" not in run.stderr
    run = tacenda(*arguments, "--explain-all")
    assert b"bm25 has the person at rank 1 of 5; without it at rank" in run.stderr
    assert b"Hidden: bm25 has the person at rank" in run.stderr


def test_the_check_alone_is_a_gate(tmp_path: Path, people: str) -> None:
    """Nothing more is masked, who is found is said, and the exit code is 1."""
    source = write(tmp_path / "a.txt", TEXT)
    arguments = (
        "sanitize",
        source,
        *LAX,
        *BY_WORDS,
        "--attack",
        people,
        "--person",
        "carl",
        "--only-check",
    )
    run = tacenda(*arguments, "--to", "json")
    assert run.returncode == 1
    assert b"a.txt: STILL FOUND: bm25 has the person at rank 1 of 5" in run.stderr
    (item,) = map(json.loads, run.stdout.splitlines())
    assert item["text"] == TEXT
    assert [each["found"] for each in item["identifications"]] == [True, True]
    assert tacenda(*arguments, "--policy", "strict", "--threshold", "0.1").returncode == 0
    run = tacenda(*arguments, "--to", "html", "--attacker", "bayes")
    assert b"STILL FOUND: bayes" in run.stdout
    assert b"bm25" not in run.stdout


def test_each_document_has_its_person(tmp_path: Path, people: str) -> None:
    """A field of the line, or a table; who is not in the store is named, the others are done."""
    lines = [{"text": ABOUT_ANNA, "person": "anna"}, {"text": TEXT, "person": "zoe"}, {"text": "x"}]
    source = write(tmp_path / "a.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    arguments = ("sanitize", source, *BY_WORDS, "--attack", people, "--to", "json")
    run = tacenda(*arguments)
    assert run.returncode == 1
    assert b"a.jsonl:2: " in run.stderr
    assert b"no person has the id or name 'zoe'" in run.stderr
    assert b"a.jsonl:3: its person is unknown" in run.stderr
    assert b"with --person." in run.stderr
    (item,) = map(json.loads, run.stdout.splitlines())
    assert not any(each["found"] for each in item["identifications"])
    table = write(tmp_path / "who.csv", "document,person\na.jsonl:2,carl\na.jsonl:3,Dora Lind\n")
    run = tacenda(*arguments, "--people", table)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == 3


def test_a_name_of_several_people_is_an_error(tmp_path: Path) -> None:
    """Their ids are named, and nothing is written."""
    twins = (*VILLAGERS, VILLAGERS[0].__class__("anna2", "Anna Berg", (("job", "smith"),)))
    store(tmp_path / "p.db", twins)
    source = write(tmp_path / "a.txt", ABOUT_ANNA)
    arguments = ("--attack", str(tmp_path / "p.db"), "--person", "Anna Berg")
    run = tacenda("sanitize", source, *BY_WORDS, *arguments)
    assert run.returncode == 1
    assert b"'anna', 'anna2'" in run.stderr
    assert run.stdout == b""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--person", "anna"], 2, "needs --attack"),
        (["--only-check"], 2, "needs --attack"),
        (
            ["--attack", "STORE", "--person", "anna", "--people", "who.csv"],
            2,
            "can't be used together",
        ),
        (["--attack", "missing.db", "--person", "anna"], 1, "missing.db"),
        (["--attack", "STORE", "--person", "anna", "--attacker", "x"], 2, "'x'"),
        (["--attack", "STORE", "--person", "anna", "--k", "5"], 1, "5 people"),
    ],
)
def test_what_can_not_be_done_is_said(
    tmp_path: Path, people: str, arguments: list[str], code: int, message: str
) -> None:
    """Options that contradict each other, a store that is not there, too few to hide among."""
    source = write(tmp_path / "a.txt", ABOUT_ANNA)
    given = [people if value == "STORE" else value for value in arguments]
    run = tacenda("sanitize", source, *BY_WORDS, *given)
    assert run.returncode == code
    assert message in " ".join(run.stderr.decode().replace("│", "").split())
    assert b"Traceback" not in run.stderr


def test_the_audit_names_the_attacker(tmp_path: Path, people: str) -> None:
    """What was masked for an attack is recorded with that indicator."""
    source = write(tmp_path / "a.txt", TEXT)
    audit = tmp_path / "audit.json"
    arguments = ("--attack", people, "--person", "carl", "--audit", str(audit))
    run = tacenda("sanitize", source, *LAX, *BY_WORDS, *arguments)
    assert run.returncode == 0, run.stderr
    assert '"attack:bm25"' in audit.read_text()
