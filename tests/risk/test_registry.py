"""Indicators by name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tacenda.document import Combination, Document, Entity, Evidence
from tacenda.errors import PolicyError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda.risk.indicators import Finding
from tacenda.risk.registry import CachedIndicator, indicator_names, load_indicators
from tests.building import entity, mention

DOCUMENT = Document("d", "Mr Yalman left Ankara in 1994.")
CITY = entity("e1", mention(DOCUMENT, "Ankara", "LOC", 0.8))
YEAR = entity("e2", mention(DOCUMENT, "1994", "DATETIME", 0.8))


class Counting:
    """Says nothing of entities, and that all of them must not be left together."""

    def __init__(self) -> None:
        self.asked = 0

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return nothing for each."""
        self.asked += 1
        return [None] * len(entities)

    def combinations(self, document: Document, entities: Sequence[Entity]) -> list[Combination]:
        """Return one combination of all."""
        return [Combination(tuple(e.id for e in entities), 0.5, (Evidence("x", 0.5, ""),))]


class Single:
    """Says nothing of entities."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return nothing for each."""
        return [None] * len(entities)


def test_an_unknown_name_lists_those_there_are() -> None:
    """The fault is found when the sanitizer is made, before any document."""
    with pytest.raises(PolicyError, match=r"unknown indicator 'magic'.*masking_head_whole"):
        load_indicators(["magic"])
    with pytest.raises(PolicyError, match="magic"):
        Sanitizer(Policy(indicators=("magic",)), None, 0.2)


def test_the_same_entities_are_asked_about_once() -> None:
    """Rounds of one document cost one question; other entities cost another."""
    counting = Counting()
    remembering = CachedIndicator(counting)
    remembering.judge(DOCUMENT, [CITY])
    remembering.combinations(DOCUMENT, [CITY])
    remembering.judge(DOCUMENT, [CITY])
    assert counting.asked == 1
    remembering.judge(DOCUMENT, [CITY, YEAR])
    assert remembering.combinations(DOCUMENT, [CITY, YEAR])[0].entity_ids == ("e1", "e2")
    assert counting.asked == 2


def test_answers_about_as_many_documents_are_kept_as_it_says() -> None:
    """One for the rounds of a document; a review goes from one document to the other and back."""
    for size, questions in ((1, 3), (2, 2)):
        counting = Counting()
        cached = CachedIndicator(counting, size=size)
        for entities in ([CITY], [YEAR], [CITY]):
            cached.judge(DOCUMENT, entities)
        assert counting.asked == questions


def test_only_who_knows_combinations_is_asked_for_them() -> None:
    """An indicator of entities alone has none."""
    assert CachedIndicator(Single()).combinations(DOCUMENT, [CITY]) == ()


@pytest.mark.parametrize("name", ["span", "masking_head_whole"])
def test_evidence_has_the_name_of_the_registry(name: str) -> None:
    """So that the combination finds it."""
    assert name in indicator_names()
    (found,) = load_indicators([name])[0].judge(DOCUMENT, [CITY])
    assert found is not None
    assert found.evidence.indicator == name
    assert 0.0 <= found.evidence.value <= 1.0
