"""Annotated documents, and the protocol of the formats they are read from and written to.

The annotation model is TAB's (Pilán et al. 2022, section 3), extended by what other tools store:
scores, discontinuous mentions, additional keys. Unknown values are empty or None, never guessed.
Offsets are code points.
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
    """A feature of annotations that a format may store, need or lack."""

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
    """An annotated mention.

    Attributes:
        spans: at least one, in order and without overlaps; several if discontinuous.
        type: the semantic type as named by the source; empty if unknown.
        identifier: DIRECT, QUASI or NO_MASK; None if unknown.
        status: the confidential status; None if unknown.
        entity: id of its entity, unique per annotator; empty if unknown.
        id: the mention's id; empty if it has none.
        score: its author's confidence as given by the source; None if unknown.
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
        """The first code point."""
        return self.spans[0].start

    @property
    def end(self) -> int:
        """The code point after the last one."""
        return self.spans[-1].end

    @property
    def extent(self) -> Span:
        """The span from the first to the last code point, including gaps between fragments."""
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
    """One annotator's mentions, in source order; unnamed if ``annotator`` is empty."""

    annotator: str
    mentions: tuple[AnnotatedMention, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedDocument:
    """A text with the annotations of all its annotators.

    Attributes:
        id: the document's id, unique within a corpus.
        text: the original; None if the source doesn't contain it.
        annotations: one per annotator; empty if the document isn't annotated.
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
    """Return the annotations from a source that doesn't name annotators.

    In such a source, a document without mentions can't be told from an unannotated one, so it
    counts as not annotated.
    """
    return (Annotation("", mentions),) if mentions else ()


def place_of(annotation: Annotation, position: int) -> str:
    """Return where a mention is, without any of its text, for messages."""
    mention = annotation.mentions[position]
    prefix = f"annotator {annotation.annotator!r}, " if annotation.annotator else ""
    return f"{prefix}mention {position} at [{mention.start}, {mention.end})"


# Python counts code points; JavaScript, Java and C# count UTF-16 units (a character outside the
# basic plane is two); Go and Rust count UTF-8 bytes. Files don't name their unit, so the user must.


class Unit(StrEnum):
    """The unit of offsets."""

    CODE_POINTS = "code-points"
    UTF_16 = "utf-16"
    BYTES = "bytes"


class OffsetConverter:
    """Converts offsets in one text from a unit to code points and back.

    Args:
        text: the text; None if unknown.
        unit: the external unit.
        document: name of the document, for messages.

    Raises:
        InputError: if the unit can't be converted without the text.
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
            InputError: if the offsets aren't integers, aren't a span of the text, or split a
                character.
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
        """Return a span's start and end in the unit."""
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
# it can store and what it needs. ``convert`` compares a corpus with that declaration before
# anything is written, so a writer only receives what it can store.


Files = Mapping[str, bytes]
"""Contents by file name, relative to a folder; one entry if the format is one file."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Settings for reading, in addition to the file.

    Attributes:
        unit: the unit of offsets in the file.
        texts: texts by document id, for formats that don't store text; None if not given.
        drop: features that the user allows to be dropped; OTHER lets a reader skip everything that
            ``corpus`` can't represent.
    """

    unit: Unit = Unit.CODE_POINTS
    texts: Mapping[str, str] | None = field(default=None, repr=False)
    drop: frozenset[Feature] = field(default_factory=frozenset)

    def text_of(self, id: str) -> str | None:
        """Return the text given for a document; None if no texts were given.

        Raises:
            InputError: if texts were given, but not for this document.
        """
        if self.texts is not None and id not in self.texts:
            raise InputError("--text has no text with this id; add it.", id)
        return None if self.texts is None else self.texts[id]

    def skip_or_raise(self, subject: str, document: str) -> None:
        """Return if the user allows unreadable content to be dropped.

        Raises:
            InputError: otherwise; names the content and the option.
        """
        if Feature.OTHER not in self.drop:
            raise InputError(
                f"{subject}, which can't be converted; use --drop other to skip it.", document
            )


class AnnotationFormat(Protocol):
    """An annotation format.

    Attributes:
        name: the name that users type.
        holds: features that it can write and read back.
        needs: features required for writing.
        takes_text: whether its reader can use ``--text``.
        masks_only: whether everything in it is to be masked, so that NO_MASK can't be stored.
        folder: whether it consists of a folder of files.
        suffixes: suffixes of the files to read in a folder.
    """

    name: str
    holds: frozenset[Feature]
    needs: frozenset[Feature]
    takes_text: bool = False
    masks_only: bool = False
    folder: bool = False
    suffixes: tuple[str, ...] = (".txt", ".ann")

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in a file.

        Raises:
            InputError: if it is invalid; names the document or file, the place, and the remedy.
        """
        ...

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return the files for documents, with offsets in ``unit``.

        Raises:
            InputError: if a value can't be written, such as a type with a space.
        """
        ...

    def tokens(self, text: str) -> Sequence[Span] | None:
        """Return the tokens that mentions must be aligned with; None if no alignment is needed."""
        return None


def only_file(files: Files) -> tuple[str, bytes]:
    """Return name and content of the file, for a format with one file."""
    ((name, content),) = files.items()
    return name, content


def choose_annotator(document: AnnotatedDocument, name: str) -> AnnotatedDocument | None:
    """Return a document with one annotator's mentions.

    An unnamed annotation gets this name, and so does an unannotated document, since sources that
    don't name annotators can't say that nothing was found.

    Returns:
        The document, or None if others annotated it but this annotator didn't.
    """
    if not document.annotations:
        return replace(document, annotations=(Annotation(name, ()),))
    for annotation in document.annotations:
        if annotation.annotator in (name, ""):
            return replace(document, annotations=(Annotation(name, annotation.mentions),))
    return None


def part_annotators(document: AnnotatedDocument) -> tuple[AnnotatedDocument, ...]:
    """Return a document ``ID@ANNOTATOR`` for each named annotator, without the name inside it.

    A document without annotator names isn't changed.
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
