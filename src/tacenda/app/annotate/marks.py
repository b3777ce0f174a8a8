"""What is marked in a text before anybody begins: a pre-annotation, or the spans to replace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...document import ConfidentialStatus, IdentifierType, SemanticType, Span

SUPPRESSED = "***"


@dataclass(frozen=True, slots=True)
class Mark:
    """A span that is marked from the start.

    Attributes:
        span: where it is.
        type: its semantic type.
        identifier: None where the annotators decide.
        status: confidential status.
        entity: marks of one such name are one entity; empty to go by the string.
        edit: how the mark came about, as TAB's ``edit_type`` says.
        options: by source (rules, a property of an ontology), what may be written instead, from
            the most specific to ``***``; empty where nothing is replaced.
    """

    span: Span
    type: SemanticType
    identifier: IdentifierType | None = None
    status: ConfidentialStatus = ConfidentialStatus.NOT_CONFIDENTIAL
    entity: str = ""
    edit: str = "check"
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the options of all sources, each once, ``***`` last."""
        texts = dict.fromkeys(text for _, texts in self.options for text in texts)
        specific = tuple(text for text in texts if text != SUPPRESSED)
        return (*specific, SUPPRESSED) if texts else ()


@dataclass(frozen=True, slots=True)
class Marks:
    """All marks of a document.

    Attributes:
        by: whose they are: the annotator of the file, or ``recognizer``; empty without marks.
        items: in order of the text.
    """

    by: str = ""
    items: tuple[Mark, ...] = ()


UNMARKED = Marks()
"""Nothing is marked."""


def marks_as_object(marks: Marks) -> dict[str, Any]:
    """Return marks as JSON."""
    return {
        "by": marks.by,
        "items": [
            {
                "span": [mark.span.start, mark.span.end],
                "type": str(mark.type),
                "identifier": None if mark.identifier is None else str(mark.identifier),
                "status": str(mark.status),
                "entity": mark.entity,
                "edit": mark.edit,
                "options": mark.options,
            }
            for mark in marks.items
        ],
    }


def marks_of(item: Mapping[str, Any]) -> Marks:
    """Return the marks that ``marks_as_object`` wrote."""
    return Marks(item["by"], tuple(_mark(raw) for raw in item["items"]))


def _mark(raw: Mapping[str, Any]) -> Mark:
    start, end = raw["span"]
    identifier = raw["identifier"]
    options: Sequence[tuple[str, Sequence[str]]] = raw["options"]
    return Mark(
        Span(start, end),
        SemanticType(raw["type"]),
        None if identifier is None else IdentifierType(identifier),
        ConfidentialStatus(raw["status"]),
        raw["entity"],
        raw["edit"],
        tuple((source, tuple(texts)) for source, texts in options),
    )
