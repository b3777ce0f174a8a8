"""The command `tacenda assess`: what is risky, alone and together, as tables and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tacenda.result import schema
from tests.cli.test_sanitize import tacenda, write

LETTER = "Ms Berg, born on 3 May 1961, moved from Malmö to Uppsala. Anna Berg likes it there.\n"
PAGES = {
    "berg.txt": "Anna Berg was born on 3 May 1961. She lived in Malmö, then in Uppsala.",
    "ek.txt": "Bo Ek of Malmö was never in U., nor was he born in May.",
    "lind.txt": "Eva Lind moved to Uppsala.",
}


@pytest.fixture
def index(tmp_path: Path) -> str:
    """Return an index of three pages."""
    for name, text in PAGES.items():
        write(tmp_path / name, text)
    path = str(tmp_path / "k.db")
    tacenda("index", "build", *(str(tmp_path / name) for name in PAGES), "-o", path)
    return path


def test_towns_are_risky_together_where_neither_is_alone(tmp_path: Path, index: str) -> None:
    """At a bound of one half: a date alone, the two towns together."""
    letter = write(tmp_path / "letter", LETTER)
    run = tacenda(
        "assess", letter, "--from", "text", "--background", index, "--target", "Anna Berg",
        "--bound", "0.5", "--json", "--reveal",
    )  # fmt: skip
    assert run.returncode == 0
    (item,) = json.loads(run.stdout)
    strings = {entity["id"]: entity["mentions"][-1]["text"] for entity in item["entities"]}
    risky = {tuple(strings[id] for id in found["entities"]) for found in item["combinations"]}
    assert ("3 May 1961",) in risky
    assert ("Malmö", "Uppsala") in risky
    assert ("Malmö",) not in risky
    date = next(e for e in item["entities"] if strings[e["id"]] == "3 May 1961")
    search = next(e for e in date["assessment"]["evidence"] if e["indicator"] == "search")
    assert search["value"] == 1.0
    assert item["search"]["unasked"] == 0
    assert item["search"]["queries"] > 0


def test_tables_show_numbers_and_what_was_asked(tmp_path: Path, index: str) -> None:
    """A reader sees each indicator with its number, and how many queries it took."""
    letter = write(tmp_path / "letter.txt", LETTER)
    run = tacenda("assess", letter, "--background", index, "--target", "Anna Berg", "--bound", ".5")
    out = " ".join(run.stdout.decode().split())
    assert run.returncode == 0
    assert "recognizer and" in out
    assert "search 1.00" in out
    assert "risky together" in out
    assert "combinations of entities were judged with" in out


def test_without_an_index_the_other_indicators_speak(tmp_path: Path) -> None:
    """JSON has no strings unless they are asked for, and no combinations."""
    run = tacenda("assess", write(tmp_path / "letter.txt", LETTER), "--json")
    (item,) = json.loads(run.stdout)
    assert item["combinations"] == []
    assert "search" not in item
    assert "Malm" not in run.stdout.decode()
    evidence = [e for entity in item["entities"] for e in entity["assessment"]["evidence"]]
    assert {finding["indicator"] for finding in evidence} == {"masking_head"}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--web", "brave"], 2, "--allow-network"),
        (["--web", "brave", "--allow-network"], 2, "TACENDA_BRAVE_KEY"),
        (["--web", "bing", "--allow-network"], 2, "bing"),
        (["--web", "brave", "--background", "k.db"], 2, "can't be used together"),
        (["--background", "missing.db"], 1, "tacenda index build"),
        (["--bound", "1"], 2, "--bound"),
        (["--from", "nothing"], 2, "nothing"),
    ],
)
def test_faults_are_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    """Usage ends in 2, data in 1, never in a traceback."""
    monkeypatch.delenv("TACENDA_BRAVE_KEY", raising=False)
    run = tacenda("assess", write(tmp_path / "letter.txt", LETTER), *arguments)
    assert run.returncode == code
    assert message in run.stderr.decode()
    assert b"Traceback" not in run.stderr


def test_a_file_that_cannot_be_read_ends_in_1(tmp_path: Path) -> None:
    """The file is named."""
    run = tacenda("assess", str(tmp_path / "missing.txt"))
    assert run.returncode == 1
    assert b"missing.txt" in run.stderr


def test_the_page_says_what_is_done_why_and_at_what_price(tmp_path: Path) -> None:
    """For each entity: numbers of indicators, the binding rule, alternatives; what is left on top."""
    letter = write(tmp_path / "letter.txt", LETTER)
    run = tacenda("assess", letter, "--html", "--policy", "lenient")
    out = run.stdout.decode()
    assert run.returncode == 0
    assert out.startswith("<!doctype html>")
    assert "<script" not in out
    assert "that need masking are left" in out
    assert "Masked: direct identifiers always are." in out
    assert "<b>recognizer and patterns</b>" in out
    assert "keep it: information lost 0.0" in out
    assert "(done)" in out


def test_the_page_lists_the_most_dangerous_things_kept(tmp_path: Path) -> None:
    """Where the threshold keeps nearly everything, the riskiest things kept come first."""
    policy = write(tmp_path / "p.yaml", "threshold: 0.999\n")
    letter = write(tmp_path / "letter.txt", "He came to Malmö on 3 May 1961 <b>.\n")
    out = tacenda("assess", letter, "--html", "--policy", policy).stdout.decode()
    assert "The most dangerous things that are kept" in out
    assert out.index("3 May 1961") < out.index("<table")


def test_json_has_decisions_and_alternatives(tmp_path: Path) -> None:
    """What the policy would do, what else could be done, and the risk that would be left."""
    letter = write(tmp_path / "letter.txt", LETTER)
    (item,) = json.loads(tacenda("assess", letter, "--json").stdout)
    jsonschema.validate(item, schema("assessment"))
    assert item["risk"]["before"] >= item["risk"]["residual"] >= 0
    for entity in item["entities"]:
        kept, *_, suppressed = entity["alternatives"]
        assert (kept["lost"], kept["text"], suppressed["text"]) == (0.0, "", "***")
        assert suppressed["lost"] > 0
        assert sum(choice["chosen"] for choice in entity["alternatives"]) == 1
        assert kept["chosen"] is (entity["decision"] == "keep")


def test_one_form_of_output(tmp_path: Path) -> None:
    """JSON and a page at once are refused."""
    run = tacenda("assess", write(tmp_path / "a.txt", LETTER), "--html", "--json")
    assert run.returncode == 2
