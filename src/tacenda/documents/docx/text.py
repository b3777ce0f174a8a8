"""Where strings are in a part, in reading order.

A *line* is read as a unit: a paragraph, however many runs it is split into, or a single string (an
alternative text, a title, a field's argument). The paragraphs of a text box follow the paragraph of
its anchor. A string other than text that may repeat a name is *swept*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from urllib.parse import quote

from ..blocks import Block
from ..record import Extraction, plain
from .blocks import Blocks
from .package import (
    BREAKS,
    CHOICE,
    FALLBACK,
    NAME_ATTRIBUTES,
    NAME_VALUES,
    NUMBERS,
    PARAGRAPHS,
    RUN_TEXT,
    SHOWN_NAMES,
    TABS,
    TEXT_ATTRIBUTES,
    TEXT_VALUES,
    C,
    Element,
    PackagePart,
    R,
    W,
    local_name,
    parse,
)

# A field's switches take formats, not text: \\@ "d MMMM yyyy", \\o "1-3".
_ARGUMENT = re.compile(r'(?<!\\[@#*cost] )(?<!\\[@#*cost])"([^"]*)"')


class StringKind(Enum):
    """The kind of a string."""

    TEXT = "text"
    NUMBER = "number"  # in a chart: its replacement must also be a number
    FIELD = "field"  # a field's code, whose quoted arguments are text
    NAME = "name"  # not text, but swept


@dataclass(frozen=True, slots=True)
class StringPlace:
    """The position of a string in a tree.

    Attributes:
        element: an element of the tree.
        attribute: the attribute's name; empty for the element's content, ``tail`` for the text
            after it.
        kind: the kind of string.
    """

    element: Element
    attribute: str
    kind: StringKind

    def read(self) -> str:
        """Return the string."""
        if self.attribute == "":
            return self.element.text or ""
        if self.attribute == "tail":
            return self.element.tail or ""
        return str(self.element.get(self.attribute))

    def write(self, value: str) -> None:
        """Write another string there."""
        if self.attribute == "":
            self.element.text = value
        elif self.attribute == "tail":
            self.element.tail = value
        else:
            self.element.set(self.attribute, value)


@dataclass(frozen=True, slots=True)
class TextPiece:
    """``[start, end)`` of the string at a position, as part of a line."""

    place: StringPlace
    start: int
    end: int


Line = list["TextPiece | str"]
"""Pieces, and characters that elements stand for (tabs, breaks)."""


@dataclass(frozen=True, slots=True)
class PartStrings:
    """The strings of a part.

    Attributes:
        places: all its strings, in order.
        lines: the lines of text, each with its paragraph or its string's element.
    """

    places: list[StringPlace]
    lines: list[tuple[Element, Line]]


def read_part(root: Element) -> PartStrings:
    """Return the strings and lines of a part; always the same for the same tree."""
    reader = _DocxReader()
    reader.element(root, None)
    return PartStrings(reader.places, reader.lines)


class _DocxReader:
    def __init__(self) -> None:
        self.places: list[StringPlace] = []
        self.lines: list[tuple[Element, Line]] = []
        # Single strings; those in a paragraph come after it.
        self._asides = self.lines
        self._nested: list[Element] = []

    def element(self, element: Element, line: Line | None) -> None:
        """Read an element; ``line`` is the paragraph that contains it, if any."""
        if element.tag in PARAGRAPHS:
            if line is None:
                self._paragraph(element)
            else:
                self._nested.append(element)
            return
        self._attributes(element)
        self._content(element, line)
        # A word's pronunciation is written above it, not in it, and of several versions of some
        # content only one is shown.
        apart = element.tag in (f"{W}rt", FALLBACK) or (
            element.tag == CHOICE and element.getprevious() is not None
        )
        if apart and line is not None:
            line = []
            self._asides.append((element, line))
        for child in element:
            self.element(child, line)
            if (child.tail or "").strip():
                self._aside(StringPlace(child, "tail", StringKind.TEXT))

    def _paragraph(self, paragraph: Element) -> None:
        outer = self._asides, self._nested
        self._asides, self._nested = [], []
        line: Line = []
        self._attributes(paragraph)
        for child in paragraph:
            self.element(child, line)
        self.lines.append((paragraph, line))
        self.lines += self._asides
        nested = self._nested
        self._asides, self._nested = outer
        for inner in nested:
            self._paragraph(inner)

    def _content(self, element: Element, line: Line | None) -> None:
        tag = element.tag
        if line is not None and tag in TABS and element.getparent().tag != f"{W}tabs":
            line.append("\t")
        elif line is not None and tag in BREAKS:
            line.append("\n")
        text = element.text or ""
        if tag == f"{W}instrText":
            self._field(StringPlace(element, "", StringKind.FIELD))
        elif text and tag in RUN_TEXT and line is not None:
            place = self._add(StringPlace(element, "", StringKind.TEXT))
            line.append(TextPiece(place, 0, len(text)))
        elif text.strip() and local_name(element) not in NUMBERS:
            parent = element.getparent()
            holder = None if parent is None else parent.getparent()
            number = holder is not None and holder.tag in (f"{C}numCache", f"{C}numLit")
            self._aside(StringPlace(element, "", StringKind.NUMBER if number else StringKind.TEXT))

    def _attributes(self, element: Element) -> None:
        for key in element.attrib:
            if element.tag == f"{W}fldSimple" and key == f"{W}instr":
                self._field(StringPlace(element, key, StringKind.FIELD))
                continue
            kind = _attribute_kind(element, key)
            if kind is None or not element.get(key):
                continue
            if kind is StringKind.TEXT:
                self._aside(StringPlace(element, key, kind))
            else:
                self._add(StringPlace(element, key, kind))

    def _field(self, place: StringPlace) -> None:
        self._add(place)
        for match in _ARGUMENT.finditer(place.read()):
            if match[1].strip():
                self._asides.append((place.element, [TextPiece(place, *match.span(1))]))

    def _aside(self, place: StringPlace) -> None:
        self._add(place)
        self._asides.append((place.element, [TextPiece(place, 0, len(place.read()))]))

    def _add(self, place: StringPlace) -> StringPlace:
        self.places.append(place)
        return place


def _attribute_kind(element: Element, key: str) -> StringKind | None:
    """Return the kind of an attribute's string; None if it is structure."""
    namespace, _, name = key.rpartition("}")
    if f"{namespace}}}" == R:
        return None
    if name in TEXT_ATTRIBUTES or (name == "name" and local_name(element) in SHOWN_NAMES):
        return StringKind.TEXT
    if name == "val":
        local = local_name(element)
        if local == "lvlText" and not any(map(str.isalpha, element.get(key))):
            return None  # "%1." numbers a list
        return (
            StringKind.TEXT
            if local in TEXT_VALUES
            else StringKind.NAME
            if local in NAME_VALUES
            else None
        )
    if name in NAME_ATTRIBUTES and local_name(element) not in ("font", "lsdException"):
        return StringKind.NAME
    return None


