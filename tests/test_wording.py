"""What people read is plain, and means what it says."""

from __future__ import annotations

from tacenda.document import Risk, SemanticType
from tacenda.wording import TYPES, entities_left, indicator_label, risk_left
from tests.examples import for_each


@for_each(
    ("before", "residual", "words"),
    [
        (31.6, 0.96, "about 1 of 32 entities that need masking are left"),
        (31.6, 4.4, "about 4 of 32 entities that need masking are left"),
        (12.0, 0.2, "fewer than 1 of 12 entities that need masking are left"),
        (1.0, 1.0, "about 1 of 1 entity that needs masking is left"),
        (0.2, 0.2, "nothing that needs masking is expected to be left"),
        (0.0, 0.0, "nothing that needs masking is expected to be left"),
    ],
)
def test_what_is_left_is_a_count(before: float, residual: float, words: str) -> None:
    """A number of entities, which nobody can take for a share."""
    assert entities_left(before, residual) == words


def test_the_sentence_has_the_numbers_too() -> None:
    """Count first, expectation behind it."""
    sentence = risk_left(Risk(31.63, 0.96, 0.17, 0))
    assert sentence.startswith("About 1 of 32 entities that need masking are left (0.96 of 31.63 ")


def test_what_the_policy_keeps_is_not_what_is_missed() -> None:
    """Three counts: undecided, kept by the policy, kept by a person."""
    sentence = risk_left(Risk(27, 7, 0.93, 0, kept_by_policy=6.4, kept_by_people=1))
    assert sentence.startswith("About 1 of 21 entities that need masking are left (0.60 of 20.60 ")
    assert (
        "The policy keeps another 6.40 on purpose. A person decided to keep another 1.00."
        in sentence
    )


def test_every_type_has_one_label() -> None:
    """All pages take it from here."""
    assert set(TYPES) == set(SemanticType)


def test_an_indicator_has_one_label() -> None:
    """No page shows an identifier of the program; who adds an indicator names it."""
    assert indicator_label("masking_head") == "recognizer and patterns"
    assert indicator_label("my_own_judge") == "my own judge"
