"""``attack --llm`` and ``anonymize --llm``: nothing is sent by default, rates, budgets, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_sanitize import tacenda
from tests.lab.llm.conftest import ToyModel, completion, said
from tests.lab.llm.test_judge import label_of
from tests.reidentify.test_commands import letters
from tests.reidentify.village import ABOUT_ANNA, store


@pytest.fixture
def arguments(tmp_path: Path) -> tuple[str, ...]:
    """Return a release of two and what is known."""
    store(tmp_path / "people.db").person(0)
    release = letters(tmp_path / "a.jsonl", (ABOUT_ANNA, "anna"), ("A pilot flies.", "emil"))
    return (release, "--background", str(tmp_path / "people.db"), "--attacker", "bm25")


def test_without_leave_nothing_is_sent(arguments: tuple[str, ...]) -> None:
    """Another machine is refused before a document is read; an option alone is no address."""
    run = tacenda("attack", *arguments, "--llm", "http://192.0.2.1:8000/v1")
    assert run.returncode
    assert b"--allow-network" in run.stderr
    assert run.stdout == b""
    run = tacenda("attack", *arguments, "--allow-network")
    assert run.returncode == 2
    assert b"needs --llm URL" in run.stderr


def test_an_attack_reports_the_model_beside_the_others(
    model: ToyModel, arguments: tuple[str, ...]
) -> None:
    """Rates of the answers, what it cost on stderr, and the exit code by the worst."""

    def reply(body: dict[str, object]) -> object:
        if "pilot" not in str(body["messages"]).rpartition("<text")[2]:
            return completion("I'm sorry, I can't help with that.")
        quotes = ["pilot", "a red plane"]
        return said(
            {"candidates": [label_of(body, "Emil Falk")], "confidence": 1, "quotes": quotes}
        )

    model.replies |= {"identity": reply, "inference": said({"name": {"value": ""}})}
    run = tacenda("attack", *arguments, "--llm", model.url, "--to", "json", "--max-rate", "1")
    report = json.loads(run.stdout)["llm"]
    assert report["rates"]["rank_1"]["rate"] == 1.0
    assert report["unanswered"] == 1
    assert report["cost"]["silences"] == {"refused": 1}
    assert [one["rank"] for one in report["results"]] == [None, 1]
    assert report["results"][1]["clues"] == [[2, 7]]
    assert b"1 refused" in run.stderr
    assert b"1 quotes dropped" in run.stderr
    assert run.returncode == 1
    assert b"1 documents the language model did not say" in run.stderr
    assert b"baker" not in run.stderr


def test_a_spent_budget_is_told(model: ToyModel, arguments: tuple[str, ...]) -> None:
    """Three requests: the greeting and one document."""
    model.replies |= {
        "identity": said({"candidates": []}),
        "inference": said({"name": {"value": ""}}),
    }
    budget = ("--llm", model.url, "--llm-model", "toy", "--llm-budget", "3")
    run = tacenda("attack", *arguments, *budget)
    assert b"3 requests" in run.stderr
    assert b"2 not asked" in run.stderr
    assert "not asked" in run.stdout.decode()
    assert run.returncode == 0


def test_anonymize_masks_what_the_model_goes_by(
    model: ToyModel, arguments: tuple[str, ...]
) -> None:
    """Until it no longer names the person; who gets no answer is not called hidden."""

    def reply(body: dict[str, object]) -> object:
        text = str(body["messages"]).rpartition("<text")[2]
        if "flies" in text or ("***" in text and "pilot" not in text and "bakes" not in text):
            return said({"candidates": []})
        if "bakes" in text:
            return said({"candidates": [label_of(body, "Anna Berg")], "quotes": ["bakes"]})
        return completion("?")

    model.replies |= {"identity": reply, "inference": said({"name": {"value": ""}})}
    run = tacenda("anonymize", *arguments, "--k", "1", "--llm", model.url, "--to", "json")
    first, second = map(json.loads, run.stdout.splitlines())
    assert "bakes" not in first["text"]
    assert first["llm"]["found"] is False
    assert first["llm"]["words_quoted"] == 1
    assert first["reached"]
    assert second["llm"]["rounds"] == 1
    assert run.returncode == 0
    model.replies["inference"] = completion("I'm sorry, I can't.")
    run = tacenda("anonymize", *arguments, "--k", "1", "--llm", model.url)
    assert run.returncode == 1
    assert b"NOT JUDGED by llm" in run.stderr


def test_the_model_judges_masks_alone(model: ToyModel, arguments: tuple[str, ...]) -> None:
    """Edits of entities are no masks."""
    run = tacenda("anonymize", *arguments, "--by", "entities", "--llm", model.url)
    assert run.returncode == 2
    assert b"is for masks" in run.stderr