# A whole document as one text with slots: the strings of all parts are read together.
#
# The record's *source* consists of all strings of all parts, followed by the addresses of links. So
# a name is found equally in the body, a header, a comment and the title, and every edit can be
# mapped back to its string.


_SCHEME = re.compile(r"(?:mailto|tel|sms):", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Address:
    """The target of a link: its part, and the id of its relationship."""

    part: str
    id: str
    target: str


@dataclass(frozen=True, slots=True)
class Strings:
    """A document's strings, in source order.

    Attributes:
        roots: the trees of the parts with text, by name.
        places: positions of the strings in them.
        addresses: addresses outside trees, which follow all strings.
    """

    roots: dict[str, Element]
    places: list[StringPlace]
    addresses: list[Address]


def extract(parts: tuple[PackagePart, ...], name: str) -> tuple[Extraction, tuple[Block, ...]]:
    """Return a document's text, source and slots, and what its lines are.

    Raises:
        InputError: if a part can't be parsed.
    """
    roots = _roots(parts, name)
    readings = [read_part(root) for root in roots.values()]
    places = [place for reading in readings for place in reading.places]
    values = [place.read() for place in places]
    *starts, length = accumulate(map(len, values), initial=0)
    offsets = dict(zip(places, starts, strict=True))
    addresses = list(_addresses(parts))
    source = "".join((*values, *(address.target for address in addresses)))
    extraction = Extraction(source)
    targets = {
        part.name: {tie.id: tie.target for tie in part.relationships if not tie.external}
        for part in parts
    }
    blocks = Blocks(roots, targets)
    for root, reading in zip(roots.values(), readings, strict=True):
        for element, line in reading.lines:
            strings = (piece.place.element for piece in line if not isinstance(piece, str))
            first = next(strings, None)
            blocks.line(
                extraction.length, root, element if first is None else first, is_empty=first is None
            )
            for piece in line:
                if isinstance(piece, str):
                    extraction.gap(piece)
                    continue
                start = offsets[piece.place]
                begin, end = start + piece.start, start + piece.end
                if piece.place.kind is StringKind.NUMBER:
                    extraction.opaque(begin, end, source[begin:end], _number)
                else:
                    encode = _argument if piece.place.kind is StringKind.FIELD else plain
                    extraction.verbatim(begin, end, encode)
            extraction.part()
    for address in addresses:
        scheme = _SCHEME.match(address.target)
        begin = length + (scheme.end() if scheme else 0)
        length += len(address.target)
        blocks.links(extraction.length)
        extraction.verbatim(begin, length, _address)
        extraction.part()
    blocks.end(extraction.length)
    return extraction, tuple(blocks.found)


def strings(parts: tuple[PackagePart, ...], name: str) -> Strings:
    """Return the strings of a document, in separate trees that can be changed."""
    roots = _roots(parts, name)
    places = [place for root in roots.values() for place in read_part(root).places]
    return Strings(roots, places, list(_addresses(parts)))


def _roots(parts: tuple[PackagePart, ...], name: str) -> dict[str, Element]:
    return {part.name: parse(part.data, part.name, name) for part in parts if part.is_xml}


def _addresses(parts: tuple[PackagePart, ...]) -> Iterator[Address]:
    for part in parts:
        for tie in part.relationships:
            if tie.external:
                yield Address(part.name, tie.id, tie.target)


def _number(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else "0"


def _argument(text: str) -> str:
    """Write text inside the quotes of a field's argument."""
    return text.replace("\\", "/").replace('"', "'")


def _address(text: str) -> str:
    return quote(text, safe="*")
