"""Combinations by their joint log-probability."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document
from tacenda_lab.indicators.combinations import LanguageCombinations, combinations_below
from tacenda_lab.indicators.language import Threshold, features
from tests.building import entity, mention

from .fake import Words

DOCUMENT = Document("d", "Anna Berg met Carl Berg. " + "so it was. " * 30 + "Oslo is Oslo.")
ENTITIES = [
    entity("e1", mention(DOCUMENT, "Anna Berg")),
    entity("e2", mention(DOCUMENT, "Carl Berg")),
    entity("e3", mention(DOCUMENT, "Oslo", "LOC")),
]


@given(st.lists(st.floats(-9, 0), min_size=1, max_size=7), st.floats(-15, -1), st.integers(1, 4))
def test_the_minimal_ones_are_found_and_no_other(
    sums: list[float], bound: float, arity: int
) -> None:
    """What asking of all combinations finds below the bound, less the supersets."""
    found = {joint.indices for joint in combinations_below(np.array(sums), {}, bound, arity)}
    risky = [
        chosen
        for size in range(1, arity + 1)
        for chosen in combinations(range(len(sums)), size)
        if float(np.array(sums)[list(chosen)].sum()) < bound
    ]
    minimal = {chosen for chosen in risky if not any(set(part) < set(chosen) for part in risky)}
    assert found == minimal


def test_neighbours_are_asked_with_both_hidden() -> None:
    """One Berg tells the other: together they are less likely than their sum says, and risky."""
    model = Words(20)
    sums = features(DOCUMENT, ENTITIES, model)[:, -1]
    assert sums[0] + sums[1] == pytest.approx(2 * (math.log(1 / 28) + math.log(2 / 28)), rel=1e-6)
    joint = 4 * math.log(1 / 26)
    threshold = Threshold(joint + 0.1, 0.8, 0.2)
    found = LanguageCombinations(model, threshold).combinations(DOCUMENT, ENTITIES)
    assert any(model.shown(question).startswith("_ _ met _ _ so") for question in model.asked)
    assert [combination.entity_ids for combination in found] == [("e1", "e2")]
    assert found[0].risk == 0.8
    assert f"these 2 together a log-probability of {joint:.1f}" in found[0].evidence[0].statement
    assert not LanguageCombinations(model, threshold, arity=1).combinations(DOCUMENT, ENTITIES)
    assert LanguageCombinations(model, threshold).judge(DOCUMENT, ENTITIES) == [None, None, None]


def test_the_list_is_no_longer_than_asked_for() -> None:
    """The lowest joint log-probabilities are kept."""
    model = Words(20)
    every = LanguageCombinations(model, Threshold(-1.0, 0.8, 0.2)).combinations(DOCUMENT, ENTITIES)
    assert [combination.entity_ids for combination in every] == [("e1",), ("e2",), ("e3",)]
    one = LanguageCombinations(model, Threshold(-1.0, 0.8, 0.2), limit=1)
    assert one.combinations(DOCUMENT, ENTITIES) == every[:1]
    with pytest.raises(ValueError, match="arity is 0"):
        LanguageCombinations(model, Threshold(-1.0, 0.8, 0.2), arity=0)
