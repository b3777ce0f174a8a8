"""Which stretches of the original are replaced, and by what.

| two masked mentions | outcome |
|---|---|
| overlap | one edit over both that names both entities |
| are of one entity, or both suppressed, with only blanks, commas, hyphens, slashes between | one edit: how many they were does not tell |
| have a line break or a tab between | two edits: lines and columns stay |
| anything else between | two edits |

White space at a mention's edges and the ``'s`` after a name stay. Everything else that a masked
mention covers is in an edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..document import Decision, Document, Mention, SemanticType, Span
from .operators import Operator

# What may lie between two masks that are joined: nothing that a reader would miss.
_BETWEEN = re.compile("[ \u00a0\u2009\u202f,\\-\u2010-\u2014/]*")
_POSSESSIVE = ("'s", "’s")
_NAMED = frozenset((SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC))


@dataclass(frozen=True, slots=True)
class Edit:
    """``span`` of the original becomes ``text``; the entities it covers, in order."""

    span: Span
    text: str
    entities: tuple[str, ...]


@dataclass(slots=True)
class _Growing:
    """An edit while mentions are still added to it; sets and dicts keep long runs linear."""

    start: int
    end: int
    texts: dict[str, None]
    entities: dict[str, None]
    joins: bool

    def finished(self) -> Edit:
        return Edit(Span(self.start, self.end), " ".join(self.texts), tuple(self.entities))


def edits(
    document: Document, decisions: Sequence[Decision], operators: Mapping[str, Operator]
) -> list[Edit]:
    """Return the edits in order of the text; they do not overlap."""
    result: list[Edit] = []
    last: _Growing | None = None
    for edit in _masked(document, decisions, operators):
        if last is not None and _belong_together(document.text, last, edit):
            last.end = max(last.end, edit.end)
            last.texts |= edit.texts
            last.entities |= edit.entities
            last.joins = last.joins and edit.joins
        else:
            if last is not None:
                result.append(last.finished())
            last = edit
    if last is not None:
        result.append(last.finished())
    return result


def _masked(
    document: Document, decisions: Sequence[Decision], operators: Mapping[str, Operator]
) -> Iterator[_Growing]:
    found = []
    for decision in decisions:
        if not decision.masked:
            continue
        operator = operators[decision.operator]
        # Once an entity: a pseudonym looks at all of its mentions.
        text = operator.write(document, decision.entity)
        for mention in decision.entity.mentions:
            span = _trimmed(document.text, mention)
            found.append((span, text, decision.entity.id, operator.joins))
    for span, text, id, joins in sorted(found, key=lambda item: item[0]):
        yield _Growing(span.start, span.end, {text: None}, {id: None}, joins)


def _trimmed(text: str, mention: Mention) -> Span:
    """Return the mention's span without white space at its edges and ``'s`` after a name."""
    covered = mention.span.of(text)
    kept = covered.rstrip()
    if mention.type in _NAMED and kept.endswith(_POSSESSIVE) and len(kept) > 2:
        kept = kept[:-2].rstrip()
    start = mention.span.start + len(kept) - len(kept.lstrip())
    end = mention.span.start + len(kept)
    return Span(start, end) if start < end else mention.span


def _belong_together(text: str, left: _Growing, right: _Growing) -> bool:
    if right.start < left.end:
        return True
    one_entity = left.entities.keys() == right.entities.keys()
    return (one_entity or (left.joins and right.joins)) and bool(
        _BETWEEN.fullmatch(text, left.end, right.start)
    )
