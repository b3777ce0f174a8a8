"""The detectors' own probability: an entity takes the highest of its mentions.

With the recognizer's masking head this is the indicator "sequence labelling" of
``privacy_risk_indicators``, section 5.4. Of a mention of several words it is read as partial match,
the riskiest word, or as full match, the least risky one, so that all of them must be to be masked.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Document, Entity, Evidence, IdentifierType, Mention
from .indicator import Finding

PARTIAL_MATCH = "masking_head"
FULL_MATCH = "masking_head_whole"


class MaskingHead:
    """Highest masking probability over the mentions of an entity.

    Args:
        whole: whether every word of a mention must be to be masked, or any.
    """

    def __init__(self, whole: bool = False) -> None:
        self._whole = whole

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity."""
        return [_whole(entity) if self._whole else _any(entity) for entity in entities]


def _any(entity: Entity) -> Finding:
    riskiest = max(entity.mentions, key=lambda mention: (mention.masking, mention.direct))
    direct = max(mention.direct for mention in entity.mentions)
    statement = (
        f"{_says(riskiest)} {riskiest.masking:.2f} that this must be masked, {direct:.2f} that it "
        "identifies a person directly."
    )
    evidence = Evidence(PARTIAL_MATCH, riskiest.masking, statement)
    return Finding(evidence, _most_probable(riskiest.masking, direct))


def _whole(entity: Entity) -> Finding:
    value, riskiest = max(
        (_of_every_word(mention), -place) for place, mention in enumerate(entity.mentions)
    )
    says = _says(entity.mentions[-riskiest])
    statement = f"{says} {value:.2f} that every word of it must be masked."
    return Finding(Evidence(FULL_MATCH, value, statement), _most_probable(value, 0.0))


def _of_every_word(mention: Mention) -> float:
    return mention.masking if mention.every_word is None else mention.every_word


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
