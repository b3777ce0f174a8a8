"""The example of the README: a register, and notes that name nobody."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_sanitize import tacenda

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_notes_tell_until_they_are_anonymized(tmp_path: Path) -> None:
    """All four people are found; entities alone don't hide them, words do."""
    notes, people = str(EXAMPLES / "notes.jsonl"), str(tmp_path / "people.db")
    by_words = ("--attacker", "bm25")
    run = tacenda("index", "people", str(EXAMPLES / "staff.csv"), "-o", people)
    assert run.returncode == 0, run.stderr
    assert b"12 people" in run.stderr
    attack = ("--background", people, *by_words)
    run = tacenda("attack", notes, *attack, "--max-rate", "0", "--to", "json")
    assert run.returncode == 1
    assert json.loads(run.stdout)["rates"]["bm25"]["rank_1"]["rate"] == 1
    run = tacenda("sanitize", notes, "--attack", people, "--keep-columns", "id,person", *by_words)
    assert run.returncode == 1
    assert b"notes.jsonl:4: STILL FOUND" in run.stderr
    assert len(run.stdout.splitlines()) == 4
    output = str(tmp_path / "clean.jsonl")
    run = tacenda("anonymize", notes, *attack, "--k", "2", "--to", "json", "-o", output)
    assert run.returncode == 0, run.stderr
    assert tacenda("attack", output, *attack, "--max-rate", "0").returncode == 0
