"""Entities as annotators marked them, so that detection plays no part."""

from __future__ import annotations

from collections.abc import Iterator

from tacenda.document import Entity, Mention, MentionSource, SemanticType
from tacenda.evaluate.gold import GoldDocument, GoldEntity


def views(document: GoldDocument) -> Iterator[tuple[tuple[Entity, ...], list[bool]]]:
    """Yield each annotator's entities, and whether each is to be masked."""
    by_annotator: dict[str, list[GoldEntity]] = {}
    for entity in document.entities:
        by_annotator.setdefault(entity.annotator, []).append(entity)
    for view in by_annotator.values():
        entities = tuple(_entity(number, each) for number, each in enumerate(view, 1))
        yield entities, [each.needs_masking for each in view]


def _entity(number: int, gold: GoldEntity) -> Entity:
    type = SemanticType(gold.mentions[0].type)
    mentions = (Mention(each.span, type, 1.0, 0.0, MentionSource.GOLD) for each in gold.mentions)
    return Entity(f"e{number}", type, number, tuple(sorted(mentions, key=lambda each: each.span)))
