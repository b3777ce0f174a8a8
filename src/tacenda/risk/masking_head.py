"""The detectors' own probability: an entity takes the highest of its mentions.

With the recognizer's masking head this is the indicator "sequence labelling" of
``explicit_risk_measures``, section 3.2, read as partial match.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Document, Entity, Evidence, IdentifierType, Mention
from .indicator import Finding


class MaskingHead:
    """Highest masking probability over the mentions of an entity."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity."""
        return [_finding(entity) for entity in entities]


def _finding(entity: Entity) -> Finding:
    riskiest = max(entity.mentions, key=lambda mention: (mention.masking, mention.direct))
    direct = max(mention.direct for mention in entity.mentions)
    statement = (
        f"{_says(riskiest)} {riskiest.masking:.2f} that this must be masked, {direct:.2f} that it "
        "identifies a person directly."
    )
    evidence = Evidence("masking_head", riskiest.masking, statement)
    return Finding(evidence, _most_probable(riskiest.masking, direct))


def _most_probable(masking: float, direct: float) -> IdentifierType:
    """Return DIRECT if that is the largest of the three; else whether masking is likelier than not."""
    if direct >= max(masking - direct, 1.0 - masking) or direct >= 0.5:
        return IdentifierType.DIRECT
    return IdentifierType.QUASI if masking >= 0.5 else IdentifierType.NO_MASK


def _says(mention: Mention) -> str:
    if mention.source == "neural":
        return "The recognizer gives"
    if mention.source == "pattern":
        return f"Its form ({mention.kind.replace('_', ' ') or 'number'}) gives"
    if mention.source == "gazetteer":
        return f"What it says of a person ({mention.kind.replace('_', ' ')}) gives"
    if mention.source == "propagation":
        return "Another mention of the same string gives"
    return "The policy gives"
