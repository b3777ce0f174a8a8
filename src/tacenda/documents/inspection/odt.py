"""The strings in an .odt or .ods: the names of its parts, and all text, names and attributes in each part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from . import Kind, Passage
from .archives import archive_strings

_PACKAGING = re.compile(
    r"mimetype|(?:content|styles|meta|META-INF/manifest)\.xml"
    r"|Pictures/(?:picture\d+|blank)\.(?:png|jpeg)|application/vnd\.oasis\.opendocument\.(?:text|spreadsheet)"
    r"|text/xml|image/(?:png|jpeg)|/"
)
_PARAGRAPHS = ("p", "h")
_BLANKS = ("tab", "line-break", "s")


def parts(data: bytes) -> Iterator[Passage]:
    """Yield the strings in an archive."""
    return archive_strings(data, lambda value: _PACKAGING.fullmatch(value) is not None, _texts)


def _texts(root: ElementTree.Element, place: str) -> Iterator[Passage]:
    """Yield paragraphs as read across all their elements, and the other strings."""
    pending = [(root, False)]
    number = 0
    while pending:
        element, is_inside = pending.pop()
        name = str(element.tag).rpartition("}")[2]
        inside = is_inside or name in _PARAGRAPHS
        if inside and not is_inside:
            number += 1
            text = "".join(_reading(element))
            yield Passage(text, f"paragraph {number} of {place}", Kind.TEXT)
        elif not inside:
            for string in (element.text, *(child.tail for child in element)):
                if string and string.strip() and name != "binary-data":
                    yield Passage(string, f"a string of {place}", Kind.TEXT)
        elif name in _PARAGRAPHS or name in ("note", "annotation", "frame"):
            # Text elsewhere on the page is also read separately.
            yield Passage("".join(_reading(element)), f"a note of {place}", Kind.TEXT)
        pending += ((child, inside) for child in reversed(element))


def _reading(element: ElementTree.Element) -> Iterator[str]:
    name = str(element.tag).rpartition("}")[2]
    yield " " if name in _BLANKS else element.text or ""
    for child in element:
        apart = str(child.tag).rpartition("}")[2] in ("note", "annotation", "frame")
        if not apart:
            yield from _reading(child)
        yield child.tail or ""
