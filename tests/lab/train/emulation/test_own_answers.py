"""The emulated search fitted to a user's own answers, by any encoder, with an LSTM or the mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("transformers", reason="needs the extra 'train'")
pytest.importorskip("sklearn", reason="needs the extra 'train'")

from tacenda.cli import app
from tacenda.document import Document
from tacenda.errors import InputError, ModelError
from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda_lab.indicators.emulated_search import PredictedSearch
from tests.building import entity, mention
from tests.lab.train import tiny

PEOPLE = ("Zorblax Quimby", "Quimby Clerk", "Nurse Zorblax", "Oslo Quimby", "Room Clerk")


@pytest.fixture(autouse=True)
def _on_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")


def answers(path: Path) -> Path:
    """Answers where what has stairs finds anyone, alone or with something else, and nothing else does."""
    records = []
    for person in PEOPLE:
        for words in (
            ["stairs"],
            ["soup"],
            ["oslo"],
            ["the stairs"],
            ["soup", "stairs"],
            ["soup", "oslo"],
        ):
            found = any("stairs" in word for word in words)
            records.append({"entities": words, "person": person, "found": found})
    path.write_text("\n".join(map(json.dumps, records)) + "\n\n", encoding="utf-8")
    return path


def run(*arguments: str | Path) -> Any:
    """The command's result."""
    return CliRunner().invoke(app, ["lab", "train", "emulation", *map(str, arguments)])


@pytest.mark.parametrize(("family", "pooling"), [("bert", ["--lstm"]), ("roberta", [])])
def test_the_folder_predicts_what_its_answers_say(
    tmp_path: Path, family: str, pooling: list[str]
) -> None:
    """What found people in the answers is risky in a text, what did not isn't, together as alone."""
    encoder, out = tiny.encoder(tmp_path / family, family), tmp_path / "search"
    path = answers(tmp_path / "answers.jsonl")
    result = run("--answers", path, "--encoder", encoder, *pooling, "--out", out)
    assert result.exit_code == 0, result.output
    assert "| 1 | 20 | 0.500 | emulation |" in result.output
    assert "| 2 | 10 | 0.500 | emulation |" in result.output
    assert json.loads((out / "emulation.json").read_text("utf-8"))["lstm"] is bool(pooling)
    assert "about 5 people" in (out / "CARD.md").read_text(encoding="utf-8")
    document = Document("d", "Zorblax Quimby ate soup on stairs in oslo.", ("Zorblax Quimby",))
    entities = [
        entity(f"e{number}", mention(document, string, "MISC"), number=number)
        for number, string in enumerate(("soup", "stairs", "oslo"))
    ]
    indicator = PredictedSearch.shipped(str(out))
    findings = indicator.judge(document, entities)
    assert [finding and finding.identifier for finding in findings] == [
        "NO_MASK",
        "QUASI",
        "NO_MASK",
    ]
    assert [item.entity_ids for item in indicator.combinations(document, entities)] == [("e1",)]
    assert indicator.judge(Document("d", document.text), entities) == [None] * 3
    # Whatever else is read at once changes nothing.
    (alone,) = indicator.judge(document, entities[:1])
    assert alone is not None
    assert findings[0] is not None
    assert alone.evidence.value == pytest.approx(findings[0].evidence.value, abs=1e-4)
    (out / "emulation.npz").write_bytes(b"damaged")
    with pytest.raises(ModelError):
        PredictedSearch.shipped(str(out))


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"entities": [], "person": "Ann", "found": True}], r"answers\.jsonl:1"),
        ([{"entities": "Oslo", "person": "Ann", "found": True}], r"answers\.jsonl:1"),
        ([{"entities": ["Oslo"], "person": "Ann", "found": 1}], "needs an object such as"),
        ([["Oslo", "Ann", True]], "needs an object such as"),
        ([{"entities": ["Oslo"], "person": "Ann", "found": True}], "found the person and others"),
        (
            [{"entities": ["Oslo"], "person": "Ann", "found": found} for found in (True, False)],
            "two people or more",
        ),
        (
            [
                {"entities": ["Oslo", "nurse"], "person": person, "found": person == "Ann"}
                for person in ("Ann", "Bea")
            ],
            "for 2 entities together, but none for 1",
        ),
    ],
)
def test_answers_that_teach_nothing_are_refused(
    tmp_path: Path, records: list[object], message: str
) -> None:
    """With the line or the reason, before an encoder is looked for, and without a string of theirs."""
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    result = run("--answers", path, "--encoder", "none", "--out", tmp_path / "out")
    assert isinstance(result.exception, InputError)
    with pytest.raises(InputError, match=message):
        raise result.exception
    assert "Ann" not in str(result.exception).replace("Anna", "")


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--data", "{}", "--answers", "{}/a", "--encoder", "x"],
        ["--answers", "{}/a"],
        ["--data", "{}", "--lstm"],
        ["--data", "{}", "--encoder", "x"],
    ],
)
def test_options_of_one_way_do_not_go_with_the_other(tmp_path: Path, options: list[str]) -> None:
    """An option that would be ignored is refused."""
    answers(tmp_path / "a")
    assert run(*(each.format(tmp_path) for each in options), "--out", tmp_path / "o").exit_code == 2
