"""The strings in a .docx: the names of its parts, and all text, names and attributes in each part."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from ..docx.sweeping import is_namespace, is_of_the_standard, is_packaging, is_term
from . import Kind, Passage

_PACKAGE = "{http://schemas.openxmlformats.org/package/2006/"
_PRINTABLE_BYTES = re.compile(rb"[\x20-\x7e]{6,}")


def parts(data: bytes) -> Iterator[Passage]:
    """Yield the strings in an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield Passage(archive.comment.decode("latin-1"), "comment of the archive")
        for number, entry in enumerate(archive.infolist(), 1):
            place = f"part {number}"
            if not is_packaging(entry.filename):
                yield Passage(entry.filename, f"name of {place}", Kind.CODE)
            yield Passage(entry.comment.decode("latin-1"), f"comment of {place}")
            yield Passage(entry.extra.decode("latin-1"), f"extra field of {place}", Kind.CODE)
            content = archive.read(entry)
            try:
                root = ElementTree.fromstring(content)
            except ElementTree.ParseError:
                for match in _PRINTABLE_BYTES.finditer(content):
                    yield Passage(match[0].decode("ascii"), place, Kind.CODE)
            else:
                yield from _xml_strings(root, place)


def _xml_strings(root: ElementTree.Element, place: str) -> Iterator[Passage]:
    texts: list[list[str]] = [[]]
    # Each element with the paragraph that contains it; a text box has its own paragraphs.
    pending = [(root, 0)]
    number = 0
    while pending:
        element, paragraph = pending.pop()
        number += 1
        tag = str(element.tag)
        name = tag.rpartition("}")[2]
        for unknown in _unknown_names(tag):
            yield Passage(unknown, f"name of element {number} of {place}", Kind.CODE)
        for key, value in element.attrib.items():
            label = f"attribute of element {number} of {place}"
            packaging = tag.startswith(_PACKAGE) and is_packaging(value)
            if not packaging and not is_of_the_standard(tag, key, value):
                yield Passage(value, label, Kind.CODE)
            for unknown in _unknown_names(key):
                yield Passage(unknown, f"name of an {label}", Kind.CODE)
        inside = paragraph
        if name == "p":
            texts.append([])
            inside = len(texts) - 1
        elif name in ("tab", "br", "cr"):
            texts[inside].append("\n")
        texts[inside].append(element.text or "")
        pending += ((child, inside) for child in reversed(element))
        if element.tail and element.tail.strip():
            texts.append([element.tail])
    for index, pieces in enumerate(texts):
        if any(pieces):
            yield Passage("".join(pieces), f"paragraph {index} of {place}", Kind.TEXT)


def _unknown_names(name: str) -> Iterator[str]:
    """Yield an element's or attribute's name and namespace, unless they belong to the standard."""
    namespace, _, local = name.rpartition("}")
    standard = not namespace or is_namespace(namespace[1:])
    if not standard:
        yield namespace[1:]
    if not standard or not is_term(local):
        yield local
