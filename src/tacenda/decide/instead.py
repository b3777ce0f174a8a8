"""More masks elsewhere, where what readers need is left (``keep`` of a policy).

What is kept adds to the expected number of identifiers left. The riskiest of what would be shown is masked
instead, until as many are left as without it, or nothing else can go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..document import Decision, Document, Effect, IdentifierType, Reason, RuleKind
from ..policy import Policy
from .decide import allowed_by, by_itself, operator_of

_BY_RISK = (RuleKind.THRESHOLD, RuleKind.RISK_BUDGET)


def expected_left(decisions: Sequence[Decision]) -> float:
    """Return the expected number of entities in need of masking that can still be read."""
    return sum(decision.risk_left for decision in decisions)


def mask_instead(
    document: Document,
    decisions: Sequence[Decision],
    offers: Sequence[Decision],
    policy: Policy,
    budget: float,
) -> tuple[Decision, ...]:
    """Return the decisions with masks for the riskiest of what ``offers`` shows, as far as needed.

    What a rule or a person keeps stays, and so does what readers need.

    Args:
        document: the document of the mentions.
        decisions: one an entity.
        offers: the same with what readers need in them.
        policy: has operators and allow list.
        budget: expected number of entities in need of masking that may be left.
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
