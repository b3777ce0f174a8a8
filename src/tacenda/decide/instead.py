"""Mask more elsewhere to make up for what readers need (``keep`` of a policy).

Kept attributes add to the expected number of identifiers left. The riskiest of the remaining
entities are masked instead, until no more identifiers are expected to be left than without
``keep``, or nothing else can be masked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..document import Decision, Document, Effect, IdentifierType, Reason, RuleKind
from ..policy import Policy
from .decide import allowed_by, by_itself, operator_of

_BY_RISK = (RuleKind.THRESHOLD, RuleKind.RISK_BUDGET)


def expected_left(decisions: Sequence[Decision]) -> float:
    """Return the expected number of entities that need masking but can still be read."""
    return sum(decision.risk_left for decision in decisions)


def mask_instead(
    document: Document,
    decisions: Sequence[Decision],
    offers: Sequence[Decision],
    policy: Policy,
    budget: float,
) -> tuple[Decision, ...]:
    """Return the decisions with as many of the riskiest entities shown by ``offers`` masked as needed.

    Entities kept by a rule, by a person or for readers stay.

    Args:
        document: the document of the mentions.
        decisions: one an entity.
        offers: the same decisions with what readers need in them.
        policy: the operators and the allow list.
        budget: expected number of entities needing masking that may be left.
    """
    excess = expected_left(offers) - budget
    candidates = [
        place
        for place, offer in enumerate(offers)
        if not offer.masked and offer.reasons[0].rule in _BY_RISK
    ]
    result = list(decisions)
    for place in sorted(candidates, key=lambda place: -offers[place].risk):
        decision = decisions[place]
        if excess <= 0:
            break
        if decision.risk <= 0 or allowed_by(document, decision.entity, policy) is not None:
            continue
        excess -= decision.risk
        is_harmless = decision.identifier is IdentifierType.NO_MASK
        result[place] = replace(
            decision,
            masked=True,
            operator=operator_of(document, decision.entity, policy),
            identifier=IdentifierType.QUASI if is_harmless else decision.identifier,
            reasons=(
                Reason(RuleKind.INSTEAD, Effect.MASK),
                *map(by_itself, decision.reasons),
            ),
            threshold=None,
            masked_up_to=None,
        )
    return tuple(result)
