"""What costs many words must be riskier to be masked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.decide.decide import TYPICAL, decide, highest_asking, threshold_for
from tacenda.document import Assessment, Document, Evidence, IdentifierType
from tacenda.errors import PolicyError
from tacenda.explain import sentence
from tacenda.policy import Policy
from tests.building import entity, mention

DOCUMENT = Document("d", "Ulm paid the Xylophone Quartet of Zwiefalten and Swabia twice.")
SHORT = entity("e1", mention(DOCUMENT, "Ulm", "LOC"))
LONG = entity("e2", mention(DOCUMENT, "Xylophone Quartet of Zwiefalten and Swabia", "ORG"))

probabilities = st.floats(0, 1)
counts = st.integers(1, 500)


def masked(policy: Policy, short: float, long: float, identifier: IdentifierType) -> list[str]:
    """Return the ids of what is masked at these risks."""
    assessments = tuple(
        Assessment(item, risk, identifier, (Evidence("masking_head", risk, "It says so."),))
        for item, risk in ((SHORT, short), (LONG, long))
    )
    return [each.entity.id for each in decide(DOCUMENT, assessments, policy, 0.2) if each.masked]


def test_of_equal_risks_the_shorter_is_masked() -> None:
    """At .2 both are; with a length penalty the six words are kept, and the one word goes at less."""
    quasi = IdentifierType.NO_MASK
    assert masked(Policy(threshold=0.2), 0.22, 0.22, quasi) == ["e1", "e2"]
    assert masked(Policy(threshold=0.2, length_penalty=0.5), 0.22, 0.22, quasi) == ["e1"]
    assert masked(Policy(threshold=0.2), 0.16, 0.22, quasi) == ["e2"]
    assert masked(Policy(threshold=0.2, length_penalty=0.5), 0.16, 0.22, quasi) == ["e1"]


def test_no_price_spares_a_direct_identifier() -> None:
    """However many words it takes."""
    policy = Policy(threshold=0.2, length_penalty=1.0)
    assert masked(policy, 0.01, 0.01, IdentifierType.DIRECT) == ["e1", "e2"]


@given(counts, probabilities, probabilities)
def test_what_is_likelier_than_not_is_never_spared(
    words: int, threshold: float, length_penalty: float
) -> None:
    """The result is above one half only where the threshold is."""
    assert threshold_for(threshold, words, length_penalty) <= max(0.5, threshold)


@given(counts, probabilities, probabilities, probabilities)
def test_an_entity_is_masked_up_to_the_highest_threshold(
    words: int, risk: float, threshold: float, length_penalty: float
) -> None:
    """At each threshold it is masked if and only if that is no higher."""
    highest = highest_asking(risk, words, length_penalty)
    if abs(threshold - highest) > 1e-9:
        assert (risk >= threshold_for(threshold, words, length_penalty)) == (threshold < highest)


@given(counts, probabilities, probabilities, probabilities)
def test_a_lower_threshold_never_masks_less(
    words: int, one: float, other: float, length_penalty: float
) -> None:
    """It is monotone in the threshold, which a slider counts on."""
    low, high = sorted((one, other))
    assert threshold_for(low, words, length_penalty) <= threshold_for(high, words, length_penalty)


@given(counts, counts, probabilities, probabilities)
def test_more_words_never_ask_for_less_risk(
    one: int, other: int, threshold: float, length_penalty: float
) -> None:
    """It is monotone in the words."""
    few, many = sorted((one, other))
    assert threshold_for(threshold, few, length_penalty) <= threshold_for(
        threshold, many, length_penalty
    )


@given(counts, probabilities)
def test_without_a_length_penalty_the_threshold_holds(words: int, threshold: float) -> None:
    """And so it does at the typical number of words."""
    assert threshold_for(threshold, words, 0.0) == pytest.approx(threshold)
    assert threshold_for(threshold, TYPICAL, 0.7) == pytest.approx(threshold)


def test_a_bound_for_the_document_minds_the_price_itself() -> None:
    """Both at once is refused by name."""
    with pytest.raises(PolicyError, match="length_penalty"):
        Policy(residual_share=0.05, length_penalty=0.3)


def test_the_reason_names_words_and_threshold() -> None:
    """A lawyer reads why the long one was kept."""
    risks = (Assessment(LONG, 0.22, IdentifierType.NO_MASK, ()),)
    (decision,) = decide(DOCUMENT, risks, Policy(threshold=0.2, length_penalty=0.5), 0.2)
    assert not decision.masked
    assert decision.reasons[0].words == 6
    assert "6 words" in sentence(decision.reasons[0])
