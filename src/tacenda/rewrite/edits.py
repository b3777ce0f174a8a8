"""Edits of the original: their stretches and texts.

| two masked mentions | outcome |
|---|---|
| overlap | one edit over both, with both entities |
| are of one entity, or both suppressed, with only blanks, commas, hyphens, slashes between | one edit: their number does not tell |
| have a line end, a tab, or three blanks between | two edits: lines and columns stay |
| anything else between | two edits |

No edit reaches over a line end, or from cell to cell of a row, so the output has as many pages,
lines and cells as the original. A mention over several lines or cells becomes an edit in each.
Where it lies in several passages, each of them gets the whole text; where its line is only wrapped,
the last of its lines does, and nothing stands in the others (*encrypt* writes a token in each).

Where mentions overlap, the widest one's text is written. Where their operators differ, those with
one text an entity write; those that depend on the string (*surrogate*, *encrypt*) yield to them, so
no suppressed string can be restored, and to ``***`` where there is no other.

White space at a mention's edges and the ``'s``, ``'`` or ``(`` after a name stay. Everything else in a
masked mention is in an edit; a mention of white space alone has none, and ``rewrite.warnings`` counts these.
What *tag* has between two neighbours is in ``tags.py``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..document import Decision, Document, Entity, Mention, Replacement, SemanticType, Span
from ..text.names import OF_SAINT
from ..text.passages import Passages, has_separator, on_one_line

# The protocol of an operator.


class Operator(Protocol):
    """Operator for the texts in place of an entity's mentions."""

    @property
    def joins(self) -> bool:
        """Whether neighbouring edits by this operator become one."""
        ...

    @property
    def by_string(self) -> bool:
        """Whether its text depends on the replaced string, not on the entity alone."""
        ...

    @property
    def divides(self) -> bool:
        """Whether each line of a wrapped string gets a text of its own."""
        ...

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the text in place of ``span``, a mention of ``entity``."""
        ...


# *Suppress*: a black box, of the same length whatever it hides.


MASK = "***"


class BuiltInOperator:
    """Base of the operators: edits stay apart, an entity has one text, and a wrapped string gets it once."""

    joins = False
    by_string = False
    divides = False


class Suppress(BuiltInOperator):
    """Operator for ``***``."""

    joins = True

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return ``***``: neither length nor identity of the original shows."""
        return MASK


# Text between two joined masks: nothing that a reader would miss.
_BETWEEN = re.compile(
    "[ \u00a0\u2009\u202f]{0,2}(?:[,\\-\u2010-\u2014/][ \u00a0\u2009\u202f]{0,2})*"
)
_POSSESSIVE = re.compile(r"(?:['’][sS]|(?<=[sS])['’])\Z")
_NAMED = frozenset((SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC))
_TAGGED = frozenset(SemanticType) - {SemanticType.CODE}


@dataclass(frozen=True, slots=True)
class Edit:
    """``span`` of the original becomes ``text``; the entities it covers, in order.

    It is in italics where that can be written.
    """

    span: Span
    text: str = field(repr=False)
    entities: tuple[str, ...]
    italic: bool = False


@dataclass(frozen=True, slots=True)
class _StringWriter:
    """Operator whose text depends on the string, with the entity of the widest mention."""

    operator: Operator
    entity: Entity
    width: int


@dataclass(slots=True)
class _Growing:
    """Edit under construction; sets and dicts keep long runs linear.

    ``texts`` are of the operators with one text an entity, with the width of the widest mention;
    ``writers`` the others by name.
    """

    start: int
    end: int
    texts: dict[str, int]
    writers: dict[str, _StringWriter]
    entities: dict[str, None]
    joins: bool

    def add(self, peer: _Growing) -> None:
        self.end = max(self.end, peer.end)
        for text, width in peer.texts.items():
            self.texts[text] = max(width, self.texts.get(text, 0))
        self.entities |= peer.entities
        self.joins = self.joins and peer.joins
        for name, writer in peer.writers.items():
            incumbent = self.writers.get(name)
            if incumbent is None or incumbent.width < writer.width:
                self.writers[name] = writer

    def finished(self, document: Document, passages: Passages | None) -> Iterator[Edit]:
        """Yield the edits, one a line and cell; ``passages`` may be None if there is only one."""
        text = document.text
        span = Span(self.start, self.end)
        entities = tuple(self.entities)
        if passages is None:
            output = self._text(document, span)
            yield Edit(span, output if self._divides() else on_one_line(output), entities)
            return
        for part in passages.split(span):
            lines = [line for line in passages.lines(part) if not line.of(text).isspace()]
            if self._divides():
                yield from (Edit(line, self._text(document, line), entities) for line in lines)
                continue
            for line in lines:
                last = line is lines[-1]
                output = on_one_line(self._text(document, part)) if last else ""
                yield Edit(line, output, entities)

    def _divides(self) -> bool:
        writers = self.writers.values()
        return not self.texts and len(writers) == 1 and all(w.operator.divides for w in writers)

    def _text(self, document: Document, span: Span) -> str:
        if self.texts:
            return max(self.texts, key=self.texts.__getitem__)
        if len(self.writers) == 1:
            (writer,) = self.writers.values()
            return writer.operator.write(document, writer.entity, span)
        return MASK


