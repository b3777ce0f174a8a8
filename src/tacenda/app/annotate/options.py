"""Options for the marks that need masking and have none yet, from specific to ``***``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...document import Decision, Document, Entity, IdentifierType, Mention
from ...policy import Policy
from ...rewrite.generalize.options import offer
from .annotation import Annotated
from .fold import fold
from .marks import Mark, Marks
from .store import Source

OWN = "tacenda"
"""The source of our options, where WikiReplace names rules and properties of Wikidata."""


def with_options(source: Source, policy: Policy) -> Source:
    """Return the source with options for each mark that is masked; existing ones stay.

    Args:
        source: the document; marks of one entity get the same options.
        policy: of the operator *generalize*.
    """
    annotation = fold(source.text, source.marks, ())
    entities = [
        masked
        for mentions in annotation.entities().values()
        if (masked := [mention for mention in mentions if mention.masked])
    ]
    if not entities:
        return source
    decisions = _decisions(entities)
    document = Document(source.name, source.text, source.target)
    texts = {
        mention.span: tuple(option.text for option in decision.options)
        for decision in offer(document, decisions, policy)
        for mention in decision.entity.mentions
    }
    items = tuple(
        mark if mark.options or mark.span not in texts else _offered(mark, texts[mark.span])
        for mark in source.marks.items
    )
    return replace(source, marks=Marks(source.marks.by, items))


def _offered(mark: Mark, texts: tuple[str, ...]) -> Mark:
    return replace(mark, options=((OWN, texts),))


def _decisions(entities: Sequence[Sequence[Annotated]]) -> list[Decision]:
    numbers: dict[str, int] = {}
    decisions = []
    for mentions in entities:
        first = mentions[0]
        numbers[first.type] = numbers.get(first.type, 0) + 1
        found = tuple(Mention(item.span, first.type, 1.0, 0.0, "policy") for item in mentions)
        entity = Entity(f"e{first.entity}", first.type, numbers[first.type], found)
        direct = any(item.identifier is IdentifierType.DIRECT for item in mentions)
        identifier = IdentifierType.DIRECT if direct else IdentifierType.QUASI
        decisions.append(Decision(entity, True, "generalize", identifier, 1.0, ()))
    return decisions
