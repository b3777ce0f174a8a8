"""Entities as annotators marked them, so that detection plays no part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tacenda.document import Entity, Mention, MentionSource, SemanticType, Span
from tacenda.evaluate.gold import GoldDocument, GoldEntity
from tacenda.text.information import WORD


def views(
    document: GoldDocument, detections: Sequence[Mention] | None = None
) -> Iterator[tuple[tuple[Entity, ...], list[bool]]]:
    """Yield each annotator's entities, and whether each is to be masked.

    Args:
        document: with annotations.
        detections: what a recognizer finds in it: a mention gets the probabilities of the riskiest of its words, and of its least risky
            one as ``p_mask_min_word``. Without any, all mentions are certain to be masked.
    """
    by_annotator: dict[str, list[GoldEntity]] = {}
    for entity in document.entities:
        by_annotator.setdefault(entity.annotator, []).append(entity)
    for view in by_annotator.values():
        entities = tuple(
            _entity(document.text, number, each, detections) for number, each in enumerate(view, 1)
        )
        yield entities, [each.needs_masking for each in view]


def _entity(
    text: str, number: int, gold: GoldEntity, detections: Sequence[Mention] | None
) -> Entity:
    type = SemanticType(gold.mentions[0].type)
    mentions = (_mention(text, each.span, type, detections) for each in gold.mentions)
    return Entity(f"e{number}", type, number, tuple(sorted(mentions, key=lambda each: each.span)))


def _mention(
    text: str, span: Span, type: SemanticType, detections: Sequence[Mention] | None
) -> Mention:
    if detections is None:
        return Mention(span, type, 1.0, 0.0, MentionSource.GOLD)
    words = [Span(*match.span()) for match in WORD.finditer(text, span.start, span.end)] or [span]
    cover = [[each for each in detections if each.span.overlaps(word)] for word in words]
    risks = [max((each.p_mask for each in over), default=0.0) for over in cover]
    least = min(max((_least_risky(each) for each in over), default=0.0) for over in cover)
    direct = max((each.p_direct for over in cover for each in over), default=0.0)
    return Mention(span, type, max(risks), direct, MentionSource.GOLD, p_mask_min_word=least)


def _least_risky(mention: Mention) -> float:
    return mention.p_mask if mention.p_mask_min_word is None else mention.p_mask_min_word
