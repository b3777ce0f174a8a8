"""``attack``, ``anonymize`` and ``sanitize`` with ``--llm``: nothing is sent by default, rates, budgets, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tacenda.result import schema
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
    assert b"gave no answer about 1 documents" in run.stderr
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


def test_what_is_written_for_entities_is_judged_too(
    model: ToyModel, arguments: tuple[str, ...]
) -> None:
    """What the model quotes of it is masked; the rest is written."""

    def reply(body: dict[str, object]) -> object:
        if "1960s" not in str(body["messages"]).rpartition("<text")[2]:
            return said({"candidates": []})
        return said({"candidates": [label_of(body, "Anna Berg")], "quotes": ["in the 1960s"]})

    model.replies |= {"identity": reply, "inference": said({"name": {"value": ""}})}
    options = ("--by", "entities", "--k", "1", "--to", "json")
    alone = json.loads(tacenda("anonymize", *arguments, *options).stdout.splitlines()[0])
    assert "born on a [date in the 1960s]" in alone["text"]
    run = tacenda("anonymize", *arguments, *options, "--llm", model.url)
    first = json.loads(run.stdout.splitlines()[0])
    assert first["text"] == alone["text"].replace("a [date in the 1960s]. ***", "***")
    assert "[" in first["text"]
    assert first["llm"] == {"found": False, "rounds": 2, "words_quoted": 3, "silences": []}
    assert first["information_kept"] < alone["information_kept"]
    assert b"requests" in run.stderr
    model.replies["identity"] = completion("I'm sorry, I can't.")
    run = tacenda("anonymize", *arguments, *options, "--llm", model.url)
    assert run.returncode == 1
    assert b"NOT JUDGED by llm" in run.stderr


# sanitize --attack --llm.


CARL = "He lives in Oslo and comes from Lund.\n"


@pytest.fixture
def about_carl(tmp_path: Path) -> tuple[str, ...]:
    """Return a text that an attacker by words tells by the town, and what is known."""
    store(tmp_path / "people.db").person(0)
    (tmp_path / "a.txt").write_text(CARL, "utf-8")
    options = ("--threshold", "0.999", "--attacker", "bm25", "--k", "1", "--person", "Carl Lund")
    paths = (str(tmp_path / "a.txt"), "--attack", str(tmp_path / "people.db"))
    return (*paths, *options, "--operator", "suppress")


def by_oslo(body: dict[str, object]) -> object:
    """Reply that it is Carl, as long as a town is left."""
    if "Oslo" not in str(body["messages"]).rpartition("<text")[2]:
        return said({"candidates": []})
    candidate = label_of(body, "Carl Lund")
    return said({"candidates": [candidate], "confidence": 0.7, "quotes": ["in Oslo", "his tie"]})


def test_sanitize_masks_entities_that_the_model_goes_by(
    model: ToyModel, about_carl: tuple[str, ...]
) -> None:
    """Oslo tells an attacker by words nothing of Carl; with the check alone the model finds him by it."""
    model.replies |= {"identity": by_oslo, "inference": said({"name": {"value": ""}})}
    run = tacenda("sanitize", *about_carl, "--explain")
    assert run.stdout.decode() == "He lives in Oslo and comes from ***.\n"
    run = tacenda("sanitize", *about_carl, "--llm", model.url, "--explain-all")
    assert run.returncode == 0, run.stderr
    assert run.stdout.decode() == "He lives in *** and comes from ***.\n"
    assert b"llm uses it to identify the person" in run.stderr
    assert b"Hidden: llm has the person at rank 2 of 5" in run.stderr
    assert b"guiding: llm: rank 1 0.0" in run.stderr
    assert b"quotes dropped" in run.stderr
    run = tacenda("sanitize", *about_carl, "--llm", model.url, "--only-check", "--to", "json")
    assert run.returncode == 1
    assert b"STILL FOUND: llm has the person at rank 1 of 5 (probability 0.700)" in run.stderr
    (item,) = map(json.loads, run.stdout.splitlines())
    found = {one["attacker"]: one["found"] for one in item["identifications"]}
    assert found == {"bm25": True, "llm": True, "name": True}


def test_a_name_without_candidates_is_found_too(
    model: ToyModel, about_carl: tuple[str, ...]
) -> None:
    """Whoever names the person openly has them first; what is quoted and no entity stays, and is told."""
    name = {"value": "Carl Lund", "confidence": 1, "quotes": ["comes from"]}
    model.replies |= {"identity": said({"candidates": []}), "inference": said({"name": name})}
    run = tacenda("sanitize", *about_carl, "--llm", model.url)
    assert run.returncode == 1
    assert run.stdout.decode() == "He lives in Oslo and comes from ***.\n"
    assert b"a.txt: STILL FOUND: llm has the person at rank 1 of 5" in run.stderr


def test_a_document_without_an_answer_is_not_hidden(
    model: ToyModel, about_carl: tuple[str, ...], tmp_path: Path
) -> None:
    """It is written, as one that is found is; the exit code is 1, and no rate counts it."""
    model.replies["inference"] = completion("I'm sorry, I can't help with that.")
    record = tmp_path / "record.json"
    arguments = (*about_carl, "--llm", model.url, "--audit", str(record), "--to", "json")
    run = tacenda("sanitize", *arguments)
    assert run.returncode == 1
    assert b"a.txt: NOT JUDGED: llm gave no answer (" in run.stderr
    assert b"1 refused" in run.stderr
    assert b"llm: rank 1" not in run.stderr
    (item,) = map(json.loads, run.stdout.splitlines())
    jsonschema.validate(item, schema())
    assert item["identifications"][-1]["silence"] == "unreadable, refused"
    assert item["identifications"][-1]["found"] is False
    jsonschema.validate(json.loads(record.read_text("utf-8")), schema("audit"))
    run = tacenda("sanitize", *about_carl, "--llm", model.url, "--to", "html")
    assert b"NOT JUDGED: llm" in run.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--llm", "http://192.0.2.1:8000/v1"], b"--allow-network"),
        (["--llm-budget", "3"], b"needs --llm URL"),
    ],
)
def test_sanitize_needs_leave_as_well(
    about_carl: tuple[str, ...], options: list[str], message: bytes
) -> None:
    """Before a document is read; and a store of people to choose among."""
    run = tacenda("sanitize", *about_carl, *options)
    assert run.returncode
    assert message in run.stderr
    assert run.stdout == b""
    run = tacenda("sanitize", about_carl[0], *options)
    assert run.returncode == 2
    assert b"needs --" in run.stderr
    assert run.stdout == b""


def test_a_spent_budget_ends_the_asking_of_sanitize(
    model: ToyModel, about_carl: tuple[str, ...]
) -> None:
    """The greeting and one question: the rest is not asked, and nobody is called hidden."""
    model.replies |= {"identity": by_oslo, "inference": said({"name": {"value": ""}})}
    budget = ("--llm", model.url, "--llm-model", "toy", "--llm-budget", "2")
    run = tacenda("sanitize", *about_carl, *budget)
    assert run.returncode == 1
    assert b"NOT JUDGED: llm gave no answer (not asked)" in run.stderr
    assert b"2 requests" in run.stderr
