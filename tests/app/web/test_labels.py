"""The words of the pages: figures said in plain English, and what happens to a place."""

from __future__ import annotations

import pytest

from tacenda.app.review.curve import nearest
from tacenda.app.web.labels import (
    BADGES,
    STRICTNESS,
    DisplayOutcome,
    chance,
    fits,
    left,
    outcome_of,
    strictness,
)
from tacenda.document import SemanticType
from tacenda.policy import Policy
from tacenda.wording import TYPES
from tests.examples import for_each

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


def test_what_is_kept_on_purpose_is_counted_apart() -> None:
    """What the policy keeps is neither missed nor a person's doing."""
    words = "fewer than 1 of 20 left; kept on purpose: about 7 by the policy, about 1 by a person"
    assert left(27, 7.3, 1.2, 7) == words
    assert left(7, 7, kept_by_policy=7) == "nothing left; kept on purpose: about 7 by the policy"
    assert left(20, 0.3, 0.4) == "fewer than 1 of 20 left"


def test_a_chance_has_words() -> None:
    """From certain to harmless, and each bound belongs to the stronger words."""
    assert [chance(risk) for risk in (1.0, 0.6, 0.3, 0.05, 0.04)] == [
        "almost certainly must be masked",
        "probably must be masked",
        "may have to be masked",
        "probably can stay",
        "can stay",
    ]


@for_each(
    ("risk", "words"),
    [
        (1.0, "only this one"),
        (1 / 370, "one of 370"),
        (1 / 1234, "one of 1,200"),
        (1e-8, "one of millions"),
        (1.25e-10, "could be anyone or anything"),
        (0.0, "could be anyone or anything"),
    ],
)
def test_how_many_an_option_fits_has_words(risk: float, words: str) -> None:
    """From one thing to anything, in numbers as long as people can picture them."""
    assert fits(risk) == words


@pytest.mark.parametrize(
    ("name", "words"), [("lenient", "lenient"), ("default", "balanced"), ("strict", "strict")]
)
def test_a_shipped_policy_is_called_by_its_name(name: str, words: str) -> None:
    """As strict as its bound says, and so is the nearest place of the slider."""
    bound = Policy.load(name).threshold
    assert bound is not None
    assert (strictness(bound), STRICTNESS[-1 - nearest(bound)]) == (words, words)


def test_each_place_of_the_slider_has_words() -> None:
    """Its ends are the extremes, and each kind of words has places beside one another."""
    words = ["very lenient", "lenient", "balanced", "strict", "very strict"]
    assert list(dict.fromkeys(STRICTNESS)) == words
    assert sorted(STRICTNESS, key=words.index) == list(STRICTNESS)


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
