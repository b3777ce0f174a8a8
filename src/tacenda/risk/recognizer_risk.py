"""Risk from the detectors' own probability, and from identity numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import (
    Certainty,
    Document,
    Entity,
    Evidence,
    IdentifierType,
    Mention,
    MentionSource,
)
from .indicators import Finding

# The detectors' own probability is the indicator "sequence labelling" of
# ``privacy_risk_indicators``, section 5.4. For a mention of several words, a partial match takes
# the riskiest word and a full match the least risky one.


PARTIAL_MATCH = "masking_head"
FULL_MATCH = "masking_head_whole"


class RecognizerIndicator:
    """Highest masking probability over the mentions of an entity.

    Args:
        min_word: whether every word of a mention must need masking (full match), or any one
            (partial match).
    """

    def __init__(self, min_word: bool = False) -> None:
        self._whole = min_word

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding per entity."""
        return [
            _full_match(entity) if self._whole else _partial_match(entity) for entity in entities
        ]


def _partial_match(entity: Entity) -> Finding:
    riskiest = max(entity.mentions, key=lambda mention: (mention.p_mask, mention.p_direct))
    direct = max(mention.p_direct for mention in entity.mentions)
    statement = (
        f"{_says(riskiest)} {riskiest.p_mask:.2f} that this must be masked, {direct:.2f} that it "
        "identifies a person directly."
    )
    evidence = Evidence(PARTIAL_MATCH, riskiest.p_mask, statement)
    return Finding(evidence, _most_probable(riskiest.p_mask, direct))


def _full_match(entity: Entity) -> Finding:
    value, riskiest = max(
        (_p_mask_min_word(mention), -place) for place, mention in enumerate(entity.mentions)
    )
    says = _says(entity.mentions[-riskiest])
    statement = f"{says} {value:.2f} that every word of it must be masked."
    return Finding(Evidence(FULL_MATCH, value, statement), _most_probable(value, 0.0))


def _p_mask_min_word(mention: Mention) -> float:
    return mention.p_mask if mention.p_mask_min_word is None else mention.p_mask_min_word


def _most_probable(p_mask: float, p_direct: float) -> IdentifierType:
    """Return the most probable type of identifier."""
    if p_direct >= max(p_mask - p_direct, 1.0 - p_mask) or p_direct >= 0.5:
        return IdentifierType.DIRECT
    return IdentifierType.QUASI if p_mask >= 0.5 else IdentifierType.NO_MASK


def _says(mention: Mention) -> str:
    if mention.source is MentionSource.NEURAL:
        return "The recognizer gives"
    if mention.source is MentionSource.PATTERN:
        return f"Its form ({mention.kind.replace('_', ' ') or 'number'}) gives"
    if mention.source is MentionSource.GAZETTEER:
        return f"What it says of a person ({mention.kind.replace('_', ' ')}) gives"
    if mention.source is MentionSource.PROPAGATION:
        return "Another mention of the same string gives"
    if mention.source is MentionSource.PLUGIN:
        return f"A plug-in ({mention.kind.replace('_', ' ') or 'detector'}) gives"
    return "The policy gives"


class IdentityNumbers:
    """Indicator of identity numbers: risk 1 if a pattern is certain about the entity."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that has a mention found by a certain pattern."""
        return [_identity_number_finding(entity) for entity in entities]


def _identity_number_finding(entity: Entity) -> Finding | None:
    for mention in entity.mentions:
        if mention.source is MentionSource.PATTERN and mention.p_direct == 1.0:
            kind = mention.kind.replace("_", " ") or "number"
            statement = f"Its form is that of a contact or identity number ({kind}): always masked."
            return Finding(
                Evidence("identity_number", 1.0, statement),
                IdentifierType.DIRECT,
                Certainty.IDENTITY_NUMBER,
            )
    return None
