"""The strings in a workbook's parts: texts, attributes and part names, read as plain XML."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from ...shipped import shipped_table
from ..docx.sweeping import is_of_the_standard
from ..typefaces import is_shipped
from . import Passage

_XML = (".xml", ".rels", ".vml")
_SHEET = re.compile(r"xl/worksheets/sheet(\d+)\.xml")
_SHARED = "xl/sharedStrings.xml"
_TABLE = shipped_table("workbooks")
_FORMULAS = frozenset(_TABLE["formulas"].split())
_TYPEFACES = frozenset(_TABLE["typefaces"])
"""Elements and their attributes that name a typeface."""
_CONSTANTS = {place: re.compile(pattern) for place, pattern in _TABLE["constants"].items()}
"""Values that programs write into an element or attribute, regardless of its content."""
_CLOSED = frozenset(_TABLE["closed"].split())
"""Attributes with values from closed lists, which openpyxl checks when it reads them."""
_PAGE_FONT = re.compile(r'&"([^"]*)"')
"""Matches a typeface in the header or footer of a page."""
FORMULA = "formula"
"""How the positions of formulas begin."""


def sheet_strings(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield position and string of each text, attribute and name in an XML archive.

    A position is a sheet's cell, by number and address, or a part of the archive. That of a formula
    starts with ``FORMULA``.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield "comment of the archive", archive.comment.decode("utf-8", "replace")
        shared: dict[str, str] = {}
        items = enumerate(archive.infolist(), 1)
        # Cells say which shared strings they have, so these come last.
        for number, item in sorted(items, key=lambda pair: pair[1].filename == _SHARED):
            yield f"name of part {number}", item.filename
            content = archive.read(item)
            if not item.filename.endswith(_XML):
                yield f"part {number}", content.decode("latin-1")
                continue
            sheet = _SHEET.fullmatch(item.filename)
            part = f"sheet {sheet[1]}" if sheet else f"part {number}"
            yield from _strings(content, part, shared, is_shared=item.filename == _SHARED)


def _strings(
    content: bytes, part: str, shared: dict[str, str], *, is_shared: bool
) -> Iterator[tuple[str, str]]:
    """Yield position and string of each text and attribute in a part.

    Args:
        content: the part's XML.
        part: the part's name.
        shared: receives the position of the first cell that has each shared string, by number.
        is_shared: whether the part contains these strings.
    """
    inside = f"in {part}"
    place, entry = inside, 0
    for event, node in ElementTree.iterparse(io.BytesIO(content), ("start", "end")):
        tag = str(node.tag).rpartition("}")[2]
        if tag == "c" and part.startswith("sheet"):
            place = f"of cell {node.get('r', '')} {inside}"
        elif is_shared:
            place = shared.get(str(entry), inside)
        if event == "start":
            continue
        if tag == "c" and node.get("t") == "s":
            index = "".join(child.text or "" for child in node if str(child.tag).endswith("v"))
            shared.setdefault(index.strip(), place)
        for name, value in node.attrib.items():
            if (
                is_of_the_standard(str(node.tag), name, value)
                or (f"{tag} {name}" in _TYPEFACES and is_shipped(value))
                or (name in _CLOSED and value.isalpha())
                or _is_constant(f"{tag} {name}", value)
            ):
                continue
            yield f"attribute {name.rpartition('}')[2]!r} {place}", value
        if node.text and node.text.strip() and not _is_constant(tag, node.text):
            kind = FORMULA if tag in _FORMULAS else f"element {tag!r}"
            is_page = tag.endswith(("Header", "Footer"))
            yield f"{kind} {place}", _PAGE_FONT.sub(_made_up, node.text) if is_page else node.text
        if tag == "c":
            place = inside
        entry += tag == "si"
        if node.tail and node.tail.strip():
            yield f"element {tag!r} {place}", node.tail


def _is_constant(place: str, value: str) -> bool:
    return place in _CONSTANTS and _CONSTANTS[place].fullmatch(value) is not None


def _made_up(font: re.Match[str]) -> str:
    """Return a page's typeface unless programs ship it."""
    return "" if is_shipped(font[1]) else font[0]


def file_strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a whole workbook."""
    return (Passage(text, place) for place, text in sheet_strings(data))
