"""brat standoff: ``NAME.txt`` next to ``NAME.ann`` (Stenetorp et al. 2012; brat.nlplab.org).

Offsets count code points of the .txt file as it is, including line ends. TAB's layers are written
as attributes (``IdentifierType``, ``ConfidentialStatus``, ``Entity``, ``Score``); an ``Equiv`` line
is also read as an entity. Other attributes are properties of the mention. A text without an .ann
file isn't annotated. brat's own numbers (T1, T2 …) aren't used as mention ids.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError
from ..text.decoding import check_is_text, decode
from .checked_json import bytes_of, choice
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    AnnotationFormat,
    Feature,
    Files,
    OffsetConverter,
    Reading,
    Unit,
    unnamed,
)

# Reading: text-bound annotations, attributes, equivalences.


IDENTIFIER: Final = "IdentifierType"
STATUS: Final = "ConfidentialStatus"
ENTITY: Final = "Entity"
SCORE: Final = "Score"

_TEXT_BOUND = re.compile(
    r"(T\S+)\t(\S+) ([0-9]{1,18} [0-9]{1,18}(?:;[0-9]{1,18} [0-9]{1,18})*)\t(.*)"
)
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (\S+))?")
_EQUIVALENT = re.compile(r"\*\tEquiv (\S+(?: \S+)+)")


@dataclass(slots=True)
class _Ann:
    """The content of a file read so far: mentions by brat's number, and their attributes."""

    mentions: dict[str, AnnotatedMention] = field(default_factory=dict)
    attributes: dict[str, dict[str, tuple[str | bool, str]]] = field(default_factory=dict)
    equivalents: list[tuple[str, ...]] = field(default_factory=list)


def mentions_of(
    content: str, text: str, converter: OffsetConverter, id: str, reading: Reading
) -> tuple[AnnotatedMention, ...]:
    """Return the mentions in an .ann file, in line order.

    Raises:
        InputError: if a line is invalid or, unless the user allows skipping them, has a relation,
            an event, a normalization or a note; names the line.
    """
    ann = _Ann()
    referred: list[tuple[str, str]] = []
    for number, raw in enumerate(content.split("\n"), 1):
        line, at = raw.removesuffix("\r"), f"{id}.ann, line {number}"
        if not line.strip():
            continue
        if line[0] == "T":
            _text_bound(line, text, converter, ann, id, at)
        elif line[0] in "AM":
            referred.append((_attribute(line, ann, id, at), at))
        elif match := _EQUIVALENT.fullmatch(line):
            names = tuple(match[1].split(" "))
            ann.equivalents.append(names)
            referred += ((name, at) for name in names)
        elif line[0] in "REN#*":
            reading.skip_or_raise(f"{at}: is a relation, event, normalization or note", id)
        else:
            raise InputError(f"{at}: is not a line of brat standoff; fix it.", id)
    for name, at in referred:
        if name not in ann.mentions:
            # Attributes of events and relations.
            reading.skip_or_raise(f"{at}: {name!r} is not a text-bound annotation", id)
    return _finished(ann, id)


def _text_bound(
    line: str, text: str, converter: OffsetConverter, ann: _Ann, id: str, at: str
) -> None:
    match = _TEXT_BOUND.fullmatch(line)
    if match is None:
        raise InputError(f"{at}: must be T1, tab, TYPE START END, tab, text; fix it.", id)
    name, type_, places, quoted = match.groups()
    if name in ann.mentions:
        raise InputError(f"{at}: {name} occurs twice; give each its own.", id)
    offsets = (place.split(" ") for place in places.split(";"))
    spans = tuple(converter.span(int(start), int(end), at) for start, end in offsets)
    if any(later.start < earlier.end for earlier, later in pairwise(spans)):
        raise InputError(f"{at}: fragments overlap or are out of order; fix them.", id)
    if quoted != quote(spans, text):
        raise InputError(
            f"{at}: the quoted string differs from the text; are the offsets in another unit "
            "(see --from-offsets), or is it another version of the text?",
            id,
        )
    ann.mentions[name] = AnnotatedMention(spans, type_)


def quote(spans: Sequence[Span], text: str) -> str:
    """Return the text column: fragments are joined with spaces, and line ends and tabs become spaces."""
    return " ".join(re.sub(r"[\t\r\n]", " ", span.of(text)) for span in spans)


def _attribute(line: str, ann: _Ann, id: str, at: str) -> str:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None:
        raise InputError(f"{at}: must be A1, tab, NAME T1 [VALUE]; fix it.", id)
    name, target, value = match.groups()
    attributes = ann.attributes.setdefault(target, {})
    if name in attributes:
        raise InputError(f"{at}: {target} has the attribute {name} twice; keep one.", id)
    attributes[name] = (True if value is None else value, at)
    return str(target)


