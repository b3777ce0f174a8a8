"""Which stretches of the original are replaced, and by what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..document import Decision, Document, Entity, Span
from .operators import Operator

# What may lie between two masks that are joined: nothing that a reader would miss.
_BETWEEN = re.compile(r"[ \t\u00a0,\-\u2013/]*")


@dataclass(frozen=True, slots=True)
class Edit:
    """``span`` of the original becomes ``text``; the entities it covers, in order."""

    span: Span
    text: str
    entities: tuple[str, ...]
    joins: bool


def edits(
    document: Document, decisions: Sequence[Decision], operators: Mapping[str, Operator]
) -> list[Edit]:
    """Return the edits in order of the text; they neither overlap nor, if they join, touch."""
    result: list[Edit] = []
    for span, entity, operator in _masked(decisions, operators):
        edit = Edit(span, operator.write(document, entity), (entity.id,), operator.joins)
        if result and _belong_together(document.text, result[-1], edit):
            result[-1] = _join(result[-1], edit)
        else:
            result.append(edit)
    return result


def _masked(
    decisions: Sequence[Decision], operators: Mapping[str, Operator]
) -> Iterator[tuple[Span, Entity, Operator]]:
    found = [
        (mention.span, decision.entity, operators[decision.operator])
        for decision in decisions
        if decision.masked
        for mention in decision.entity.mentions
    ]
    yield from sorted(found, key=lambda item: item[0])


def _belong_together(text: str, left: Edit, right: Edit) -> bool:
    if right.span.start < left.span.end:
        return True
    between = text[left.span.end : right.span.start]
    return left.joins and right.joins and _BETWEEN.fullmatch(between) is not None


def _join(left: Edit, right: Edit) -> Edit:
    span = Span(left.span.start, max(left.span.end, right.span.end))
    entities = left.entities
    if not set(right.entities) <= set(entities):
        entities += right.entities
    if left.joins and right.joins:
        text = left.text
    else:
        # Overlapping mentions of two entities that are told apart: name both.
        text = left.text if right.text in left.text else f"{left.text} {right.text}"
    return Edit(span, text, entities, left.joins and right.joins)
