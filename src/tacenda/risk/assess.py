"""Assessments: combine what all indicators find about an entity into one risk."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import (
    Assessment,
    Certainty,
    Decision,
    Document,
    Entity,
    IdentifierType,
    Leak,
    Risk,
)
from ..policy import Policy
from .combined_risk import combined_evidence
from .indicators import Finding, Indicator
from .recognizer_risk import PARTIAL_MATCH, IdentityNumbers, RecognizerIndicator
from .registry import kind_of, load_indicators
from .target_risk import Target

_CERTAINTIES = {None: 0, Certainty.IDENTITY_NUMBER: 1, Certainty.TARGET: 2}
_SEVERITY = {IdentifierType.NO_MASK: 0, IdentifierType.QUASI: 1, IdentifierType.DIRECT: 2}


def assess(
    document: Document,
    entities: Sequence[Entity],
    policy: Policy,
    indicators: Sequence[Indicator] = (),
) -> tuple[Assessment, ...]:
    """Return one assessment per entity, in order; the package docstring says how findings are combined.

    Args:
        document: the document of the mentions.
        entities: the entities.
        policy: names the people to protect in addition to the document's own target, and the
            indicators in addition to the built-in ones, and how they are combined.
        indicators: indicators that have no name, such as those with an index.

    Raises:
        PolicyError: if the policy's indicators are unknown or can't be combined.
    """
    always: tuple[Indicator, ...] = (
        RecognizerIndicator(),
        IdentityNumbers(),
        Target(policy.target),
    )
    all_indicators = (*always, *load_indicators(policy.indicators), *indicators)
    columns = [indicator.judge(document, entities) for indicator in all_indicators]
    return tuple(
        _combine(entity, [finding for finding in findings if finding is not None], policy)
        for entity, *findings in zip(entities, *columns, strict=True)
    )


def _combine(entity: Entity, findings: list[Finding], policy: Policy) -> Assessment:
    findings.sort(key=lambda finding: (-finding.evidence.value, -_SEVERITY[finding.identifier]))
    evidence = tuple(finding.evidence for finding in findings)
    risk = evidence[0].value
    combination = combined_evidence(entity, evidence, policy)
    if combination is not None:
        graded = (PARTIAL_MATCH, *map(kind_of, policy.indicators))
        values = [item.value for item in evidence if item.indicator not in graded]
        evidence = (combination, *evidence)
        risk = max((combination.value, *values))
    return Assessment(
        entity=entity,
        risk=risk,
        identifier=max((finding.identifier for finding in findings), key=_SEVERITY.__getitem__),
        evidence=evidence,
        certain=max((finding.certain for finding in findings), key=_CERTAINTIES.__getitem__),
    )


def risk_summary(decisions: Sequence[Decision], leaks: Sequence[Leak]) -> Risk:
    """Return the sum of the calibrated probabilities of all entities, and that of the kept ones.

    An entity that leaked counts as kept. One that was generalized as little as possible counts by
    how far it still singles the person out.
    """
    leaked = {leak.entity_id for leak in leaks}
    readable = [item for item in decisions if not item.masked or item.entity.id in leaked]
    by_people = [item.risk for item in readable if item.is_kept_by_person]
    left = {
        item.entity.id: item.risk if item.entity.id in leaked else item.risk_left
        for item in decisions
        if not item.is_kept_by_person
    }
    by_policy = [left[item.entity.id] for item in decisions if item.is_kept_by_policy]
    by_attribute: dict[str, float] = {}
    for item in decisions:
        if item.attribute:
            risk = by_attribute.get(item.attribute, 0.0) + left[item.entity.id]
            by_attribute[item.attribute] = risk
    return Risk(
        before=sum(decision.risk for decision in decisions),
        residual=sum(left.values()),
        highest_kept=max((item.risk for item in readable), default=0.0),
        leaks=len(leaks),
        kept_by_people=sum(by_people) if by_people else None,
        kept_attributes=by_attribute or None,
        kept_by_policy=sum(by_policy) if by_policy else None,
    )
