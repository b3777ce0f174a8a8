"""JSON that somebody else wrote, checked: every fault is an InputError that says where."""

from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError
from ..text.decoding import check_is_text, check_surrogates, decode

Choice = TypeVar("Choice", bound=StrEnum)

_KINDS: Mapping[type[Any], str] = {
    str: "a string",
    int: "an integer",
    list: "a list",
    dict: "an object",
}
_HEAD = 4096


def read_text(path: str | Path) -> str:
    """A text file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: the file can't be opened or is not UTF-8.
    """
    name = str(path)
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror or error}", name) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} is not UTF-8; convert the file to UTF-8", name
        ) from error


def read_json(path: str | Path) -> Any:
    """A JSON file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: the file can't be opened, is not UTF-8, is not JSON, or has an object with
            the same key twice.
    """
    return parse_json(read_text(path), str(path), finite=False)


def text_of(content: bytes, name: str) -> str:
    """Decode UTF-8; a byte order mark is dropped.

    Raises:
        InputError: names the byte.
    """
    check_is_text(content[:_HEAD], "utf-8", name)
    return decode(content, "utf-8", name).removeprefix("\ufeff")


def bytes_of(text: str, name: str) -> bytes:
    """Encode as UTF-8.

    Raises:
        InputError: there is a lone surrogate in it.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"character {error.start} of the {name} output is a lone surrogate, half a "
            "character, which can't be written; repair it where it was made."
        ) from None


def parse_json(text: str, name: str, line: int = 1, *, finite: bool = True) -> Any:
    """Parsed JSON.

    Args:
        text: the JSON.
        name: of the file, for messages.
        line: which line of the file the text begins on.
        finite: refuse NaN and Infinity, which are Python's and not JSON's.

    Raises:
        InputError: it is not JSON, is nested too deeply, or has a key twice in an object.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant if finite else None,
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not JSON: {error.msg} at line {line + error.lineno - 1}, column {error.colno}",
            name,
        ) from None
    except RecursionError:
        raise InputError("is not JSON of ours: it is nested too deeply", name) from None
    except _FaultError as fault:
        raise InputError(str(fault), name) from None
    except ValueError:
        raise InputError("is not JSON of ours: a number in it is too long", name) from None


class _FaultError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise _FaultError(f"has the key {key!r} twice in one object")
            keys.add(key)
    return result


def _refuse_constant(constant: str) -> NoReturn:
    raise _FaultError(f"is not JSON: {constant} is no number of it")


