"""Entities to assessments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tacenda.document import (
    Decision,
    Document,
    Effect,
    Entity,
    Evidence,
    IdentifierType,
    Leak,
    Reason,
    RuleKind,
)
from tacenda.policy import Policy
from tacenda.risk.assess import assess, risk_summary
from tacenda.risk.indicators import Finding
from tests.building import entity, mention, reason

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
        (0.8, 0.45, IdentifierType.DIRECT),
        (0.6, 0.3, IdentifierType.QUASI),
    ],
)
def test_identifier_type_is_the_most_probable(
    masking: float, direct: float, identifier: IdentifierType
) -> None:
    """NO_MASK, QUASI or DIRECT by which is likelier; DIRECT also where it is the largest."""
    place = entity("e1", mention(DOCUMENT, "Ankara", "LOC", masking, direct))
    (assessment,) = assess(DOCUMENT, [place], Policy())
    assert assessment.identifier is identifier


def test_contact_and_identity_numbers_have_risk_one() -> None:
    """What a pattern is certain of needs no model."""
    address = entity("e1", mention(DOCUMENT, "g@example.org", "CODE", 1.0, 1.0, "pattern", "email"))
    (assessment,) = assess(DOCUMENT, [address], Policy())
    assert (assessment.risk, assessment.identifier) == (1.0, IdentifierType.DIRECT)
    assert any("email" in evidence.statement for evidence in assessment.evidence)


def test_the_reason_names_the_detector_that_was_most_certain() -> None:
    """A term of the gazetteer is named by its kind."""
    city = entity("e1", mention(DOCUMENT, "Ankara", "DEM", 0.4, 0.0, "gazetteer", "person_said"))
    (assessment,) = assess(DOCUMENT, [city], Policy())
    assert assessment.evidence[0].statement.startswith("What it says of a person (person said)")


def test_target_is_direct_and_a_namesake_is_not() -> None:
    """The target's own forms are direct identifiers; another given name makes another person."""
    document = Document("d", DOCUMENT.text, target=("Galip Yalman",))
    he = entity("e1", mention(document, "Mr Yalman", masking=0.01))
    she = entity("e2", mention(document, "Ayşe Yalman", masking=0.01))
    first, second = assess(document, [he, she], Policy())
    assert (first.risk, first.identifier) == (1.0, IdentifierType.DIRECT)
    assert (second.risk, second.identifier) == (0.9, IdentifierType.QUASI)


def test_evidence_never_quotes_the_document() -> None:
    """Statements can be shown to people who may not see the text."""
    document = Document("d", DOCUMENT.text, target=("Galip Yalman",))
    found = assess(document, [entity("e1", mention(document, "Ayşe Yalman"))], Policy())
    assert not any("Yalman" in evidence.statement for evidence in found[0].evidence)


def test_risk_of_nothing_is_nothing() -> None:
    """A document without entities has no risk."""
    summary = risk_summary([], [])
    assert (summary.before, summary.residual, summary.highest_kept, summary.leaks) == (0, 0, 0.0, 0)


def test_a_further_indicator_is_asked_as_well() -> None:
    """Whoever adds an indicator hands it over; the largest finding is the risk."""

    class Always:
        def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
            evidence = Evidence("always", 0.7, "It always says so.")
            return [Finding(evidence, IdentifierType.QUASI) for _ in entities]

    place = entity("e1", mention(DOCUMENT, "Ankara", "LOC", 0.3))
    (assessment,) = assess(DOCUMENT, [place], Policy(), [Always()])
    assert assessment.risk == 0.7
    assert [evidence.indicator for evidence in assessment.evidence] == ["always", "masking_head"]


def test_a_contradicting_mention_makes_the_entity_a_namesake() -> None:
    """A surname alone is not the target's where the entity has another given name elsewhere."""
    document = Document("d", DOCUMENT.text, target=("Galip Yalman",))
    she = entity(
        "e1", mention(document, "Ayşe Yalman"), mention(document, "Yalman", masking=0.1, nth=2)
    )
    (assessment,) = assess(document, [she], Policy())
    assert assessment.identifier is IdentifierType.QUASI


@pytest.mark.parametrize(
    ("string", "identifier", "risk"),
    [("Galip Yalman & Sons", "DIRECT", 1.0), ("Yalman Ltd", "QUASI", 0.9)],
)
def test_what_is_called_after_the_target_tells_of_it(
    string: str, identifier: str, risk: float
) -> None:
    """A company with the target's whole name is direct, with the surname alone it is risky."""
    document = Document("d", f"He owns {string}.", target=("Mr Galip Yalman",))
    (assessment,) = assess(
        document, [entity("e1", mention(document, string, "ORG", 0.1))], Policy()
    )
    assert (str(assessment.identifier), assessment.risk) == (identifier, risk)


def test_a_leaked_entity_counts_as_kept() -> None:
    """What verification still finds is a risk that is left."""
    item = entity("e1", mention(DOCUMENT, "Ankara", "LOC"))
    decision = Decision(item, True, "suppress", IdentifierType.QUASI, 0.9, (reason(),))
    summary = risk_summary([decision], [Leak("e1", 0, 3)])
    assert (summary.residual, summary.highest_kept, summary.leaks) == (0.9, 0.9, 1)


def test_what_a_person_keeps_is_counted_apart() -> None:
    """Nothing more is expected to be left than before; an entity that a person masks and that leaks is."""
    item = entity("e1", mention(DOCUMENT, "Ankara", "LOC"))
    by_hand = Reason(RuleKind.REVIEWER, Effect.KEEP)
    kept = Decision(item, False, "", IdentifierType.QUASI, 0.9, (by_hand, reason()))
    summary = risk_summary([kept], [])
    assert (summary.residual, summary.kept_by_people, summary.highest_kept) == (0, 0.9, 0.9)
    masked = replace(kept, masked=True, operator="suppress")
    summary = risk_summary([masked], [Leak("e1", 0, 3)])
    assert (summary.residual, summary.kept_by_people) == (0.9, None)


def test_the_place_of_the_riskiest_mention_means_nothing() -> None:
    """An entity is as risky whether it comes first or last."""
    risky = mention(DOCUMENT, "Mr Yalman", masking=0.8)
    other = mention(DOCUMENT, "Yalman", masking=0.2, nth=2)
    for mentions in ((risky, other), (other, risky)):
        (assessment,) = assess(DOCUMENT, [entity("e1", *mentions)], Policy())
        assert assessment.risk == 0.8
