"""Annotated documents, and the protocol of the formats that they are read from and written in.

The annotation model is TAB's (Pilán et al. 2022, section 3), widened by what other tools know:
scores, discontinuous mentions, keys of their own. What is not known is empty or None, never a
guess. Offsets are code points.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final, Protocol

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError


class Feature(StrEnum):
    """Feature of annotations that a format can hold, needs, or has no place for."""

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
    """Content of a file that these values can't represent, such as brat's events."""


@dataclass(frozen=True, slots=True)
class AnnotatedMention:
    """Annotated mention.

    Attributes:
        spans: at least one, in order and disjoint; several if discontinuous.
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
    properties: Mapping[str, Any] = field(default_factory=dict, repr=False)

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
        """Span from the first to the last code point, gaps between fragments included."""
        return self.spans[0] if len(self.spans) == 1 else Span(self.start, self.end)


MENTION_FIELDS: Final = {
    Feature.TYPE: "type",
    Feature.IDENTIFIER_TYPE: "identifier",
    Feature.CONFIDENTIAL_STATUS: "status",
    Feature.ENTITY: "entity",
    Feature.ID: "id",
    Feature.SCORE: "score",
    Feature.MENTION_PROPERTIES: "properties",
}
"""Attribute of a mention that holds each feature."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """The mentions of one annotator, in order of the source; unnamed if ``annotator`` is empty."""

    annotator: str
    mentions: tuple[AnnotatedMention, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedDocument:
    """Text with the annotations of all its annotators.

    Attributes:
        id: name of the document, unique in a corpus.
        text: the original; None if its source carries none.
        annotations: one per annotator; empty if not annotated.
        properties: other keys of the document, as JSON values.
    """

    id: str
    text: str | None = field(repr=False)
    annotations: tuple[Annotation, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def mentions(self) -> list[AnnotatedMention]:
        """The mentions of all annotators."""
        return [mention for annotation in self.annotations for mention in annotation.mentions]


def unnamed(mentions: tuple[AnnotatedMention, ...]) -> tuple[Annotation, ...]:
    """Return the annotations of a source without names of annotators.

    In such a source a document without mentions looks like an unannotated one; it counts as not
    annotated.
    """
    return (Annotation("", mentions),) if mentions else ()


def place_of(annotation: Annotation, position: int) -> str:
    """Return where a mention is, without any of its text, for messages."""
    mention = annotation.mentions[position]
    prefix = f"annotator {annotation.annotator!r}, " if annotation.annotator else ""
    return f"{prefix}mention {position} at [{mention.start}, {mention.end})"


# Python counts code points; JavaScript, Java and C# count UTF-16 units (a character outside the
# basic plane is two); Go and Rust count bytes of UTF-8. A file does not name its unit, so the
# user does.


class Unit(StrEnum):
    """Unit of offsets."""

    CODE_POINTS = "code-points"
    UTF_16 = "utf-16"
    BYTES = "bytes"


class OffsetConverter:
    """Offsets of one text: of a unit to code points, and back.

    Args:
        text: the text; None if unknown.
        unit: unit of the offsets outside.
        document: name of the document, for messages.

    Raises:
        InputError: the unit can't be translated without the text.
    """

    def __init__(self, text: str | None, unit: Unit, document: str) -> None:
        if text is None and unit is not Unit.CODE_POINTS:
            raise InputError(
                f"offsets in {unit} can't be converted without the text; give it with --text.",
                document,
            )
        self._document = document
        self._unit = unit
        self._length = None if text is None else len(text)
        self._edges: list[int] | None = None
        if text is not None and unit is not Unit.CODE_POINTS and not text.isascii():
            widths = (_width(character, unit) for character in text)
            self._edges = list(accumulate(widths, initial=0))

    def span(self, start: object, end: object, at: str) -> Span:
        """Return the span in code points.

        Raises:
            InputError: if the offsets are not integers, not a span of the text, or split a character.
        """
        if type(start) is not int or type(end) is not int:
            raise InputError(f"{at}: start and end must be two integers.", self._document)
        last = self._edges[-1] if self._edges else self._length
        if not 0 <= start < end or (last is not None and end > last):
            if last is None:
                rule = "are not a span; 0 <= start < end must hold"
            else:
                rule = (
                    f"are not in the text of {last} {_COUNTED[self._unit]}; "
                    f"0 <= start < end <= {last} must hold"
                )
            raise InputError(
                f"{at}: offsets [{start}, {end}) {rule} (do they count another unit? see tacenda "
                "convert --from-offsets)",
                self._document,
            )
        return Span(self._code_point(start, at), self._code_point(end, at))

    def offsets(self, span: Span) -> tuple[int, int]:
        """Return start and end of a span in the unit."""
        if self._edges is None:
            return span.start, span.end
        return self._edges[span.start], self._edges[span.end]

    def _code_point(self, offset: int, at: str) -> int:
        if self._edges is None:
            return offset
        index = bisect_left(self._edges, offset)
        if self._edges[index] != offset:
            raise InputError(
                f"{at}: offset {offset} in {self._unit} is inside a character; the file counts "
                "another unit, see --from-offsets.",
                self._document,
            )
        return index


_COUNTED = {
    Unit.CODE_POINTS: "code points",
    Unit.UTF_16: "UTF-16 units",
    Unit.BYTES: "bytes of UTF-8",
}


def _width(character: str, unit: Unit) -> int:
    code = ord(character)
    if unit is Unit.UTF_16:
        return 2 if code > 0xFFFF else 1
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)


# A format reads and writes bytes by file name and never touches the disk itself; it declares what
# it can hold and what it must be told. ``convert`` compares a corpus with that declaration before
# anything is written, so a writer is only given what it can hold.


Files = Mapping[str, bytes]
"""Contents by file name, relative to a folder; one entry if the format is one file."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Settings for a reader beside the file.

    Attributes:
        unit: unit of offsets in the file.
        texts: texts by document id, for formats without text; None if not given.
        drop: features the user allows to drop; OTHER lets a reader skip everything without
            a place in the values of ``corpus``.
    """

    unit: Unit = Unit.CODE_POINTS
    texts: Mapping[str, str] | None = field(default=None, repr=False)
    drop: frozenset[Feature] = field(default_factory=frozenset)

    def text_of(self, id: str) -> str | None:
        """Return the text given for a document; None if no texts were given.

        Raises:
            InputError: texts were given, but not for this document.
        """
        if self.texts is not None and id not in self.texts:
            raise InputError("--text has no text with this id; add it.", id)
        return None if self.texts is None else self.texts[id]

    def skip_or_raise(self, subject: str, document: str) -> None:
        """Return if the user allows to drop unreadable content.

        Raises:
            InputError: otherwise; names it and the option.
        """
        if Feature.OTHER not in self.drop:
            raise InputError(
                f"{subject}, which can't be converted; use --drop other to skip it.", document
            )


class AnnotationFormat(Protocol):
    """An annotation format.

    Attributes:
        name: as the user names it.
        holds: features it can write and read back.
        needs: features required for writing.
        takes_text: whether ``--text`` is of use to its reader.
        masks_only: whether everything in it is to be masked, so NO_MASK has no place.
        folder: whether it is a folder of files.
        suffixes: of the files that are read of a folder.
    """

    name: str
    holds: frozenset[Feature]
    needs: frozenset[Feature]
    takes_text: bool = False
    masks_only: bool = False
    folder: bool = False
    suffixes: tuple[str, ...] = (".txt", ".ann")

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents of a file.

        Raises:
            InputError: names the document or file, the place in it, and the way out.
        """
        ...

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return the files of the documents, with offsets in ``unit``.

        Raises:
            InputError: a value, such as a type with a space in it, can't be spelled.
        """
        ...

    def tokens(self, text: str) -> Sequence[Span] | None:
        """Return the tokens for aligned mentions; None if they need no alignment."""
        return None


def only_file(files: Files) -> tuple[str, bytes]:
    """Return name and content of the file of a one-file format."""
    ((name, content),) = files.items()
    return name, content


def choose_annotator(document: AnnotatedDocument, name: str) -> AnnotatedDocument | None:
    """Return a document with the mentions of one annotator.

    An annotation without a name gets this one, and so does an unannotated document, as sources
    without names of annotators do not say that nothing was found.

    Returns:
        None if others annotated the document, but not this one.
    """
    if not document.annotations:
        return replace(document, annotations=(Annotation(name, ()),))
    for annotation in document.annotations:
        if annotation.annotator in (name, ""):
            return replace(document, annotations=(Annotation(name, annotation.mentions),))
    return None


def part_annotators(document: AnnotatedDocument) -> tuple[AnnotatedDocument, ...]:
    """Return a document ``ID@ANNOTATOR`` for each named annotator, without the name inside.

    A document without names of annotators stays as it is.
    """
    names = [annotation.annotator for annotation in document.annotations]
    if not any(names):
        return (document,)
    if not all(names):
        raise InputError(
            "has annotations with and without an annotator; choose one with --annotator.",
            document.id,
        )
    return tuple(
        replace(
            document,
            id=f"{document.id}@{annotation.annotator}",
            annotations=(Annotation("", annotation.mentions),),
        )
        for annotation in document.annotations
    )
