"""Masked or kept, with the reasons; the order of rules is the package's table."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import nextafter

from ..document import Assessment, Decision, Document, Entity, IdentifierType, SemanticType, Span
from ..policy import Policy
from ..policy.matching import matches
from ..text.information import information_of

# The bound as one number: the cheapest entities to mask so that little of the risk is left.
#
# Of a document's risk, the number of entities expected to need masking, at most a share may be left:
#
#     minimise    the information lost needlessly, Σ (1 − risk) · information, over what is masked
#     subject to  Σ risk of what is kept  <=  bound · Σ risk of all
#                 what is more likely than not to need masking is masked
#
# (``explicit_risk_measures``, section 3.3, with the expected residual risk as its constraint.) Solved
# greedily, the most risk for its price first, and what was not needed is taken back: dearer than the
# best choice by at most one entity.


MAJORITY = 0.5
_LEAST_PRICE = 1e-3
_ROUNDING = 1e-9


def masking_cost(document: Document, entity: Entity, risk: float) -> float:
    """Return the information lost needlessly by masking all mentions, in nats.

    Args:
        document: where the mentions' strings are.
        entity: what would be masked.
        risk: the probability that it must be.
    """
    return max(_LEAST_PRICE, (1 - risk) * information_of(document.text, entity))


def greedy_mask(risks: Sequence[float], prices: Sequence[float], allowed: float) -> frozenset[int]:
    """Return which to mask so that the risks of the others sum up to ``allowed`` at most.

    Args:
        risks: in [0, 1].
        prices: positive; ties go to who comes first.
        allowed: how much risk may be left.
    """
    masked = {index for index, risk in enumerate(risks) if risk > MAJORITY}
    remainder = sum(risk for index, risk in enumerate(risks) if index not in masked)
    order = sorted(range(len(risks)), key=lambda index: (-risks[index] / prices[index], index))
    additions = []
    for index in order:
        if remainder <= allowed + _ROUNDING:
            break
        if index not in masked:
            masked.add(index)
            additions.append(index)
            remainder -= risks[index]
    for index in sorted(additions, key=lambda index: (-prices[index], index)):
        if remainder + risks[index] <= allowed + _ROUNDING:
            masked.discard(index)
            remainder += risks[index]
    return frozenset(masked)


# A threshold that minds the price: what costs many words must be riskier to be masked.
#
# To hide one more entity is worth the same whichever it is; what is lost needlessly grows with its
# words. The cheapest set of edits that leaves a given number of entities therefore masks from odds
# on that grow with the words (the Lagrangian of the program in ``bound.py``, at one exchange rate
# for all documents). Whole proportion trusts the probabilities too much, so the policy's ``economy``
# is an exponent: 0 is one threshold for all, 1 is proportion.


TYPICAL = 3
"""Words at which the threshold is the policy's own."""

_BELOW_LIKELY = nextafter(MAJORITY, 0.0)
_WORD = re.compile(r"\w+")


def words_in(text: str) -> int:
    """Return how many words, numbers and dates' parts a text has."""
    return len(_WORD.findall(text))


def words_of(document: Document, entity: Entity) -> int:
    """Return how many words of the text all mentions of the entity have."""
    return sum(words_in(mention.span.of(document.text)) for mention in entity.mentions)


def highest_asking(risk: float, words: int, economy: float) -> float:
    """Highest threshold at which an entity of this risk is masked, the inverse of ``asked``.

    Args:
        risk: in [0, 1].
        words: of all mentions.
        economy: the exponent, in [0, 1].
    """
    if risk >= MAJORITY:
        return risk
    odds = risk / (1 - risk)
    price: float = (max(1, words) / TYPICAL) ** economy
    # From one half on a threshold is meant literally.
    return min(odds / (price + odds), _BELOW_LIKELY)


def threshold_for(threshold: float, words: int, economy: float) -> float:
    """Return the risk from which an entity is masked, in [0, 1].

    What is more likely than not to need masking is never spared for its price: the result is above
    that only if ``threshold`` is.

    Args:
        threshold: of the policy.
        words: of all mentions.
        economy: the exponent, in [0, 1].
    """
    if threshold >= MAJORITY:
        return threshold
    price: float = (max(1, words) / TYPICAL) ** economy
    odds = price * threshold / (1 - threshold)
    return min(MAJORITY, odds / (1 + odds))


