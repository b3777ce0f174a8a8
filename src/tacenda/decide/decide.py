"""Masked or kept, with the reasons; the order of rules is the package's table."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Assessment, Decision, Document, Entity, IdentifierType, SemanticType
from ..policy import Policy
from .rules import matches


def decide(
    document: Document,
    assessments: Sequence[Assessment],
    policy: Policy,
    default_threshold: float,
) -> tuple[Decision, ...]:
    """Return one decision an assessment, in order.

    Args:
        document: where the mentions' strings are.
        assessments: the entities with their risks.
        policy: thresholds, operators, allow and deny lists.
        default_threshold: used where the policy sets none, a probability.
    """
    return tuple(
        _decision(document, assessment, policy, default_threshold) for assessment in assessments
    )


def _decision(
    document: Document, assessment: Assessment, policy: Policy, default_threshold: float
) -> Decision:
    entity = assessment.entity
    general = default_threshold if policy.threshold is None else policy.threshold
    threshold = policy.thresholds.get(entity.type, general)
    masked, verdict = _verdict(document, assessment, policy, threshold)
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
    )


def operator_of(document: Document, entity: Entity, policy: Policy) -> str:
    """Return the operator of the first rule that matches a mention, else that of the type."""
    for rule in policy.operators_for:
        if any(matches(rule, string, type) for string, type in _strings(document, entity)):
            return rule.operator
    return policy.operator_for(entity.type)


def _verdict(
    document: Document, assessment: Assessment, policy: Policy, threshold: float
) -> tuple[bool, tuple[str, ...]]:
    """Return whether the entity is masked and the sentences that say by which rule."""
    allowed = allowed_by(document, assessment.entity, policy)
    always = _always(document, assessment, policy)
    if always is not None:
        reason, yields = always
        if yields and allowed is not None and policy.allow[allowed].exact is not None:
            return False, (f"Kept: the policy's allow list names it (allow[{allowed}]).",)
        if allowed is not None:
            return True, (reason, f"The policy's allow list (allow[{allowed}]) yields to that.")
        return True, (reason,)
    comparison = (
        f"its risk is {assessment.risk:.2f}, the threshold for {assessment.entity.type} "
        f"{threshold:.2f}"
    )
    if assessment.risk < threshold:
        return False, (f"Kept: {comparison}.",)
    if allowed is not None:
        return False, (
            f"Kept: the policy's allow list matches it (allow[{allowed}]).",
            f"Without that it would be masked: {comparison}.",
        )
    return True, (f"Masked: {comparison}.",)


def _always(document: Document, assessment: Assessment, policy: Policy) -> tuple[str, bool] | None:
    """Return why it is masked whatever its risk, and whether an exact allow rule is above that."""
    indicators = {evidence.indicator for evidence in assessment.evidence}
    named = [mention.kind for mention in assessment.entity.mentions if mention.source == "policy"]
    if "target" in indicators:
        return "Masked: it names the person to protect.", False
    if "target" in named:
        return "Masked: it has a name of the person to protect.", False
    denied = next(iter(named), None) or _denied(document, assessment.entity, policy)
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
        found = [index for index, rule in enumerate(policy.allow) if matches(rule, string, type)]
        if not found:
            return None
        best = min(found, key=lambda index: policy.allow[index].exact is None)
        if weakest is None or policy.allow[weakest].exact is not None:
            weakest = best
    return weakest


def _denied(document: Document, entity: Entity, policy: Policy) -> str | None:
    for string, _ in _strings(document, entity):
        for index, rule in enumerate(policy.deny):
            if matches(rule, string, rule.type or entity.type):
                return f"deny[{index}]"
    return None


def _strings(document: Document, entity: Entity) -> dict[tuple[str, SemanticType], None]:
    """Return what the mentions cover, once each, in order of the text."""
    return dict.fromkeys(
        (mention.span.of(document.text), mention.type) for mention in entity.mentions
    )
