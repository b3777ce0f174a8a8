"""`tacenda sanitize --web`: what leads a search of the web to the person is masked; a server of the test answers."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import jsonschema
import pytest

from tacenda.result import schema
from tests.forks import tacenda
from tests.lab.indicators.web.server import Asked, Engine

LETTER = "Anna Berg was given the Orrefors Medal and the Halden Cup.\n"
COMMAND = ("sanitize", "letter.txt", "--target", "Anna Berg", "--threshold", "1", "--web")
MEDAL = "https://press.example/medal"
_RESULTS = 50
"""Results of a query: with as many as are looked at, no second page is asked for."""


def answer(asked: Asked) -> Any:
    """Pages about Anna Berg and the medal have one in common; each other search finds other pages."""
    words = asked.parameters["q"]
    pages = [MEDAL] if "Anna Berg" in words or (words.count('"') == 2 and "Medal" in words) else []
    pages += [f"https://{words.encode().hex()}.example/{number}" for number in range(_RESULTS)]
    return {"results": [{"url": page} for page in pages[:_RESULTS]]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: Engine) -> Path:
    """Return the working folder, with a letter; the engine answers."""
    engine.answer = answer
    monkeypatch.setenv("TACENDA_SEARXNG_URL", engine.base)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text(LETTER, encoding="utf-8")
    return tmp_path


def run(*options: str) -> CompletedProcess[bytes]:
    """Sanitize the letter with a web search."""
    return tacenda(*COMMAND, *options)


def test_one_page_about_both_is_enough_and_the_result_says_so(folder: Path, engine: Engine) -> None:
    """Algorithm 1: the medal is masked, the cup is not; reason, combination and engine are recorded."""
    assert b"Orrefors Medal" in tacenda(*COMMAND[:-1]).stdout
    cached = "searxng", "--allow-network", "--web-cache", "cache"
    first = run(*cached, "--explain-all", "--audit", "audit.json")
    assert first.returncode == 0, first.stderr
    assert (b"Orrefors" in first.stdout, b"Halden Cup" in first.stdout) == (False, True)
    assert "it points to the person, and changing it loses least" in first.stderr.decode()
    assert b"leave this machine for SearXNG" in first.stderr
    queries = [asked.parameters["q"] for asked in engine.asked]
    assert '"Orrefors Medal"' in queries
    assert not any("given" in query for query in queries)
    record = json.loads((folder / "audit.json").read_text("utf-8"))
    jsonschema.validate(record, schema("audit"))
    assert record["background"] == {"name": "searxng"}
    again = run(*cached, "--to", "json")
    assert len(engine.asked) == len(queries)
    statements = [
        evidence["statement"]
        for combination in json.loads(again.stdout)["combinations"]
        for evidence in combination["evidence"]
    ]
    assert any("1 of them about a person to protect" in statement for statement in statements)


def test_nothing_is_sent_unless_the_network_is_allowed(folder: Path, engine: Engine) -> None:
    """The option that allows it is named; nothing is written."""
    refused = run("searxng")
    assert (refused.returncode, refused.stdout, engine.asked) == (2, b"", [])
    assert b"--allow-network" in refused.stderr


def test_what_is_masked_anyway_is_not_sent(folder: Path, engine: Engine) -> None:
    """Neither what a rule masks, nor the same string where a second round finds it again."""
    (folder / "letter.txt").write_text(LETTER + "The Cup is of gold.\n", encoding="utf-8")
    (folder / "policy.yaml").write_text("deny: [{exact: Halden Cup}]\n", encoding="utf-8")
    result = run("searxng", "--allow-network", "--policy", "policy.yaml")
    assert result.returncode == 0, result.stderr
    assert not any(word in result.stdout for word in (b"Orrefors", b"Halden"))
    queries = [asked.parameters["q"] for asked in engine.asked]
    assert '"Orrefors Medal"' in queries
    assert not any("Halden" in query for query in queries)


def test_what_has_no_answer_is_masked(folder: Path, engine: Engine) -> None:
    """A failing engine makes everything risky, with a warning that says why."""
    engine.answer = lambda _: (400, {}, {})
    failed = run("searxng", "--allow-network")
    assert failed.returncode == 0
    assert b"Orrefors" not in failed.stdout
    assert b"Halden" not in failed.stdout
    assert b"treated as risky, since the search failed: SearXNG" in failed.stderr


def test_who_is_not_named_is_not_searched_for_without_a_word(folder: Path, engine: Engine) -> None:
    """Where there is nobody to protect, a warning says that nothing was searched."""
    (folder / "letter.txt").write_text("The Orrefors Medal is of glass.\n", encoding="utf-8")
    result = tacenda("sanitize", "letter.txt", "--web", "searxng", "--allow-network")
    assert engine.asked == []
    assert b"Nobody was searched for" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["searxng", "--background", "letter.txt"], "can't be used together"),
        (["searxng", "--engine", "local", "-o", "out", "--column", "a"], "--web is for runs"),
        (["searxng", "--llm-budget", "5"], "needs --llm"),
    ],
)
def test_options_that_do_not_go_with_it(
    folder: Path, engine: Engine, options: list[str], message: str
) -> None:
    """They are named, and nothing is sent."""
    refused = run(*options, "--allow-network")
    assert refused.returncode == 2
    assert message in " ".join(refused.stderr.decode().split())
    assert engine.asked == []


@pytest.mark.parametrize("options", [["--web", "searxng"], ["--background", "letter.txt"]])
def test_a_database_is_not_masked_as_if_it_had_been_searched(
    folder: Path, options: list[str]
) -> None:
    """What would be ignored is refused."""
    refused = tacenda("sanitize", "sqlite:///a.db", "-o", "sqlite:///b.db", *options)
    assert refused.returncode == 2
    assert b"is for documents, not for databases" in refused.stderr
