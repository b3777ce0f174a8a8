"""The words of the pages: figures said in plain English, and what happens to a place."""

from __future__ import annotations

import pytest

from tacenda.app.web.labels import (
    BADGES,
    TYPES,
    DisplayOutcome,
    chance,
    left,
    outcome_of,
    strictness,
)
from tacenda.document import SemanticType

from ..building import sanitizer


@pytest.mark.parametrize(
    ("before", "residual", "words"),
    [
        (31.5, 0.96, "about 1 of 32 left"),
        (31.5, 0.2, "fewer than 1 of 32 left"),
        (1.2, 2.7, "about 3 of 3 left"),
        (0.3, 0.2, "nothing left"),
    ],
)
def test_what_is_left_is_a_count(before: float, residual: float, words: str) -> None:
    """Whole things of whole things, never a share, and never more than there are."""
    assert left(before, residual) == words


def test_a_chance_has_words() -> None:
    """From certain to harmless, and each bound belongs to the stronger words."""
    assert [chance(risk) for risk in (1.0, 0.6, 0.3, 0.05, 0.04)] == [
        "almost certainly must be masked",
        "probably must be masked",
        "may have to be masked",
        "probably can stay",
        "can stay",
    ]


def test_each_place_of_the_slider_has_words() -> None:
    """Its ends are the extremes, its middle is balanced."""
    assert [strictness(position, 24) for position in (0, 12, 24)] == [
        "very lenient",
        "balanced",
        "very strict",
    ]


def test_each_type_has_a_letter_of_its_own() -> None:
    """And a label."""
    assert set(BADGES) == set(TYPES) == set(SemanticType)
    assert len(set(BADGES.values())) == len(BADGES)


def test_what_nobody_looked_at_is_doubtful_from_a_risk_on() -> None:
    """A kept town of risk 0.2 is doubtful until a person keeps it; a masked name is masked."""
    result = sanitizer().sanitize("Ada Byron lives in Kentville.")
    person, town = result.decisions
    assert outcome_of(person, by_hand=False) is DisplayOutcome.MASKED
    assert outcome_of(town, by_hand=False) is DisplayOutcome.DOUBTFUL
    assert outcome_of(town, by_hand=True) is DisplayOutcome.KEPT
