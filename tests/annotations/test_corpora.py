"""The benchmark's train split survives a way through every format, but for what each declares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tacenda.annotations import format_named, load
from tacenda.annotations.capabilities import ConversionOptions, Overlaps
from tacenda.annotations.convert import convert
from tacenda.annotations.corpus import AnnotatedDocument, Feature, Reading, Unit
from tacenda.annotations.spacy import SpacyDocBin
from tacenda.document import IdentifierType

from .corpora import needs_spacy

_UNIT = Unit.CODE_POINTS
_LONGEST = Overlaps.LONGEST
MASKED = frozenset({IdentifierType.DIRECT, IdentifierType.QUASI})


@pytest.fixture(scope="module")
def path(shared_data: Path) -> Path:
    """Return the train split."""
    return shared_data / "tab" / "train.json"


@pytest.fixture(scope="module")
def train(path: Path) -> list[AnnotatedDocument]:
    """Return its documents."""
    return list(format_named("tab").read(load(str(path)), Reading()))


def there_and_back(
    documents: list[AnnotatedDocument], name: str, fitting: ConversionOptions
) -> tuple[list[AnnotatedDocument], list[AnnotatedDocument]]:
    """Return what was written and what was read of it."""
    format = SpacyDocBin() if name == "spacy" else format_named(name)
    fitted = convert(documents, format, fitting).documents
    files = format.write(fitted, Unit.CODE_POINTS)
    given = {one.id: one.text or "" for one in fitted} if format.takes_text else None
    return list(fitted), list(format.read(files, Reading(texts=given)))


@pytest.mark.parametrize("name", ["tab", "jsonl", "label-studio"])
def test_all_of_tab_comes_back(path: Path, train: list[AnnotatedDocument], name: str) -> None:
    """These hold every key of the corpus: the JSON is the same."""
    _, read = there_and_back(train, name, ConversionOptions())
    again = format_named("tab").write(
        convert(read, format_named("tab"), ConversionOptions()).documents, _UNIT
    )
    assert _by_id(json.loads(again[""])) == _by_id(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("name", ["brat", "masks", "presidio", "conll"])
def test_what_else_a_format_declares_comes_back(train: list[AnnotatedDocument], name: str) -> None:
    """Each annotator's version is a document; what was left out was left out by option."""
    format = format_named(name)
    fitting = ConversionOptions(
        each_annotator=True,
        only=MASKED if format.masks_only else None,
        fill={Feature.SCORE: "1"} if Feature.SCORE in format.needs else {},
        drop=frozenset({Feature.MENTION_PROPERTIES}),
        drop_rest=True,
        snap=True,
        overlaps=None if Feature.OVERLAPS in format.holds else _LONGEST,
    )
    fitted, read = there_and_back(train, name, fitting)
    assert len(read) == 203
    if format.folder:
        fitted.sort(key=lambda document: f"{document.id}.txt")
    assert read == fitted
    mentions = sum(len(one.mentions) for document in read for one in document.annotations)
    expected = {"brat": 10532, "presidio": 10532, "masks": 6719 + 478}
    assert mentions == expected.get(name, mentions)


@needs_spacy
def test_what_a_docbin_holds_comes_back(train: list[AnnotatedDocument]) -> None:
    """Types and entities, on spaCy's tokens."""
    fitting = ConversionOptions(each_annotator=True, drop_rest=True, snap=True, overlaps=_LONGEST)
    fitted, read = there_and_back(train[:40], "spacy", fitting)
    assert read == fitted


def _by_id(documents: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {document["doc_id"]: document for document in documents}
