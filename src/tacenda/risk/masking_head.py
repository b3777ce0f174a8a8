"""The detectors' own probability: an entity takes the highest of its mentions.

With the recognizer's masking head this is the indicator "sequence labelling" of
``explicit_risk_measures``, section 3.2, read as partial match.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Document, Entity, Evidence, IdentifierType
from .indicator import Finding

_SAYS = {
    "neural": "The recognizer",
    "pattern": "The patterns",
    "policy": "The policy",
    "propagation": "Another mention",
}


class MaskingHead:
    """Highest masking probability over the mentions of an entity."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity."""
        return [_finding(entity) for entity in entities]


def _finding(entity: Entity) -> Finding:
    riskiest = max(entity.mentions, key=lambda mention: (mention.masking, mention.direct))
    direct = max(mention.direct for mention in entity.mentions)
    if direct >= 0.5:
        identifier = IdentifierType.DIRECT
    elif riskiest.masking >= 0.5:
        identifier = IdentifierType.QUASI
    else:
        identifier = IdentifierType.NO_MASK
    kind = f" ({riskiest.kind.replace('_', ' ')})" if riskiest.kind else ""
    statement = (
        f"{_SAYS.get(riskiest.source, riskiest.source)}{kind} gives {riskiest.masking:.2f} that "
        f"this must be masked, {direct:.2f} that it identifies a person directly."
    )
    return Finding(Evidence("masking_head", riskiest.masking, statement), identifier)
