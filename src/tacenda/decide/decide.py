"""Masked or kept, with the reasons; the order of rules is the package's table."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Assessment, Decision, Document, IdentifierType
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
    masked, reason = _verdict(document, assessment, policy, threshold)
    identifier = assessment.identifier
    if masked and identifier is IdentifierType.NO_MASK:
        identifier = IdentifierType.QUASI
    return Decision(
        entity=entity,
        masked=masked,
        operator=policy.operator_for(entity.type) if masked else "",
        identifier=identifier,
        risk=assessment.risk,
        reasons=(reason, *(evidence.statement for evidence in assessment.evidence)),
    )


def _verdict(
    document: Document, assessment: Assessment, policy: Policy, threshold: float
) -> tuple[bool, str]:
    entity = assessment.entity
    indicators = {evidence.indicator for evidence in assessment.evidence}
    if "target" in indicators:
        return True, "Masked: it names the person to protect."
    if any(mention.source == "policy" for mention in entity.mentions):
        return True, "Masked: it is on the policy's deny list."
    if policy.allow and all(
        any(matches(rule, mention.span.of(document.text), mention.type) for rule in policy.allow)
        for mention in entity.mentions
    ):
        return False, "Kept: it is on the policy's allow list."
    if "identity_number" in indicators:
        return True, "Masked: contact and identity numbers always are."
    if assessment.identifier is IdentifierType.DIRECT:
        return True, "Masked: direct identifiers always are."
    comparison = (
        f"its risk is {assessment.risk:.2f}, the threshold for {entity.type} {threshold:.2f}"
    )
    if assessment.risk >= threshold:
        return True, f"Masked: {comparison}."
    return False, f"Kept: {comparison}."
