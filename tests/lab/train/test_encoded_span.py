"""An encoder judges entities by their type, their words and their context."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.document import Document
from tacenda.errors import InputError
from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda_lab.indicators.span import SPAN, SpanClassifier
from tests.building import entity, mention

from . import tiny

pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("transformers", reason="needs the extra 'train'")


def gold(path: Path, *, mixed: bool = True, first: int = 0) -> Path:
    """Documents whose person is masked, and whose place is not if ``mixed``."""
    documents = tiny.documents(first, first + 8)
    for document in documents if mixed else ():
        document["annotations"]["a0"]["entity_mentions"][1]["identifier_type"] = "NO_MASK"
    path.write_text(json.dumps(documents), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> object:
    """The command's result."""
    return CliRunner().invoke(app, ["lab", "train", "span", *map(str, arguments), "--threads", "1"])


@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_what_was_masked_is_judged_so_by_the_folder(
    tmp_path: Path, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person of the training is risky, a place is not; the indicator is named by its folder."""
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")
    documents = gold(tmp_path / "gold.json")
    result = run(
        documents,
        *("--encoder", tiny.encoder(tmp_path / family, family), "-o", tmp_path / "span"),
        *("--epochs", "20", "--rate", "0.005", "--batch-size", "4"),
        *("--dev", gold(tmp_path / "dev.json", first=8)),
    )
    assert result.exit_code == 0, result.output
    assert re.search(r"^f1 +[01]\.\d{3}$", result.stderr, re.MULTILINE)
    text = json.loads(documents.read_text())[3]["text"]
    document = Document("d", text)
    entities = [
        entity("e1", mention(document, "Zorblax Quimby")),
        entity("e2", mention(document, "Oslo", "LOC")),
    ]
    indicator = SpanClassifier.shipped(str(tmp_path / "span"))
    person, place = indicator.judge(document, entities)
    assert person.evidence.indicator == SPAN
    assert person.evidence.value > 0.5
    assert place.evidence.value < 0.5
    assert indicator.judge(document, []) == []


def test_one_class_is_refused(tmp_path: Path) -> None:
    """Where all are masked there is nothing to tell apart."""
    result = run(gold(tmp_path / "g.json", mixed=False), "--encoder", "x", "-o", tmp_path / "span")
    assert isinstance(result.exception, InputError)
    assert "needs entities that are masked and others that are not" in str(result.exception)


def test_what_was_learned_is_not_judged_on(tmp_path: Path) -> None:
    """A document of --dev that is also in the training is named, before an encoder is looked for."""
    documents = gold(tmp_path / "g.json")
    result = run(documents, "--encoder", "x", "-o", tmp_path / "span", "--dev", documents)
    assert isinstance(result.exception, InputError)
    assert "document 'd0' is also in the documents of train" in str(result.exception)


def test_a_type_that_is_none_is_named(tmp_path: Path) -> None:
    """With its place and the way out."""
    documents = tiny.documents(0, 1)
    documents[0]["annotations"]["a0"]["entity_mentions"][0]["entity_type"] = "HERO"  # type: ignore[index]
    path = tmp_path / "g.json"
    path.write_text(json.dumps(documents), encoding="utf-8")
    result = run(path, "--encoder", "x", "-o", tmp_path / "span")
    assert isinstance(result.exception, InputError)
    assert "d0: type 'HERO' of a mention at 24 must be one of PERSON" in str(result.exception)
