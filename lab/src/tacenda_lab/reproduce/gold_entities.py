"""Entities as the annotators marked them, so that detection doesn't affect the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tacenda.document import Entity, Mention, Span
from tacenda.evaluate.gold import GoldDocument
from tacenda.text.information import WORD

from ..train.corpus import annotator_views


def views(
    document: GoldDocument, detections: Sequence[Mention] | None = None
) -> Iterator[tuple[tuple[Entity, ...], list[bool]]]:
    """Yield each annotator's entities, and whether each must be masked.

    Args:
        document: an annotated document.
        detections: what a recognizer finds in it. A mention gets the probabilities of its riskiest
            word, and that of its least risky word as ``p_mask_min_word``. Without detections, every
            mention is certain to be masked.
    """
    for view in annotator_views([document], {}):
        entities = tuple(
            replace(
                entity,
                mentions=tuple(
                    _mention(document.text, each, detections) for each in entity.mentions
                ),
            )
            for entity in view.entities
        )
        yield entities, list(view.masked)


def _mention(text: str, mention: Mention, detections: Sequence[Mention] | None) -> Mention:
    if detections is None:
        return replace(mention, p_mask=1.0)
    span = mention.span
    words = [Span(*match.span()) for match in WORD.finditer(text, span.start, span.end)] or [span]
    cover = [[each for each in detections if each.span.overlaps(word)] for word in words]
    risks = [max((each.p_mask for each in over), default=0.0) for over in cover]
    least = min(max((_least_risky(each) for each in over), default=0.0) for over in cover)
    direct = max((each.p_direct for over in cover for each in over), default=0.0)
    return replace(mention, p_mask=max(risks), p_direct=direct, p_mask_min_word=least)


def _least_risky(mention: Mention) -> float:
    return mention.p_mask if mention.p_mask_min_word is None else mention.p_mask_min_word
