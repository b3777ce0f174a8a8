"""All indicators' findings about an entity as one assessment."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Assessment, Document, Entity, IdentifierType
from ..policy import Policy
from .combine import combined
from .identity_numbers import IdentityNumbers
from .indicator import Finding, Indicator
from .masking_head import PARTIAL_MATCH, MaskingHead
from .registry import named
from .target import Target

_SEVERITY = {IdentifierType.NO_MASK: 0, IdentifierType.QUASI: 1, IdentifierType.DIRECT: 2}


def assess(
    document: Document,
    entities: Sequence[Entity],
    policy: Policy,
    further: Sequence[Indicator] = (),
) -> tuple[Assessment, ...]:
    """Return one assessment an entity, in order; see the package for how findings combine.

    Args:
        document: where the mentions' strings are.
        entities: what to assess.
        policy: names the persons to protect besides the document's own target, and indicators to
            ask besides the ones that are always asked, with the way to combine them.
        further: indicators that no name calls, such as those that know of an index.

    Raises:
        PolicyError: if the policy's indicators are unknown or can't be combined.
    """
    always: tuple[Indicator, ...] = (MaskingHead(), IdentityNumbers(), Target(policy.target))
    asked = (*always, *named(policy.indicators), *further)
    columns = [indicator.judge(document, entities) for indicator in asked]
    return tuple(
        _combine(entity, [finding for finding in findings if finding is not None], policy)
        for entity, *findings in zip(entities, *columns, strict=True)
    )


def _combine(entity: Entity, findings: list[Finding], policy: Policy) -> Assessment:
    findings.sort(key=lambda finding: (-finding.evidence.value, -_SEVERITY[finding.identifier]))
    evidence = tuple(finding.evidence for finding in findings)
    risk = evidence[0].value
    together = combined(entity, evidence, policy)
    if together is not None:
        graded = (PARTIAL_MATCH, *policy.indicators)
        others = [each.value for each in evidence if each.indicator not in graded]
        evidence = (together, *evidence)
        risk = max((together.value, *others))
    return Assessment(
        entity=entity,
        risk=risk,
        identifier=max((finding.identifier for finding in findings), key=_SEVERITY.__getitem__),
        evidence=evidence,
    )
