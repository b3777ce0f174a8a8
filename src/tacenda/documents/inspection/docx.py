"""The strings in a .docx or .pptx: the names of its parts, and all text, names and attributes in each part."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from ..docx.sweeping import is_packaging
from . import Kind, Passage
from .archives import archive_strings

_PACKAGE = "{http://schemas.openxmlformats.org/package/2006/"


def parts(data: bytes) -> Iterator[Passage]:
    """Yield the strings in an archive."""
    return archive_strings(data, is_packaging, _texts, _PACKAGE)


def _texts(root: ElementTree.Element, place: str) -> Iterator[Passage]:
    texts: list[list[str]] = [[]]
    # Each element with the paragraph that contains it; a text box has its own paragraphs.
    pending = [(root, 0)]
    while pending:
        element, inside = pending.pop()
        name = str(element.tag).rpartition("}")[2]
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
