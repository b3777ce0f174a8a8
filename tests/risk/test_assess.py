"""Entities to assessments."""

from __future__ import annotations

import pytest

from tacenda.document import Document, IdentifierType
from tacenda.policy import Policy
from tacenda.risk import assess, risk_summary
from tacenda.risk.target import PersonName
from tests.building import entity, mention

DOCUMENT = Document("d", "Mr Yalman wrote to Ayşe Yalman at g@example.org in Ankara. Yalman left.")


def test_an_entity_takes_the_highest_of_its_mentions() -> None:
    """One risky mention makes the entity risky."""
    person = entity(
        "e1",
        mention(DOCUMENT, "Mr Yalman", masking=0.2),
        mention(DOCUMENT, "Yalman", masking=0.8, nth=2),
    )
    (assessment,) = assess(DOCUMENT, [person], Policy())
    assert assessment.risk == 0.8
    assert assessment.identifier is IdentifierType.QUASI
    assert "0.80" in assessment.evidence[0].statement


@pytest.mark.parametrize(
    ("masking", "direct", "identifier"),
    [
        (0.1, 0.0, IdentifierType.NO_MASK),
        (0.7, 0.1, IdentifierType.QUASI),
        (0.9, 0.6, IdentifierType.DIRECT),
    ],
)
def test_identifier_type_is_the_most_probable(
    masking: float, direct: float, identifier: IdentifierType
) -> None:
    """NO_MASK, QUASI or DIRECT by which of the probabilities passes one half."""
    place = entity("e1", mention(DOCUMENT, "Ankara", "LOC", masking, direct))
    (assessment,) = assess(DOCUMENT, [place], Policy())
    assert assessment.identifier is identifier


def test_contact_and_identity_numbers_have_risk_one() -> None:
    """What a pattern is certain of needs no model."""
    address = entity("e1", mention(DOCUMENT, "g@example.org", "CODE", 1.0, 1.0, "pattern", "email"))
    (assessment,) = assess(DOCUMENT, [address], Policy())
    assert (assessment.risk, assessment.identifier) == (1.0, IdentifierType.DIRECT)
    assert any("email" in evidence.statement for evidence in assessment.evidence)


def test_target_is_direct_and_a_namesake_is_not() -> None:
    """The target's own forms are direct identifiers; another given name makes another person."""
    document = Document("d", DOCUMENT.text, target=("Galip Yalman",))
    he = entity("e1", mention(document, "Mr Yalman", masking=0.01))
    she = entity("e2", mention(document, "Ayşe Yalman", masking=0.01))
    first, second = assess(document, [he, she], Policy())
    assert (first.risk, first.identifier) == (1.0, IdentifierType.DIRECT)
    assert (second.risk, second.identifier) == (0.6, IdentifierType.QUASI)


@pytest.mark.parametrize(
    ("name", "target", "same"),
    [
        ("Mr Yalman", "Galip Yalman", True),
        ("G. Yalman", "Mr Galip Yalman", True),
        ("YALMAN", "Galip Yalman", True),
        ("Yalman's", "Galip Yalman", True),
        ("Galip", "Galip Yalman", True),
        ("YALMAN Galip", "Galip Yalman", True),
        ("Ayse Yalman", "Galip Yalman", False),
        ("A. Yalman", "Galip Yalman", False),
        ("Öztürk", "Cem Ozturk", True),
        ("Yalmaner", "Galip Yalman", False),
    ],
)
def test_forms_of_a_name(name: str, target: str, same: bool) -> None:
    """Titles, initials, case, order and diacritics don't matter; another given name does."""
    left, right = PersonName.parse(name), PersonName.parse(target)
    assert left is not None
    assert right is not None
    assert left.matches(right) is same


def test_evidence_never_quotes_the_document() -> None:
    """Statements can be shown to people who may not see the text."""
    document = Document("d", DOCUMENT.text, target=("Galip Yalman",))
    found = assess(document, [entity("e1", mention(document, "Ayşe Yalman"))], Policy())
    assert not any("Yalman" in evidence.statement for evidence in found[0].evidence)


def test_risk_of_nothing_is_nothing() -> None:
    """A document without entities has no risk."""
    summary = risk_summary([], [])
    assert (summary.before, summary.residual, summary.highest_kept, summary.leaks) == (0, 0, 0.0, 0)
