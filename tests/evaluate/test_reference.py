"""The figures are those of the reference implementation, for every file it was run on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tacenda.document import Span
from tacenda.evaluate.evaluation import (
    EvaluationSettings,
    Report,
    evaluate,
    evaluate_prepared,
    prepare_predicted,
)
from tacenda.evaluate.gold import GoldDocument, load_gold, parse_gold
from tacenda.evaluate.matching import IgnoredTokenLists, PreparedDocument
from tacenda.evaluate.systems import load_masks

SYSTEMS = [
    "empty",
    "everything",
    "gold_first_annotator",
    "gold_overlapping",
    "gold_trimmed",
    "half",
    "ontonotes_md",
    "presidio_md",
    "presidio_org_md",
    "regex",
    "subset_of_documents",
    "tab_annotate_md",
]
OUR_NAMES = {
    "recall_all_entities": "entity_recall",
    "recall_direct_entities": "entity_recall_direct",
    "recall_quasi_entities": "entity_recall_quasi",
}


@pytest.fixture(scope="module")
def gold(tab_oracle: Path) -> tuple[GoldDocument, ...]:
    """Return the dev split."""
    return load_gold(tab_oracle / "dev.json")


@pytest.fixture(scope="module")
def expected(tab_oracle: Path) -> dict[str, Any]:
    """Return the reference's figures by system."""
    content = (tab_oracle / "oracle" / "expected.json").read_text("utf-8")
    return dict(json.loads(content))


@pytest.fixture(scope="module")
def given(tab_oracle: Path) -> IgnoredTokenLists:
    """Return the tokens that the reference's tagger ignored."""
    return IgnoredTokenLists.load(tab_oracle / "oracle" / "ignored_tokens.json")


def figures(report: Report) -> dict[str, float | None]:
    """Return all figures of a report by name or type."""
    return {**report.scores, **report.token_recall_by_type}


def reference(expected: dict[str, Any]) -> dict[str, float]:
    """Return the reference's figures under our names."""
    flat = {OUR_NAMES.get(name, name): value for name, value in expected.items()}
    return {**flat.pop("token_recall_by_type"), **flat}


@pytest.fixture(scope="module")
def prepared(
    gold: Sequence[GoldDocument], given: IgnoredTokenLists
) -> dict[float, tuple[PreparedDocument, ...]]:
    """Return the dev split, prepared for all systems, by the most that a figure may be off.

    With the tagger's ignored tokens figures are equal to six decimals, with the built-in closed-class
    words they stay close.
    """
    whole = {document.id: whole_text(document) for document in gold}
    return {
        5.1e-7: prepare_predicted(gold, whole, given),
        0.003: prepare_predicted(gold, whole),
    }


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_figure_is_that_of_the_reference(
    system: str,
    prepared: dict[float, tuple[PreparedDocument, ...]],
    expected: dict[str, Any],
    tab_oracle: Path,
) -> None:
    """With its tagger's ignored tokens, and nearly so with the built-in words."""
    masks = load_masks(tab_oracle / "oracle" / f"{system}.json")
    theirs = reference(expected[system])
    for most, documents in prepared.items():
        scored = [item for item in documents if item.document.id in masks]
        ours = figures(evaluate_prepared(scored, masks))
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=most)


def test_documents_are_prepared_for_several_systems_or_one(
    prepared: dict[float, tuple[PreparedDocument, ...]],
    gold: Sequence[GoldDocument],
    given: IgnoredTokenLists,
    tab_oracle: Path,
) -> None:
    """The figures are the same, also those of a part of the documents."""
    masks = load_masks(tab_oracle / "oracle" / "subset_of_documents.json")
    settings = EvaluationSettings(ignored_tokens=given)
    first = next(iter(prepared.values()))
    scored = [item for item in first if item.document.id in masks]
    assert len(scored) < len(first)
    one, several = evaluate(gold, masks, settings), evaluate_prepared(scored, masks, settings)
    assert figures(one) == figures(several)


def test_the_oracle_has_no_file_that_is_not_tested(expected: dict[str, Any]) -> None:
    """Each system of the reference's run is in the table above."""
    assert sorted(expected) == sorted(SYSTEMS)


def test_precision_by_type_adds_up_to_precision(
    gold: Sequence[GoldDocument], tab_oracle: Path
) -> None:
    """Types partition the masked tokens, so precision lies between those of the types."""
    report = evaluate(gold, load_masks(tab_oracle / "oracle" / "regex.json"))
    pairs = [
        tally
        for document in report.statistics
        for name, tally in document.tallies.items()
        if name.startswith("masked tokens.")
    ]
    share = sum(tally.hits for tally in pairs) / sum(tally.total for tally in pairs)
    assert share == pytest.approx(report.scores["token_precision"])


def test_biographies_are_read_too(shared_data: Path) -> None:
    """The biographies, which have no confidential status, are scored by the same code."""
    gold = load_gold(shared_data / "wiki" / "wikireplace_dev.json")
    everything = {document.id: whole_text(document) for document in gold}
    report = evaluate(gold, everything)
    assert report.documents == 50
    assert report.scores["entity_recall"] == 1.0


def whole_text(document: GoldDocument) -> tuple[Span, ...]:
    """Return the span of the whole text."""
    return (Span(0, len(document.text)),)


def test_an_evaluation_of_parsed_json_is_the_same(tab_oracle: Path) -> None:
    """parse_gold takes what json.load gives."""
    path = tab_oracle / "dev.json"
    assert parse_gold(json.loads(path.read_text("utf-8"))) == load_gold(path)
