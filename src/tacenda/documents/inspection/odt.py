"""The strings in an .odt or .ods: the names of its parts, and all text, names and attributes in each part."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from ..docx.sweeping import is_namespace, is_of_the_standard, is_term
from . import Kind, Passage

_PACKAGING = re.compile(
    r"mimetype|(?:content|styles|meta|META-INF/manifest)\.xml"
    r"|Pictures/(?:picture\d+|blank)\.(?:png|jpeg)|application/vnd\.oasis\.opendocument\.(?:text|spreadsheet)"
    r"|text/xml|image/(?:png|jpeg)|/"
)
_PRINTABLE = re.compile(rb"[\x20-\x7e]{6,}")
_PARAGRAPHS = ("p", "h")
_BLANKS = ("tab", "line-break", "s")


def parts(data: bytes) -> Iterator[Passage]:
    """Yield the strings in an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield Passage(archive.comment.decode("latin-1"), "comment of the archive")
        for number, entry in enumerate(archive.infolist(), 1):
            place = f"part {number}"
            if not _PACKAGING.fullmatch(entry.filename):
                yield Passage(entry.filename, f"name of {place}", Kind.CODE)
            for text in (entry.comment, entry.extra):
                yield Passage(text.decode("latin-1"), f"record of {place}", Kind.CODE)
            content = archive.read(entry)
            try:
                root = ElementTree.fromstring(content)
            except ElementTree.ParseError:
                if entry.filename != "mimetype":
                    for match in _PRINTABLE.finditer(content):
                        yield Passage(match[0].decode("ascii"), place, Kind.CODE)
            else:
                yield from _names(root, place)
                yield from _texts(root, place)


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


def _names(root: ElementTree.Element, place: str) -> Iterator[Passage]:
    for number, element in enumerate(root.iter(), 1):
        tag = str(element.tag)
        yield from _unknown(tag, f"name of element {number} of {place}")
        for key, value in element.attrib.items():
            label = f"attribute of element {number} of {place}"
            if not _PACKAGING.fullmatch(value) and not is_of_the_standard(tag, key, value):
                yield Passage(value, label, Kind.CODE)
            yield from _unknown(key, f"name of an {label}")


def _unknown(name: str, place: str) -> Iterator[Passage]:
    namespace, _, local = name.rpartition("}")
    standard = not namespace or is_namespace(namespace[1:])
    if not standard:
        yield Passage(namespace[1:], place, Kind.CODE)
    if not standard or not is_term(local):
        yield Passage(local, place, Kind.CODE)
