"""The annotation of a text by one person, and the initial marks of the text.

*Marks* exist before annotation starts: a pre-annotation, or the spans to replace. An *annotation*
is what an annotator's events make of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ...document import ConfidentialStatus, IdentifierType, SemanticType, Span

SUPPRESSED = "***"


@dataclass(frozen=True, slots=True)
class SpanMark:
    """An initial mark of a span.

    Attributes:
        span: its place in the text.
        type: its semantic type.
        identifier: None if the annotators decide.
        status: confidential status.
        entity: marks with the same name are one entity; empty to group marks by their strings.
        edit: origin of the mark, as in TAB's ``edit_type``.
        options: replacement options by source (rules, a property of an ontology), from the most
            specific to ``***``; empty if nothing is replaced.
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
        """The distinct options of all sources, with ``***`` last."""
        texts = dict.fromkeys(text for _, texts in self.options for text in texts)
        specific = tuple(text for text in texts if text != SUPPRESSED)
        return (*specific, SUPPRESSED) if texts else ()


@dataclass(frozen=True, slots=True)
class SpanMarks:
    """All marks of a document.

    Attributes:
        by: the author: the file's annotator or ``recognizer``; empty if there are no marks.
        items: in order of the text.
    """

    by: str = ""
    items: tuple[SpanMark, ...] = ()


UNMARKED = SpanMarks()
"""Nothing is marked."""


def marks_as_object(marks: SpanMarks) -> dict[str, Any]:
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


def marks_of(item: Mapping[str, Any]) -> SpanMarks:
    """Return the marks in JSON made by ``marks_as_object``."""
    return SpanMarks(item["by"], tuple(_mark(raw) for raw in item["items"]))


def _mark(raw: Mapping[str, Any]) -> SpanMark:
    start, end = raw["span"]
    identifier = raw["identifier"]
    options: Sequence[tuple[str, Sequence[str]]] = raw["options"]
    return SpanMark(
        Span(start, end),
        SemanticType(raw["type"]),
        None if identifier is None else IdentifierType(identifier),
        ConfidentialStatus(raw["status"]),
        raw["entity"],
        raw["edit"],
        tuple((source, tuple(texts)) for source, texts in options),
    )


@dataclass(frozen=True, slots=True)
class MarkedMention:
    """The current state of a mention.

    Attributes:
        span: its place in the text.
        type: its semantic type.
        entity: number of its entity, shared by all of the entity's mentions.
        identifier: None until it is decided.
        status: confidential status.
        edit: ``check`` (pre-annotated and unchanged), ``correct`` (changed) or ``insert``.
        choices: replacement options, in the replacement flow.
        choice: the selected option; empty until one is selected.
    """

    span: Span
    type: SemanticType
    entity: int
    identifier: IdentifierType | None = None
    status: ConfidentialStatus = ConfidentialStatus.NOT_CONFIDENTIAL
    edit: str = "insert"
    choices: tuple[str, ...] = ()
    choice: str = ""

    @property
    def masked(self) -> bool:
        """Whether the mention needs masking."""
        return self.identifier in (IdentifierType.DIRECT, IdentifierType.QUASI)


@dataclass(frozen=True, slots=True)
class PeerReview:
    """A reviewer's verdict on an annotation.

    Attributes:
        value: ``protected`` or ``exposed``.
        note: the reviewer's remark.
        holds: whether the annotation is unchanged since the review.
    """

    value: str
    note: str
    holds: bool


@dataclass(frozen=True, slots=True)
class DocumentAnnotation:
    """The annotation of a text by one person.

    Attributes:
        mentions: in text order; of mentions with the same start, the longest comes first.
        step: the annotator's current step in the guidelines.
        submitted: whether it was submitted.
        checks: peer reviews by reviewer.
    """

    mentions: tuple[MarkedMention, ...]
    step: int = 1
    submitted: bool = False
    checks: Mapping[str, PeerReview] | None = None

    @property
    def undecided(self) -> int:
        """Number of mentions without a masking decision."""
        return sum(mention.identifier is None for mention in self.mentions)

    @property
    def unchosen(self) -> int:
        """Number of mentions that have options but no choice."""
        return sum(bool(mention.choices) and not mention.choice for mention in self.mentions)

    @property
    def fingerprint(self) -> str:
        """Digest of the annotation's content, to detect changes since a review."""
        parts = [
            (m.span.start, m.span.end, m.type, m.entity, m.identifier, m.status, m.choice)
            for m in self.mentions
        ]
        content = repr([[str(part) for part in parts_] for parts_ in parts])
        return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def entities(self) -> dict[int, tuple[MarkedMention, ...]]:
        """The mentions of each entity; entities are in order of their first mention."""
        grouped: dict[int, tuple[MarkedMention, ...]] = {}
        for mention in self.mentions:
            grouped[mention.entity] = (*grouped.get(mention.entity, ()), mention)
        return grouped


def in_order(mention: MarkedMention) -> tuple[int, int]:
    """Return the sort key of mentions: by start, the longest first."""
    return mention.span.start, -mention.span.end