def dump_json(value: Any) -> str:
    """Return one line of JSON, characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def expect(value: Any, kind: type[Any], document: str, at: str) -> Any:
    """A value that must be a string, an integer, a list or an object.

    Raises:
        InputError: it is something else.
    """
    if type(value) is not kind:
        raise InputError(f"{at} must be {_KINDS[kind]}, not {_kind(value)}; mend it.", document)
    return value


def member(record: Any, key: str, kind: type[Any], document: str, at: str = "") -> Any:
    """A member of a JSON object that must be there; the document itself if ``at`` is empty.

    Raises:
        InputError: there is none, or it is of another kind.
    """
    if type(record) is dict and type(value := record.get(key)) is kind:
        return value
    place = f"{at}: " if at else ""
    if not isinstance(record, dict):
        raise InputError(
            f"{place}must be a JSON object with {key!r}, not {_kind(record)}; mend it.", document
        )
    if key not in record:
        raise InputError(f"{place}key {key!r} is missing; add it.", document)
    return expect(record[key], kind, document, f"{place}{key!r}")


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "nothing" if value is None else type(value).__name__)


def choice(kind: type[Choice], value: Any, document: str, at: str) -> Choice | None:
    """Return the constant of that name; None for None.

    Raises:
        InputError: there is no such constant.
    """
    if value is None:
        return None
    for constant in kind:
        if value == constant.value:
            return constant
    names = ", ".join(constant.value for constant in kind)
    raise InputError(f"{at}: {value!r} is none of {names}.", document)


def score(value: Any, document: str, at: str) -> float | None:
    """Return a finite number; None for None.

    Raises:
        InputError: it is none.
    """
    if value is None:
        return None
    if type(value) not in (int, float) or not math.isfinite(value):
        raise InputError(f"{at}: the score must be a number.", document)
    return float(value)


def optional_string(record: Mapping[str, Any], key: str, document: str, at: str = "") -> str:
    """A string of an object; empty if it is missing or null.

    Raises:
        InputError: it is something else.
    """
    return "" if record.get(key) is None else str(member(record, key, str, document, at))


def optional_strings(
    record: Mapping[str, Any], key: str, document: str, at: str = ""
) -> tuple[str, ...]:
    """The list of strings of an object; empty if it is missing or null.

    Raises:
        InputError: it is something else.
    """
    if record.get(key) is None:
        return ()
    values = member(record, key, list, document, at)
    place = f"{at}: " if at else ""
    for position, value in enumerate(values):
        expect(value, str, document, f"{place}{key}[{position}]")
    return tuple(values)


def plain_text(record: Any, key: str, document: str, at: str) -> str:
    """Return a text of an object, without lone surrogates.

    Raises:
        InputError: it is missing, no string, or has half a character in it.
    """
    text: str = member(record, key, str, document, at)
    check_surrogates(text, document)
    return text


def check_covered(text: str, start: int, end: int, claimed: Any, document: str, at: str) -> None:
    """Raise InputError if a file quotes another string at a span than the text has there."""
    if claimed is not None and claimed != text[start:end]:
        raise InputError(
            f"{at}: the text at [{start}, {end}) is not what the file quotes there; are the "
            "offsets in another unit (see --from-offsets), or is the text another version?",
            document,
        )


def with_properties(
    record: dict[str, Any], properties: Mapping[str, Any], reserved: frozenset[str], document: str
) -> dict[str, Any]:
    """Return an object with further keys.

    Raises:
        InputError: a key is one that the format uses for something else.
    """
    for key in properties:
        if key in reserved:
            raise InputError(
                f"property {key!r} has the name of a key of the format; rename it at its source "
                "or drop the properties with --drop.",
                document,
            )
    return {**record, **properties}


def other_keys(record: Mapping[str, Any], keys: frozenset[str]) -> dict[str, Any]:
    """Return the members of an object that are not among the known."""
    return {key: value for key, value in record.items() if key not in keys}


# Annotated documents, and the protocol of the formats that they are read from and written in.
#
# The annotation model is TAB's (Pilán et al. 2022, section 3), widened by what other tools know:
# scores, discontinuous mentions, keys of their own. What is not known is empty or None, never a
# guess. Offsets are code points.


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
        """From the first to the last code point, with what lies between fragments."""
        return self.spans[0] if len(self.spans) == 1 else Span(self.start, self.end)


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
    properties: Mapping[str, Any] = field(default_factory=dict, repr=False)


def unnamed(mentions: tuple[AnnotatedMention, ...]) -> tuple[Annotation, ...]:
    """Return the annotations of a source that does not name annotators.

    In such a source a document without mentions can't be told from one that nobody annotated;
    it counts as not annotated.
    """
    return (Annotation("", mentions),) if mentions else ()


def place_of(annotation: Annotation, position: int) -> str:
    """Return where a mention is, without any of its text, for messages."""
    mention = annotation.mentions[position]
    prefix = f"annotator {annotation.annotator!r}, " if annotation.annotator else ""
    return f"{prefix}mention {position} at [{mention.start}, {mention.end})"


# Python counts code points; JavaScript, Java and C# count UTF-16 units (a character outside the
# basic plane is two); Go and Rust count bytes of UTF-8. A file does not say which it means, so the
# user does.


class Unit(StrEnum):
    """What an offset counts."""

    CODE_POINTS = "code-points"
    UTF_16 = "utf-16"
    BYTES = "bytes"


class OffsetConverter:
    """Offsets of one text: of a unit to code points, and back.

    Args:
        text: the text; None if it is not known.
        unit: what the offsets outside count.
        document: name of the document, for messages.

    Raises:
        InputError: the unit can't be translated without the text.
    """

    def __init__(self, text: str | None, unit: Unit, document: str) -> None:
        if text is None and unit is not Unit.CODE_POINTS:
            raise InputError(
                f"offsets in {unit} can't be translated without the text; give it by --text.",
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
            InputError: the offsets are no integers, no span of the text, or part a character.
        """
        if type(start) is not int or type(end) is not int:
            raise InputError(f"{at}: start and end must be two integers.", self._document)
        last = self._edges[-1] if self._edges else self._length
        if not 0 <= start < end or (last is not None and end > last):
            if last is None:
                rule = "are no span; 0 <= start < end must hold"
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
    """What a reader must know beside the file.

    Attributes:
        unit: what offsets count in the file.
        texts: texts by document id, for formats that carry none; None if not given.
        drop: what the user gave leave to drop; OTHER lets a reader pass over what the values of
            ``corpus`` have no word for.
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
            raise InputError("there is no text of this id in --text; add it.", id)
        return None if self.texts is None else self.texts[id]

    def skip_or_raise(self, subject: str, document: str) -> None:
        """Go on if the user gave leave to drop what can't be read.

        Raises:
            InputError: otherwise; names it and the option.
        """
        if Feature.OTHER not in self.drop:
            raise InputError(
                f"{subject}, which can't be converted; --drop other passes over it.", document
            )


class AnnotationFormat(Protocol):
    """An annotation format.

    Attributes:
        name: as the user names it.
        holds: features that it can write and read back.
        needs: features without which it can't be written.
        takes_text: whether ``--text`` is of use to its reader.
        masks_only: whether everything it lists is to be masked, so that it can't list NO_MASK.
        folder: whether it is a folder of files.
    """

    name: str
    holds: frozenset[Feature]
    needs: frozenset[Feature]
    takes_text: bool = False
    masks_only: bool = False
    folder: bool = False

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents of a file.

        Raises:
            InputError: names the document or file, the place in it, and the way out.
        """
        ...

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return the files that hold the documents, with offsets in ``unit``.

        Raises:
            InputError: a value, such as a type with a space in it, can't be spelled.
        """
        ...

    def tokens(self, text: str) -> Sequence[Span] | None:
        """Return the tokens to which mentions must be aligned; None if they need not be."""
        return None


def only_file(files: Files) -> tuple[str, bytes]:
    """Return name and content of the file of a format that is one file."""
    ((name, content),) = files.items()
    return name, content


def choose_annotator(document: AnnotatedDocument, name: str) -> AnnotatedDocument | None:
    """Return a document with the mentions of one annotator.

    An annotation without a name gets this one, and so does a document that nobody annotated, as
    sources that do not name annotators do not say who found nothing.

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
    """Return a document ``ID@ANNOTATOR`` for each named annotator, who is not named further.

    A document of which nobody is named stays as it is.
    """
    names = [annotation.annotator for annotation in document.annotations]
    if not any(names):
        return (document,)
    if not all(names):
        raise InputError(
            "has annotations with and without a name; choose one by --annotator.", document.id
        )
    return tuple(
        replace(
            document,
            id=f"{document.id}@{annotation.annotator}",
            annotations=(Annotation("", annotation.mentions),),
        )
        for annotation in document.annotations
    )


# Tokens, for formats that annotate tokens instead of characters. A word is a run of letters,
# digits, underscores and combining marks; every other character that is no white space is a token
# of its own. White space belongs to none.


_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens_of(text: str) -> tuple[Span, ...]:
    """Return the tokens of a text, in order and disjoint."""
    if not text.isascii():
        # Marks are no letters to the pattern; in their place stands one, offsets stay.
        marks = {ord(c): "x" for c in set(text) if unicodedata.category(c)[0] == "M"}
        text = text.translate(marks)
    return tuple(Span(*match.span()) for match in _TOKEN.finditer(text))