def _finished(ann: _Ann, id: str) -> tuple[AnnotatedMention, ...]:
    entities = _entities(ann)
    result = []
    for name, mention in ann.mentions.items():
        values = dict(ann.attributes.get(name, {}))
        identifier, identifier_at = values.pop(IDENTIFIER, (None, ""))
        status, status_at = values.pop(STATUS, (None, ""))
        score, score_at = values.pop(SCORE, (None, ""))
        entity, _ = values.pop(ENTITY, (entities.get(name, ""), ""))
        result.append(
            replace(
                mention,
                identifier=choice(IdentifierType, identifier, id, f"{identifier_at}:"),
                status=choice(ConfidentialStatus, status, id, f"{status_at}:"),
                score=_number(score, id, score_at),
                entity=str(entity),
                properties={key: value for key, (value, _) in values.items()},
            )
        )
    return tuple(result)


def _entities(ann: _Ann) -> dict[str, str]:
    """Return the first member of each mention's equivalence class; overlapping classes are merged."""
    order = {name: position for position, name in enumerate(ann.mentions)}
    entities: dict[str, str] = {}
    for names in ann.equivalents:
        classes = {entities.get(name, name) for name in names}
        first = min(classes, key=lambda name: order.get(name, len(order)))
        entities.update((name, first) for name, old in entities.items() if old in classes)
        entities.update((name, first) for name in names)
    return entities


def _number(value: Any, id: str, at: str) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        raise InputError(f"{at}: the score must be a number; fix it.", id) from None


# Writing.


_WORD = re.compile(r"\S+")


def lines_of(document: AnnotatedDocument, text: str, converter: OffsetConverter) -> Iterator[str]:
    """Yield the lines of a document's .ann file: each mention, followed by its attributes.

    Raises:
        InputError: if a type, an entity or a property can't be written in brat.
    """
    attributes = 0
    for number, mention in enumerate(document.mentions, 1):
        at = f"mention {number - 1} at [{mention.start}, {mention.end})"
        type_ = _word(mention.type, "type", "use --rename OLD=NEW", document.id, at)
        places = ";".join("{} {}".format(*converter.offsets(span)) for span in mention.spans)
        yield f"T{number}\t{type_} {places}\t{quote(mention.spans, text)}"
        for name, value in _attributes(mention, document.id, at):
            attributes += 1
            yield f"A{attributes}\t{name} T{number}{value}"


def _attributes(mention: AnnotatedMention, id: str, at: str) -> Iterator[tuple[str, str]]:
    if mention.identifier is not None:
        yield IDENTIFIER, f" {mention.identifier}"
    if mention.status is not None:
        yield STATUS, f" {mention.status}"
    if mention.entity:
        yield ENTITY, " " + _word(mention.entity, "entity", "use --drop entity", id, at)
    if mention.score is not None:
        yield SCORE, f" {mention.score!r}"
    remedy = "use --drop mention_properties"
    for key, value in mention.properties.items():
        if key in (IDENTIFIER, STATUS, ENTITY, SCORE):
            raise InputError(f"{at}: property {key!r} is an attribute of ours; {remedy}.", id)
        name = _word(key, "property", remedy, id, at)
        yield name, "" if value is True else " " + _word(value, f"property {key!r}", remedy, id, at)


def _word(value: Any, subject: str, remedy: str, id: str, at: str) -> str:
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise InputError(
            f"{at}: brat can't represent its {subject}, which must be a string without white space; {remedy}.",
            id,
        )
    return value


class Brat(AnnotationFormat):
    """brat standoff: stores one annotator's typed spans, including discontinuous ones, with attributes."""

    name = "brat"
    holds = frozenset(
        map(
            Feature,
            "text type identifier_type confidential_status entity score mention_properties overlaps "
            "fragments".split(),
        )
    )
    needs = frozenset({Feature.TEXT, Feature.TYPE})
    folder = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each .txt file, in name order."""
        for name in sorted(files):
            if name.endswith(".ann") and f"{name[:-4]}.txt" not in files:
                raise InputError("the .txt file beside it is missing; add it.", name)
            if not name.endswith(".txt"):
                continue
            id = name[:-4]
            check_is_text(files[name][:4096], "utf-8", name)
            text = decode(files[name], "utf-8", name)
            annotations = decode(files.get(f"{id}.ann", b""), "utf-8", f"{id}.ann")
            mentions = mentions_of(
                annotations, text, OffsetConverter(text, reading.unit, id), id, reading
            )
            yield AnnotatedDocument(id, text, unnamed(mentions))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return a .txt and an .ann file for each document, named by its id."""
        files: dict[str, bytes] = {}
        for document in documents:
            _check_name(document.id)
            text = document.text or ""
            converter = OffsetConverter(text, unit, document.id)
            lines = lines_of(document, text, converter)
            files[f"{document.id}.txt"] = bytes_of(text, self.name)
            files[f"{document.id}.ann"] = bytes_of("".join(f"{x}\n" for x in lines), self.name)
        return files


def _check_name(id: str) -> None:
    """Raise an InputError if an id isn't a valid file name in the folder."""
    inside = posixpath.normpath(id) == id and not id.startswith("/") and ".." not in id.split("/")
    is_hidden = any(part.startswith(".") for part in id.split("/"))
    if not id or not inside or is_hidden or any(ord(c) < 32 or c in '\\:*?"<>|' for c in id):
        raise InputError(
            f"the id {id!r} is not a valid file name within the folder, which brat needs; rename the "
            "document.",
            id,
        )
