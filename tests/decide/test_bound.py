"""The threshold of a bound on the identifiers left, and documents that have none."""

from __future__ import annotations

import pytest

from tacenda.decide.decide import decide
from tacenda.document import Assessment, Document, Evidence, IdentifierType, Span
from tacenda.explain import sentence
from tacenda.policy import Policy
from tests.building import entity, mention

DOCUMENT = Document("d", "Ulm paid the Xylophone Quartet of Zwiefalten and then paid Ulm.")
SHORT = entity("e1", mention(DOCUMENT, "paid", "MISC"))
LONG = entity("e2", mention(DOCUMENT, "Xylophone Quartet of Zwiefalten", "ORG"))
CITY = entity("e3", mention(DOCUMENT, "Ulm", "LOC"))
POLICY = Policy(residual_share=0.05)


def assessed(*risks: float, direct: int | None = None) -> tuple[Assessment, ...]:
    """Return the three entities with these risks."""
    return tuple(
        Assessment(
            item,
            risk,
            IdentifierType.DIRECT if number == direct else IdentifierType.NO_MASK,
            (Evidence("masking_head", risk, "The recognizer says so."),),
        )
        for number, (item, risk) in enumerate(zip((SHORT, LONG, CITY), risks, strict=True))
    )


def masked(assessments: tuple[Assessment, ...], threshold: float = 0.1) -> list[str]:
    """Return the ids of what is masked where the bound has this threshold."""
    decisions = decide(DOCUMENT, assessments, POLICY, threshold)
    return [item.entity.id for item in decisions if item.masked]


def test_the_threshold_of_the_bound_decides() -> None:
    """It is the same for a long name and a short one."""
    assert masked(assessed(0.1, 0.09, 0.6)) == ["e1", "e3"]
    assert masked(assessed(0.1, 0.09, 0.6), 0.05) == ["e1", "e2", "e3"]


def test_a_document_without_identifiers_is_left_as_it_is() -> None:
    """Where nothing is more likely than not to need a mask, doubts are no reason for one."""
    assert masked(assessed(0.3, 0.3, 0.49)) == []


def test_one_sure_identifier_makes_the_doubtful_ones_count() -> None:
    """A direct identifier, whatever its risk, or an entity likely to need masking."""
    assert masked(assessed(0.2, 0.0, 0.5)) == ["e1", "e3"]
    assert masked(assessed(0.2, 0.0, 0.3, direct=2)) == ["e1", "e3"]


def test_what_the_user_keeps_is_kept() -> None:
    """An allow rule is above the bound."""
    policy = Policy(residual_share=0.05, allow=[{"exact": "Ulm"}])
    decisions = decide(DOCUMENT, assessed(0.2, 0.0, 0.9), policy, 0.1)
    assert [item.masked for item in decisions] == [True, False, False]


def test_what_is_masked_elsewhere_is_masked() -> None:
    """Also in a document without identifiers: the text would show it."""
    decisions = decide(DOCUMENT, assessed(0.1, 0.1, 0.1), POLICY, 0.1, [Span(0, 3)])
    assert [item.masked for item in decisions] == [False, False, True]


def test_the_reason_says_the_share_and_the_threshold() -> None:
    """So that a reader knows what set the threshold."""
    reasons = decide(DOCUMENT, assessed(0.3, 0.3, 0.9), POLICY, 0.4)[1].reasons
    assert sentence(reasons[0]) == (
        "Kept: its risk is 0.30; where at most 0.05 of the identifiers may be left, the threshold "
        "is 0.4."
    )


def test_risk_and_threshold_are_two_bounds() -> None:
    """Both in one file contradict each other; a change of one takes the place of the other."""
    with pytest.raises(ValueError, match="residual_share and threshold"):
        Policy(residual_share=0.1, threshold=0.2)
    assert Policy(threshold=0.2).with_changes(residual_share=0.1).threshold is None
    changed = Policy(residual_share=0.1, domain="court").with_changes(threshold=0.2)
    assert (changed.residual_share, changed.domain) == (None, "court")
