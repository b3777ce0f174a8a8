"""What needs a person's decision in a document, and how much that is worth."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

from ...document import Decision
from ..store.doubts import Doubt
from .redecide import DOUBT, Reviewed

SURE = 0.6
"""Risk from which nobody needs to look at something that is masked."""


def in_a_word(decision: Decision) -> str:
    """Decision in a word: kept, masked or generalised."""
    if not decision.masked:
        return "kept"
    return "generalised" if decision.operator == "generalize" else "masked"


def weight(risk: float, count: int, *, masked: bool, together: bool) -> float:
    """Worth of a person's decision: entropy of the risk, in bits, times mentions.

    0 where the risk is sure either way. What stays against its risk is worth a whole bit.

    Args:
        risk: of the entity, alone or in unbroken combinations.
        count: number of mentions.
        masked: whether it is masked now.
        together: whether it is in an unbroken combination.
    """
    is_sure = risk < DOUBT or (masked and risk >= SURE)
    if is_sure and not together:
        return 0.0
    share = min(max(risk, 0.01), 0.99 if masked else 0.5)
    return count * -(share * log2(share) + (1 - share) * log2(1 - share))


def doubts_of(reviewed: Reviewed) -> Iterator[Doubt]:
    """The entities of a document on which nobody has decided, and somebody should."""
    text = reviewed.sanitized.document.text
    together: dict[str, float] = {}
    for combination in reviewed.left_together:
        for id in combination.entity_ids:
            together[id] = max(together.get(id, 0.0), combination.risk)
    for decision in reviewed.undecided:
        entity = decision.entity
        risk = max(decision.risk, together.get(entity.id, 0.0))
        count = len(entity.mentions)
        worth = weight(risk, count, masked=decision.masked, together=entity.id in together)
        if worth:
            longest = max((mention.span.of(text) for mention in entity.mentions), key=len)
            span = entity.mentions[0].span
            yield Doubt(longest, entity.type, span, in_a_word(decision), risk, worth, count)