def edits(
    document: Document, decisions: Sequence[Decision], operators: Mapping[str, Operator]
) -> list[Edit]:
    """Return the edits in order of the text; they do not overlap."""
    grown: list[_Growing] = []
    for edit in _masked(document, decisions, operators):
        if grown and _belong_together(document.text, grown[-1], edit):
            grown[-1].add(edit)
        else:
            grown.append(edit)
    long = [has_separator(document.text, Span(edit.start, edit.end)) for edit in grown]
    passages = Passages.of(document.text) if any(long) else None
    return [
        part
        for edit, reaches in zip(grown, long, strict=True)
        for part in edit.finished(document, passages if reaches else None)
    ]


def _masked(
    document: Document, decisions: Sequence[Decision], operators: Mapping[str, Operator]
) -> Iterator[_Growing]:
    items = []
    for decision in decisions:
        if not decision.masked:
            continue
        operator = operators[decision.operator]
        entity = decision.entity
        # A tag has no possessive of its own, whatever it stands for.
        pattern = _TAGGED if decision.operator == "tag" else _NAMED
        spans = [
            _trimmed(document.text, mention, pattern)
            for mention in entity.mentions
            if not mention.span.of(document.text).isspace()
        ]
        if not spans:
            continue
        # Once an entity: a pseudonym looks at all of its mentions.
        text = "" if operator.by_string else operator.write(document, entity, spans[0])
        items += [(span, text, decision.operator, entity) for span in spans]
    for span, text, name, entity in sorted(items, key=lambda item: item[0]):
        operator = operators[name]
        width = len(span)
        texts = {} if operator.by_string else {text: width}
        writers = {name: _StringWriter(operator, entity, width)} if operator.by_string else {}
        yield _Growing(span.start, span.end, texts, writers, {entity.id: None}, operator.joins)


def _trimmed(text: str, mention: Mention, named: Collection[SemanticType]) -> Span:
    """Return the mention's span without white space at its edges and ``'s``, ``'`` or ``(`` after a name."""
    covered = mention.span.of(text)
    core = covered.rstrip()
    if len(core) > 2:
        core = core.removesuffix("(").rstrip()
        # A quotation mark that was opened before it.
        core = core.removesuffix("" if "“" in core else "”")
    if mention.type is SemanticType.CODE:
        # The full stop after an address or a number is the sentence's.
        core = core.rstrip(".,;:!?") or core
    if mention.type in named and len(core) > 2 and not OF_SAINT.fullmatch(core):
        core = _POSSESSIVE.sub("", core).rstrip()
    start = mention.span.start + len(core) - len(core.lstrip())
    end = mention.span.start + len(core)
    return Span(start, end) if start < end else mention.span


def _belong_together(text: str, first: _Growing, second: _Growing) -> bool:
    if second.start < first.end:
        return True
    one_entity = first.entities.keys() == second.entities.keys()
    return (one_entity or (first.joins and second.joins)) and bool(
        _BETWEEN.fullmatch(text, first.end, second.start)
    )


# Edits applied.


def apply_edits(text: str, changes: Iterable[Edit]) -> tuple[str, tuple[Replacement, ...]]:
    """Return the text after edits that do not overlap, and each with its place in it, in order."""
    parts: list[str] = []
    replacements: list[Replacement] = []
    position = length = 0
    for edit in sorted(changes, key=lambda edit: edit.span):
        gap = text[position : edit.span.start]
        start = length + len(gap)
        parts += [gap, edit.text]
        length = start + len(edit.text)
        position = edit.span.end
        replacements.append(
            Replacement(edit.span, start, length, edit.text, edit.entities, edit.italic)
        )
    parts.append(text[position:])
    return "".join(parts), tuple(replacements)
