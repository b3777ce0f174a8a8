"""Mentions and entities as a person has changed them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ...detect.merge import merge
from ...document import Document, Entity, Mention, SemanticType, Span
from ...link.linking import link
from ...pipeline import Analysis
from .state import Join, State

_KEPT = 128
SOURCE = "reviewer"
"""The ``source`` of mentions by hand."""


def changed_mentions(analysis: Analysis, state: State) -> Analysis:
    """Return the analysis with mentions added, removed and retyped.

    What is found inside an added mention goes; what overlaps it keeps the rest.
    """
    if not (state.added or state.removed or state.types):
        return analysis
    text = analysis.document.text
    added = [
        replace(part, type=state.types.get(part.span, part.type))
        for span, type in state.added.items()
        # One in each passage, as they are shown, retyped and removed.
        for part in merge(text, [Mention(span, state.types.get(span, type), 1.0, 0.0, SOURCE)])
        if part.span not in state.removed
    ]
    kept = [
        replace(mention, type=state.types.get(mention.span, mention.type))
        for mention in analysis.mentions
        if mention.span not in state.removed
        and not any(span.contains(mention.span) for span in state.added)
    ]
    mentions = merge(text, [*kept, *added]) if added else tuple(kept)
    return Analysis(analysis.document, mentions)


def changed_entities(
    document: Document, mentions: Sequence[Mention], joins: Sequence[Join]
) -> tuple[Entity, ...]:
    """Return the linked entities, split and merged by hand, in order of first mention."""
    entities = _linked(document, tuple(mentions))
    if not joins:
        return entities
    owner = {
        mention.span: number
        for number, entity in enumerate(entities)
        for mention in entity.mentions
    }
    fresh = len(entities)
    for join in joins:
        meant = [span for span in owner if any(span.overlaps(other) for other in join.spans)]
        if join.apart:
            owner |= dict.fromkeys(meant, fresh)
        else:
            together = {owner[span] for span in meant}
            owner = {span: fresh if own in together else own for span, own in owner.items()}
        fresh += 1
    return _entities(mentions, owner)


@lru_cache(_KEPT)
def _linked(document: Document, mentions: tuple[Mention, ...]) -> tuple[Entity, ...]:
    """Link, but once for the same mentions: most changes leave them as they are."""
    return link(document, mentions)


def _entities(mentions: Sequence[Mention], owner: dict[Span, int]) -> tuple[Entity, ...]:
    groups: dict[int, list[Mention]] = {}
    for mention in mentions:
        groups.setdefault(owner[mention.span], []).append(mention)
    numbers: Counter[SemanticType] = Counter()
    result = []
    for count, members in enumerate(groups.values(), start=1):
        type = max(members, key=lambda mention: mention.masking).type
        numbers[type] += 1
        result.append(Entity(f"e{count}", type, numbers[type], tuple(members)))
    return tuple(result)