_HOLDS = "Masked: it has in it, or shares, what is masked elsewhere."


def decide(
    document: Document,
    assessments: Sequence[Assessment],
    policy: Policy,
    default_threshold: float,
    forced: Sequence[Span] = (),
) -> tuple[Decision, ...]:
    """Return one decision an assessment, in order.

    Args:
        document: where the mentions' strings are.
        assessments: the entities with their risks.
        policy: thresholds, operators, allow and deny lists.
        default_threshold: used where the policy sets none, a probability.
        forced: code points that must be masked, ``united``: an entity with one of them can't be
            kept, since it would show what is masked elsewhere.
    """
    holds = [_holds(assessment.entity, forced) for assessment in assessments]
    measured = (
        _by_threshold(document, assessments, policy, default_threshold)
        if policy.risk is None
        else _by_bound(document, assessments, holds, policy, policy.risk)
    )
    return tuple(
        _decision(document, assessment, policy, measure, hold)
        for assessment, measure, hold in zip(assessments, measured, holds, strict=True)
    )


def _holds(entity: Entity, forced: Sequence[Span]) -> bool:
    """Tell whether a mention has a code point of ``forced``."""
    for mention in entity.mentions:
        place = bisect_left(forced, mention.span.end, key=lambda span: span.start) - 1
        if place >= 0 and forced[place].end > mention.span.start:
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Measure:
    """Whether the risk alone calls for masking, and how it compares with what bounds it."""

    masked: bool
    comparison: str
    threshold: float | None = None
    masked_up_to: float | None = None


def _by_threshold(
    document: Document,
    assessments: Sequence[Assessment],
    policy: Policy,
    default_threshold: float,
) -> list[_Measure]:
    general = default_threshold if policy.threshold is None else policy.threshold
    measured = []
    for assessment in assessments:
        type, risk = assessment.entity.type, assessment.risk
        threshold = bound = policy.thresholds.get(type, general)
        price, highest = "", risk
        if policy.economy:
            words = words_of(document, assessment.entity)
            bound = threshold_for(threshold, words, policy.economy)
            price = f" ({words} word{'' if words == 1 else 's'} in all)"
            highest = highest_asking(risk, words, policy.economy)
        comparison = f"its risk is {risk:.2f}, the threshold for {type}{price} {bound:.2f}"
        measured.append(_Measure(risk >= bound, comparison, threshold, highest))
    return measured


def _by_bound(
    document: Document,
    assessments: Sequence[Assessment],
    holds: Sequence[bool],
    policy: Policy,
    bound: float,
) -> list[_Measure]:
    """Measure against the risk of the whole document, without what an allow rule keeps."""
    always = [
        hold or _always(document, assessment, policy) is not None
        for assessment, hold in zip(assessments, holds, strict=True)
    ]
    free = [
        place
        for place, assessment in enumerate(assessments)
        if not always[place] and allowed_by(document, assessment.entity, policy) is None
    ]
    risks = [assessments[place].risk for place in free]
    prices = [
        masking_cost(document, assessments[place].entity, assessments[place].risk) for place in free
    ]
    total = sum(risks) + sum(
        assessment.risk for assessment, is_sure in zip(assessments, always, strict=True) if is_sure
    )
    selection = {free[number] for number in greedy_mask(risks, prices, bound * total)}
    statement = f"{bound * total:.2f} of {total:.2f} entities expected to need masking may be left"
    return [
        _Measure(
            place in selection or assessment.risk > MAJORITY,
            f"its risk is {assessment.risk:.2f}; {statement}",
        )
        for place, assessment in enumerate(assessments)
    ]


def _decision(
    document: Document, assessment: Assessment, policy: Policy, measure: _Measure, hold: bool
) -> Decision:
    entity = assessment.entity
    masked, by_rule, verdict = _verdict(document, assessment, policy, measure)
    threshold, masked_up_to = measure.threshold, measure.masked_up_to
    if by_rule:
        threshold = masked_up_to = None
    if hold and not masked:
        masked, verdict = True, (_HOLDS, *map(by_itself, verdict))
        if threshold is not None and masked_up_to is not None:
            masked_up_to = max(masked_up_to, threshold)
    identifier = assessment.identifier
    if masked and identifier is IdentifierType.NO_MASK:
        identifier = IdentifierType.QUASI
    return Decision(
        entity=entity,
        masked=masked,
        operator=operator_of(document, entity, policy) if masked else "",
        identifier=identifier,
        risk=assessment.risk,
        reasons=(*verdict, *(evidence.statement for evidence in assessment.evidence)),
        threshold=threshold,
        masked_up_to=masked_up_to,
    )


