"""Strings of a .docx: names of its parts, and of each part all text, names and attributes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from .passage import Kind, Passage

_PRINTABLE = re.compile(rb"[\x20-\x7e]{6,}")
_KNOWN = "http://schemas.openxmlformats.org/", "http://schemas.microsoft.com/", "http://www.w3.org/"


def parts(data: bytes) -> Iterator[Passage]:
    """Yield the strings of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield Passage(archive.comment.decode("latin-1"), "comment of the archive")
        for number, entry in enumerate(archive.infolist(), 1):
            place = f"part {number}"
            yield Passage(entry.filename, f"name of {place}", Kind.CODE)
            yield Passage(entry.comment.decode("latin-1"), f"comment of {place}")
            yield Passage(entry.extra.decode("latin-1"), f"extra field of {place}", Kind.CODE)
            content = archive.read(entry)
            try:
                root = ElementTree.fromstring(content)
            except ElementTree.ParseError:
                for match in _PRINTABLE.finditer(content):
                    yield Passage(match[0].decode("ascii"), place, Kind.CODE)
            else:
                yield from _strings(root, place)


def _strings(root: ElementTree.Element, place: str) -> Iterator[Passage]:
    texts: list[list[str]] = [[]]
    # Each element with the paragraph that it stands in; a text box has paragraphs of its own.
    pending = [(root, 0)]
    number = 0
    while pending:
        element, paragraph = pending.pop()
        number += 1
        namespace, _, name = str(element.tag).rpartition("}")
        if not namespace.lstrip("{").startswith(_KNOWN):
            yield Passage(name, f"name of element {number} of {place}", Kind.CODE)
        for key, value in element.attrib.items():
            shown = f"attribute of element {number} of {place}"
            yield Passage(value, shown, Kind.CODE)
            if not key.startswith("{"):
                yield Passage(key, f"name of an {shown}", Kind.CODE)
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
