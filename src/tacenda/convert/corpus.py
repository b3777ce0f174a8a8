"""What every annotation format is read into and written from: annotated documents, frozen.

The annotation model is TAB's (Pilán et al. 2022, section 3), widened by what other tools know:
scores, discontinuous mentions, keys of their own. What is not known is empty or None, never a
guess. Offsets are code points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ..document import ConfidentialStatus, IdentifierType, Span


class Feature(StrEnum):
    """Something that a format can hold, must be told, or has no place for."""

    TEXT = "text"
    TYPE = "type"
    IDENTIFIER_TYPE = "identifier_type"
    CONFIDENTIAL_STATUS = "confidential_status"
    ENTITY = "entity"
    ID = "id"
    SCORE = "score"
    MENTION_PROPERTIES = "mention_properties"
    DOCUMENT_PROPERTIES = "document_properties"
    ANNOTATOR = "annotator"
    SEVERAL_ANNOTATORS = "several_annotators"
    OVERLAPS = "overlaps"
    FRAGMENTS = "fragments"
    OTHER = "other"
    """What a file says and these values have no word for, such as brat's events."""


@dataclass(frozen=True, slots=True)
class AnnotatedMention:
    """One annotated place.

    Attributes:
        spans: where it is; at least one, in order and disjoint; several if discontinuous.
        type: semantic type as the source names it; empty if unknown.
        identifier: DIRECT, QUASI or NO_MASK; None if unknown.
        status: confidential status; None if unknown.
        entity: name of its entity among those of its annotator; empty if unknown.
        id: name of the mention; empty if it has none.
        score: how sure its author was, as the source gives it; None if unknown.
        properties: other keys of the mention, as JSON values.
    """

    spans: tuple[Span, ...]
    type: str = ""
    identifier: IdentifierType | None = None
    status: ConfidentialStatus | None = None
    entity: str = ""
    id: str = ""
    score: float | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """First code point."""
        return self.spans[0].start

    @property
    def end(self) -> int:
        """Code point after the last."""
        return self.spans[-1].end

    @property
    def extent(self) -> Span:
        """From the first to the last code point, with what lies between fragments."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Annotation:
    """The mentions of one annotator, in order of the source; unnamed if ``annotator`` is empty."""

    annotator: str
    mentions: tuple[AnnotatedMention, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedDocument:
    """A text with the annotations of everyone who annotated it.

    Attributes:
        id: name of the document, unique in a corpus.
        text: the original; None if its source carries none.
        annotations: one an annotator; empty if nobody annotated it.
        properties: other keys of the document, as JSON values.
    """

    id: str
    text: str | None = field(repr=False)
    annotations: tuple[Annotation, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)


def unnamed(mentions: tuple[AnnotatedMention, ...]) -> tuple[Annotation, ...]:
    """Return the annotations of a source that does not name annotators.

    In such a source a document without mentions can't be told from one that nobody annotated;
    it counts as not annotated.
    """
    return (Annotation("", mentions),) if mentions else ()


def place_of(annotation: Annotation, position: int) -> str:
    """Return where a mention is, without any of its text, for messages."""
    mention = annotation.mentions[position]
    who = f"annotator {annotation.annotator!r}, " if annotation.annotator else ""
    return f"{who}mention {position} at [{mention.start}, {mention.end})"
