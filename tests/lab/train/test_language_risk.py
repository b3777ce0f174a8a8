"""What the indicators that ask a language model are fitted to, on entities that can be counted."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sklearn", reason="needs the extra 'train'")

from tacenda.errors import InputError, ModelError
from tacenda_lab.indicators import weights_for
from tacenda_lab.indicators.language import chance, load_language_risk
from tacenda_lab.train.corpus import first_annotations, read_annotated
from tacenda_lab.train.language_risk import (
    METHODS,
    best_threshold,
    fit_regression,
    informedness,
    joint_threshold,
    members_below,
    train_language_risk,
)
from tests.evaluate.corpus import standoff
from tests.lab.indicators.language.fake import Words


def test_the_threshold_parts_what_was_masked() -> None:
    """Masked at -9, -8 and -4, not at -5 and -1: with all below -2.5, 3 hits of 4 taken."""
    values = np.array([-9.0, -8.0, -5.0, -4.0, -1.0, np.nan])
    masked = np.array([True, True, False, True, False, False])
    found = best_threshold(values, masked)
    assert found.at == -2.5
    # By Laplace's rule: one more of each kind.
    assert found.risky == pytest.approx(4 / 6, abs=1e-4)
    assert found.other == pytest.approx(1 / 4)
    with pytest.raises(InputError, match="no entity has a value"):
        best_threshold(np.array([np.nan]), np.array([True]))


@given(st.lists(st.tuples(st.integers(-5, 0), st.booleans()), min_size=1, max_size=12))
def test_no_other_threshold_is_better(entities: list[tuple[int, bool]]) -> None:
    """The harmonic mean of precision and recall is the highest of all."""
    values = np.array([float(value) for value, _ in entities])
    masked = np.array([mask for _, mask in entities])

    def f1(at: float) -> float:
        taken = values < at
        return 2 * float((taken & masked).sum()) / max(1, taken.sum() + masked.sum())

    at = best_threshold(values, masked).at
    assert f1(at) == max(f1(other) for other in [at, *(value + 0.5 for value in range(-6, 3))])


def test_the_most_telling_threshold_does_not_take_everything() -> None:
    """Nine of ten are masked: F1 would take all ten, recall less false alarms takes the low nine."""
    values = np.array([*range(-9, 0), 0.0, 3.0])
    masked = np.array([True] * 9 + [False, True])
    assert best_threshold(values, masked).at == 4.0
    assert best_threshold(values, masked, informedness).at == -0.5


def test_the_regression_finds_the_odds() -> None:
    """Of one type 3 in 4 are masked, of the other 1 in 4: the odds are 3 and 1/3."""
    rows = [{"type A": 1.0}] * 400 + [{"type B": 1.0}] * 400
    masked = np.array([True, True, True, False] * 100 + [True, False, False, False] * 100)
    weights = fit_regression(rows, masked, ridge=1e-3)
    assert chance(weights, {"type A": 1.0}) == pytest.approx(0.75, abs=1e-3)
    assert chance(weights, {"type B": 1.0}) == pytest.approx(0.25, abs=1e-3)


@given(st.lists(st.floats(-9, 0), max_size=8), st.floats(-15, 0))
def test_members_of_pairs_are_counted_as_pairs_would_be(sums: list[float], bound: float) -> None:
    """Looking at every pair gives the same."""
    values = np.array([*sums, np.nan])
    expected = [
        value < bound
        or any(
            value + other < bound
            for place, other in enumerate(sums)
            if place != index and other >= bound
        )
        for index, value in enumerate(sums)
    ]
    assert members_below(values, bound).tolist() == [*expected, False]


def test_the_joint_threshold_is_between_what_is_masked_and_what_is_not() -> None:
    """Two documents in which pairs of surprising entities are masked, and others are not."""
    sums = [np.array([-6.0, -5.5, -1.0]), np.array([-6.5, -5.0, -0.5, -1.5])]
    masked = [np.array([True, True, False]), np.array([True, True, False, False])]
    found = joint_threshold(sums, masked)
    for values, truth in zip(sums, masked, strict=True):
        assert members_below(values, found.at).tolist() == truth.tolist()
    assert found.risky > 0.8 > 0.3 > found.other


def gold(path: Path) -> Path:
    """Write ten judgments in which rare names are masked and the state is not."""
    names = "Ada Bo Cem Dag Eve Fay Gus Hal Ida Jon".split()
    records = []
    for name in names:
        text = f"{name} sued Norway. Norway lost in Norway. {name} won."
        mentions = [(name, "PERSON", "DIRECT", "p"), ("Norway", "LOC", "NO_MASK", "l")]
        record = standoff(text, {"first": mentions, "second": mentions[:1]}, doc_id=name)
        records.append(record | {"meta": {"applicant": f"Mr {name}"}})
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def test_annotations_become_entities(tmp_path: Path) -> None:
    """Each annotator's view is one; the first views are one a document, with the target's name."""
    path = gold(tmp_path / "gold.json")
    assert len(list(read_annotated(path))) == 20
    first = first_annotations(path)
    assert len(first) == 10
    assert first[0].document.target == ("Mr Ada",)
    assert [entity.type for entity in first[0].entities] == ["PERSON", "LOC"]
    assert first[0].masked == (True, False)


def test_what_is_fitted_can_be_read_and_asked(tmp_path: Path) -> None:
    """The folder verifies, the card has the figures, and its weights know rare from frequent."""
    model = Words()
    found = train_language_risk([gold(tmp_path / "gold.json")], model, tmp_path / "fitted")
    assert tuple(found) == METHODS
    assert (found["everything"].precision, found["everything"].recall) == (0.5, 1.0)
    assert found["language"].f1 == found["language_threshold"].f1 == 1.0
    card = (tmp_path / "fitted/CARD.md").read_text(encoding="utf-8")
    assert "| language | 1.000 | 1.000 | 1.000 |" in card
    assert "20 entities in 10 documents" in card
    weights = load_language_risk(tmp_path / "fitted")
    assert weights.model == "words@0"
    assert math.isfinite(sum(weights.weights.values()))
    assert weights_for(weights, "words@0") is weights
    with pytest.raises(ModelError, match="fitted to the answers of words@0, not words@1"):
        weights_for(weights, "words@1")


def test_one_document_is_too_few(tmp_path: Path) -> None:
    """There is none to judge on what was fitted to it."""
    path = gold(tmp_path / "gold.json")
    path.write_text(json.dumps(json.loads(path.read_text("utf-8"))[:1]), "utf-8")
    with pytest.raises(InputError, match="needs two documents with mentions"):
        train_language_risk([path], Words(), tmp_path / "fitted")


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    """A changed file is no longer what was shipped; another model has no such file."""
    train_language_risk([gold(tmp_path / "gold.json")], Words(), tmp_path / "fitted")
    with (tmp_path / "fitted/language-risk.json").open("a", encoding="utf-8") as file:
        file.write(" ")
    with pytest.raises(ModelError, match=r"language-risk\.json has SHA-256"):
        load_language_risk(tmp_path / "fitted")
    with pytest.raises(ModelError, match="ranker-en was fitted to no language model"):
        load_language_risk("ranker-en")