def by_itself(reason: str) -> str:
    """Return a reason to keep an entity as the one it was before the others were looked at."""
    return reason.replace("Kept:", "By itself it would be kept:", 1)


def operator_of(document: Document, entity: Entity, policy: Policy) -> str:
    """Return the operator of the first rule that matches a mention, else that of the type."""
    for index, rule in enumerate(policy.operators_for):
        place = f"operators_for[{index}]"
        if any(
            matches(rule, string, type, document.id, place)
            for string, type in _strings(document, entity)
        ):
            return rule.operator
    return policy.operator_for(entity.type)


def _verdict(
    document: Document, assessment: Assessment, policy: Policy, measure: _Measure
) -> tuple[bool, bool, tuple[str, ...]]:
    """Return whether the entity is masked, whether a rule decided, and the sentences that say it."""
    allowed = allowed_by(document, assessment.entity, policy)
    always = _always(document, assessment, policy)
    if always is not None:
        reason, yields = always
        if yields and allowed is not None and policy.allow[allowed].exact is not None:
            return False, True, (f"Kept: the policy's allow list names it (allow[{allowed}]).",)
        if allowed is not None:
            yielding = f"The policy's allow list (allow[{allowed}]) yields to that."
            return True, True, (reason, yielding)
        return True, True, (reason,)
    comparison = measure.comparison
    if not measure.masked:
        return False, allowed is not None, (f"Kept: {comparison}.",)
    if allowed is not None:
        return (
            False,
            True,
            (
                f"Kept: the policy's allow list matches it (allow[{allowed}]).",
                f"Without that it would be masked: {comparison}.",
            ),
        )
    return True, False, (f"Masked: {comparison}.",)


def _always(document: Document, assessment: Assessment, policy: Policy) -> tuple[str, bool] | None:
    """Return why it is masked whatever its risk, and whether an exact allow rule is above that."""
    indicators = {evidence.indicator for evidence in assessment.evidence}
    kinds = [mention.kind for mention in assessment.entity.mentions if mention.source == "policy"]
    if "target" in indicators:
        return "Masked: it names the person to protect.", False
    if "target" in kinds:
        return "Masked: it has a name of the person to protect.", False
    denied = next(iter(kinds), None) or _denied(document, assessment.entity, policy)
    if denied is not None:
        return f"Masked: the policy's deny list matches it ({denied}).", False
    if "identity_number" in indicators:
        return "Masked: contact and identity numbers always are.", True
    if assessment.identifier is IdentifierType.DIRECT:
        return "Masked: direct identifiers always are.", True
    return None


def allowed_by(document: Document, entity: Entity, policy: Policy) -> int | None:
    """Return an allow rule if each of the mentions matches one; an exact one only if all do.

    So the rule that is named is never stronger than the weakest that was needed.
    """
    weakest: int | None = None
    for string, type in _strings(document, entity):
        indices = [
            index
            for index, rule in enumerate(policy.allow)
            if matches(rule, string, type, document.id, f"allow[{index}]")
        ]
        if not indices:
            return None
        best = min(indices, key=lambda index: policy.allow[index].exact is None)
        if weakest is None or policy.allow[weakest].exact is not None:
            weakest = best
    return weakest


def _denied(document: Document, entity: Entity, policy: Policy) -> str | None:
    for string, _ in _strings(document, entity):
        for index, rule in enumerate(policy.deny):
            place = f"deny[{index}]"
            if matches(rule, string, rule.type or entity.type, document.id, place):
                return place
    return None


def _strings(document: Document, entity: Entity) -> dict[tuple[str, SemanticType], None]:
    """Return what the mentions cover, once each, in order of the text."""
    return dict.fromkeys(
        (mention.span.of(document.text), mention.type) for mention in entity.mentions
    )
