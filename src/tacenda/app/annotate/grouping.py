"""Which mentions are one entity (TAB, section 4.2, step 4).

Equal strings are one entity by default; annotators join entities, and take mentions out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ...document import Span
from .annotation import Annotated, in_order

Mentions = Mapping[Span, Annotated]


def entity_of(text: str, mentions: Mentions, span: Span) -> int:
    """Return the entity of a new mention: that of the first one with its string, or a new one."""
    string = span.of(text)
    same = [mention for mention in mentions.values() if mention.span.of(text) == string]
    return min(same, key=in_order).entity if same else new_entity(mentions)


def new_entity(mentions: Mentions) -> int:
    """Return a number that no entity has."""
    return max((mention.entity for mention in mentions.values()), default=0) + 1


def linked(mentions: Mentions, spans: Collection[Span]) -> dict[Span, Annotated]:
    """Return the mentions with the entities of those at ``spans`` made one."""
    joined = {mentions[span].entity for span in spans}
    first = min(joined)
    return {
        span: replace(mention, entity=first) if mention.entity in joined else mention
        for span, mention in mentions.items()
    }


def split(mentions: Mentions, spans: Collection[Span]) -> dict[Span, Annotated]:
    """Return the mentions with those at ``spans`` as an entity of their own."""
    own = new_entity(mentions)
    return {
        span: replace(mention, entity=own) if span in spans else mention
        for span, mention in mentions.items()
    }
