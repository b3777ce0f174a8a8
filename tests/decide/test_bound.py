"""The cheapest entities to mask, so that little of the risk is left."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.decide.decide import decide, greedy_mask
from tacenda.document import Assessment, Document, Evidence, IdentifierType
from tacenda.explain import sentence
from tacenda.policy import Policy
from tests.building import entity, mention

DOCUMENT = Document("d", "Ulm paid the Xylophone Quartet of Zwiefalten and then paid Ulm.")
SHORT = entity("e1", mention(DOCUMENT, "paid", "MISC"))
LONG = entity("e2", mention(DOCUMENT, "Xylophone Quartet of Zwiefalten", "ORG"))
CITY = entity("e3", mention(DOCUMENT, "Ulm", "LOC"))


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


def masked(policy: Policy, assessments: tuple[Assessment, ...]) -> list[str]:
    """Return the ids of what is masked."""
    return [each.entity.id for each in decide(DOCUMENT, assessments, policy, 0.2) if each.masked]


def test_of_equal_risks_the_cheapest_goes() -> None:
    """Half of the risk may be left: the long name stays, for it tells most."""
    assert masked(Policy(residual_share=0.5), assessed(0.3, 0.3, 0.3)) == ["e1", "e3"]


def test_a_smaller_bound_masks_more() -> None:
    """With nothing allowed to be left, everything goes; with all of it, nothing."""
    assert masked(Policy(residual_share=0.0), assessed(0.1, 0.1, 0.1)) == ["e1", "e2", "e3"]
    assert masked(Policy(residual_share=1.0), assessed(0.1, 0.1, 0.1)) == []


def test_what_is_likely_is_masked_at_any_price() -> None:
    """More likely than not to need masking: no bound keeps it."""
    assert masked(Policy(residual_share=1.0), assessed(0.1, 0.6, 0.1)) == ["e2"]


def test_direct_identifiers_count_and_are_masked() -> None:
    """They are masked by their own rule, and part of the risk of which a share may be left."""
    found = assessed(0.3, 0.3, 0.9, direct=2)
    assert masked(Policy(residual_share=0.2), found) == ["e1", "e3"]


def test_what_the_user_keeps_is_no_part_of_the_risk() -> None:
    """An allow rule keeps it, and nothing else is masked in its stead."""
    policy = Policy(residual_share=0.5, allow=[{"exact": "Ulm"}])
    assert masked(policy, assessed(0.3, 0.3, 0.45)) == ["e1"]


def test_the_reason_says_how_much_may_be_left() -> None:
    """Numbers of the document, not only of the entity."""
    reasons = decide(DOCUMENT, assessed(0.3, 0.3, 0.3), Policy(residual_share=0.5), 0.2)[1].reasons
    assert sentence(reasons[0]) == (
        "Kept: its risk is 0.30; 0.45 of 0.90 entities expected to need masking may be left."
    )


sums = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 40)), max_size=8)


@given(sums, st.integers(0, 100))
def test_the_bound_holds_and_costs_one_entity_too_much_at_most(
    pairs: list[tuple[int, int]], percent: int
) -> None:
    """Against all choices there are."""
    risks = [risk / 100 for risk, _ in pairs]
    prices = [float(price) for _, price in pairs]
    allowed = percent / 100 * sum(risks)
    chosen = greedy_mask(risks, prices, allowed)
    left = sum(risk for index, risk in enumerate(risks) if index not in chosen)
    assert left <= allowed + 1e-6
    every = (
        set(c) for size in range(len(risks) + 1) for c in combinations(range(len(risks)), size)
    )
    best = min(
        sum(prices[index] for index in each)
        for each in every
        if sum(risk for i, risk in enumerate(risks) if i not in each) <= allowed + 1e-9
    )
    assert sum(prices[index] for index in chosen) <= best + max(prices, default=0.0) + 1e-9


def test_risk_and_threshold_are_two_bounds() -> None:
    """Both in one file contradict each other; a change of one takes the place of the other."""
    with pytest.raises(ValueError, match="residual_share and threshold"):
        Policy(residual_share=0.1, threshold=0.2)
    assert Policy(threshold=0.2).with_changes(residual_share=0.1).threshold is None
    assert Policy(residual_share=0.1).with_changes(threshold=0.2).residual_share is None
