"""A whole document as one text with slots: what stands in any of its parts is read together.

The *source* of the record are all strings of all parts one after another, then the addresses of
links. So a name is found alike in the body, a header, a comment and the title, and every edit
finds its way back to the string that it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from ..record import Extraction, Slot, plain
from .package import Part
from .places import Kind, Place, read_part
from .xml import Element, parse

_SCHEME = re.compile(r"(?:mailto|tel|sms):", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Address:
    """The target of a link: of which part, and which of its relationships."""

    part: str
    id: str
    target: str


@dataclass(frozen=True, slots=True)
class Strings:
    """All strings of a document, in the order of its source.

    Attributes:
        roots: the trees of the parts that hold text, by their name.
        places: where they stand in them.
        addresses: those outside of trees, after all places.
    """

    roots: dict[str, Element]
    places: list[Place]
    addresses: list[Address]


def extract(parts: tuple[Part, ...], name: str) -> tuple[str, str, tuple[Slot, ...]]:
    """Return text, source and slots of a document.

    Raises:
        InputError: if a part can't be parsed.
    """
    roots = _roots(parts, name)
    readings = [read_part(root) for root in roots.values()]
    offsets: dict[Place, int] = {}
    values: list[str] = []
    length = 0
    for reading in readings:
        for place in reading.places:
            offsets[place] = length
            values.append(place.read())
            length += len(values[-1])
    addresses = list(_addresses(parts))
    source = "".join((*values, *(address.target for address in addresses)))
    extraction = Extraction(source)
    for reading in readings:
        for line in reading.lines:
            for piece in line:
                if isinstance(piece, str):
                    extraction.gap(piece)
                    continue
                start = offsets[piece.place]
                begin, end = start + piece.start, start + piece.end
                if piece.place.kind is Kind.NUMBER:
                    extraction.opaque(begin, end, source[begin:end], _number)
                else:
                    encode = _argument if piece.place.kind is Kind.FIELD else plain
                    extraction.verbatim(begin, end, encode)
            extraction.part()
    for address in addresses:
        scheme = _SCHEME.match(address.target)
        begin = length + (scheme.end() if scheme else 0)
        length += len(address.target)
        extraction.verbatim(begin, length, _address)
        extraction.part()
    return extraction.text, source, tuple(extraction.slots)


def strings(parts: tuple[Part, ...], name: str) -> Strings:
    """Return the strings of a document, over trees of their own that may be changed."""
    roots = _roots(parts, name)
    places = [place for root in roots.values() for place in read_part(root).places]
    return Strings(roots, places, list(_addresses(parts)))


def _roots(parts: tuple[Part, ...], name: str) -> dict[str, Element]:
    return {part.name: parse(part.data, part.name, name) for part in parts if part.is_xml}


def _addresses(parts: tuple[Part, ...]) -> Iterator[Address]:
    for part in parts:
        for tie in part.relationships:
            if tie.external:
                yield Address(part.name, tie.id, tie.target)


def _number(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else "0"


def _argument(text: str) -> str:
    """Write text within the quotes of a field's argument."""
    return text.replace("\\", "/").replace('"', "'")


def _address(text: str) -> str:
    return quote(text, safe="*")
