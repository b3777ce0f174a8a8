"""How surprising entities are: what is hidden, what is asked, and what the numbers mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document, IdentifierType, SemanticType, Span
from tacenda_lab.indicators.language import (
    REDUCTIONS,
    LanguageRisk,
    LanguageThreshold,
    Subwords,
    Threshold,
    feature_rows,
    features,
)
from tests.building import entity, mention

from .fake import Words

DOCUMENT = Document("d", "Anna Berg met Carl in Oslo. Berg left Oslo with Carl.")
ANNA = entity("e1", mention(DOCUMENT, "Anna Berg"), mention(DOCUMENT, "Berg", nth=1), number=1)
OSLO = entity("e2", mention(DOCUMENT, "Oslo", "LOC"))
NOTHING = entity("e3", mention(DOCUMENT, ".", "MISC"))


def test_all_mentions_of_an_entity_are_hidden_and_others_are_shown() -> None:
    """No mention helps to guess another one of the same entity."""
    model = Words()
    features(DOCUMENT, [ANNA, OSLO], model)
    assert [model.shown(question) for question in model.asked] == [
        "_ _ met Carl in Oslo _ left Oslo with Carl",
        "_ _ met Carl in Oslo _ left Oslo with Carl",
        "Anna Berg met Carl in _ Berg left Oslo with Carl",
    ]
    assert [question.places for question in model.asked] == [(0, 1), (6,), (5,)]


def test_features_by_hand() -> None:
    """Nobody else is called Anna or Berg: 1 in 18; another Oslo is shown: 2 in 20."""
    anna, oslo = features(DOCUMENT, [ANNA, OSLO], Words())
    rare, seen = math.log(1 / 18), math.log(2 / 20)
    # Two mentions, of two words and of one.
    assert anna == pytest.approx([rare, rare, rare, rare, 1.5 * rare], rel=1e-6)
    assert oslo == pytest.approx([seen] * 5, rel=1e-6)


def test_only_the_first_mentions_are_asked_about() -> None:
    """A name that is on every page costs no more than three of its mentions."""
    text = Document("d", "Ada " * 9)
    often = entity("e1", *(mention(text, "Ada", nth=n) for n in range(9)))
    model = Words()
    features(text, [often], model)
    assert len(model.asked) == 3
    assert model.shown(model.asked[0]) == " ".join("_" * 9)


def test_what_the_model_has_no_word_for_is_not_judged() -> None:
    """No subword, no number: the row is NaN and there is no finding."""
    found = features(DOCUMENT, [NOTHING, OSLO], Words())
    assert np.isnan(found[0]).all()
    threshold = Threshold(-1.0, 0.9, 0.1)
    for indicator in (LanguageThreshold(Words(), threshold), LanguageRisk(Words(), {})):
        first, second = indicator.judge(DOCUMENT, [NOTHING, OSLO])
        assert first is None
        assert second is not None
    assert features(DOCUMENT, [], Words()).shape == (0, 5)


@given(st.integers(1, 60), st.integers(0, 59), st.integers(1, 30), st.integers(2, 40))
def test_a_window_holds_what_is_asked(n: int, start: int, length: int, size: int) -> None:
    """Wherever a mention stands, its subwords, or the first of them, are in the window."""
    start = min(start, n - 1)
    model = Words(size)
    subwords = Subwords(model, " ".join(f"w{i}" for i in range(n)))
    wanted = range(start, min(n, start + length))
    question = subwords.question(subwords.ids, wanted)
    assert len(question.ids) == min(n, size)
    assert len(question.places) == min(len(wanted), max(1, size // 2))
    assert [question.ids[place] for place in question.places] == list(question.targets)
    assert question.targets[0] == subwords.ids[start]


def test_a_span_takes_every_word_that_it_touches() -> None:
    """A span that cuts a word takes the word, and one between words takes none."""
    subwords = Subwords(Words(), "one two three")
    assert subwords.of(Span(2, 5)) == range(0, 2)
    assert len(subwords.of(Span(3, 4))) == 0
    assert subwords.of(Span(8, 13)) == range(2, 3)


def test_below_the_threshold_is_risky() -> None:
    """The value is the share of the masked on its side; at the threshold it is not yet risky."""
    found = float(features(DOCUMENT, [OSLO], Words())[0, REDUCTIONS.index("sum")])
    for at, value, identifier in (
        (found + 0.1, 0.9, IdentifierType.QUASI),
        (found, 0.1, IdentifierType.NO_MASK),
    ):
        (finding,) = LanguageThreshold(Words(), Threshold(at, 0.9, 0.1)).judge(DOCUMENT, [OSLO])
        assert finding is not None
        assert (finding.evidence.value, finding.identifier) == (value, identifier)
        assert "Oslo" not in finding.evidence.statement


def test_the_regression_is_a_sum_of_weights() -> None:
    """-.5 a nat of the sum, 1 for a place, .25 for all: the odds of 2.40 are 11 to 1."""
    weights = {"sum": -0.5, "type LOC": 1.0, "constant": 0.25, "type PERSON": 9.0}
    (finding,) = LanguageRisk(Words(), weights).judge(DOCUMENT, [OSLO])
    assert finding is not None
    odds = 0.5 * math.log(20 / 2) + 1.25
    assert finding.evidence.value == pytest.approx(1 / (1 + math.exp(-odds)), rel=1e-6)
    assert finding.identifier is IdentifierType.QUASI


def test_features_are_named() -> None:
    """Five reductions, two of them by type as well, and the type, each by its name."""
    (row,) = feature_rows(np.array([[1.0, 2.0, 3.0, 4.0, 5.0]]), [SemanticType.DEM])
    reductions = {"min": 1, "max": 2, "median": 3, "mean": 4, "sum": 5}
    assert row == reductions | {"mean of DEM": 4, "sum of DEM": 5, "type DEM": 1}
