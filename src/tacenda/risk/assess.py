"""All indicators' findings about an entity as one assessment."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Assessment, Document, Entity, IdentifierType
from ..policy import Policy
from .identity_numbers import IdentityNumbers
from .indicator import Finding, Indicator
from .masking_head import MaskingHead
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
        policy: names the persons to protect besides the document's own target.
        further: indicators besides the ones that are always asked.
    """
    always: tuple[Indicator, ...] = (MaskingHead(), IdentityNumbers(), Target(policy.target))
    columns = [indicator.judge(document, entities) for indicator in (*always, *further)]
    return tuple(
        _combine(entity, [finding for finding in findings if finding is not None])
        for entity, *findings in zip(entities, *columns, strict=True)
    )


def _combine(entity: Entity, findings: list[Finding]) -> Assessment:
    findings.sort(key=lambda finding: (-finding.evidence.value, -_SEVERITY[finding.identifier]))
    return Assessment(
        entity=entity,
        risk=findings[0].evidence.value,
        identifier=max((finding.identifier for finding in findings), key=_SEVERITY.__getitem__),
        evidence=tuple(finding.evidence for finding in findings),
    )
