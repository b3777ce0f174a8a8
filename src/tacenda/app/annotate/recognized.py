"""Marks by the recognizer: a pre-annotation, or spans to replace (TAB, section 4.2, step 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...document import Document, IdentifierType
from ...pipeline import Sanitizer
from ...result import Result
from .marks import Mark, Marks
from .store import Source

RECOGNIZER = "recognizer"


def recognized(
    sources: Iterable[Source], sanitizer: Sanitizer, decisions: bool
) -> Iterator[Source]:
    """Yield the sources with what the sanitizer finds marked; those that have marks as they are.

    Args:
        sources: the documents.
        sanitizer: finds, links and decides.
        decisions: whether marks have its decisions and entities; without, a span and a type.
    """
    for source in sources:
        if source.marks.items:
            yield source
            continue
        document = Document(source.name, source.text, source.target)
        (found,) = sanitizer.pipe([document], batch_size=1)
        yield replace(source, marks=marks_in(found, decisions))


def marks_in(found: Result, decisions: bool) -> Marks:
    """Return what a sanitizer found as marks; with its decisions, or as spans and types alone."""
    marks = []
    for decision in found.decisions:
        identifier = decision.identifier if decision.masked else IdentifierType.NO_MASK
        if decision.masked and identifier is IdentifierType.NO_MASK:
            identifier = IdentifierType.QUASI
        for mention in decision.entity.mentions:
            if decisions:
                mark = Mark(mention.span, mention.type, identifier, entity=decision.entity.id)
            else:
                mark = Mark(mention.span, mention.type)
            marks.append(mark)
    return Marks(RECOGNIZER, tuple(sorted(marks, key=lambda mark: mark.span)))
