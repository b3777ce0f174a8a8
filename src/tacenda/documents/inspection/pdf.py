"""The strings in a PDF: names and strings of every object, and the text of its pages."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pypdf
import pypdfium2
from pdfminer.glyphlist import glyphname2unicode
from pypdf.generic import ByteStringObject, DictionaryObject, IndirectObject, NameObject
from pypdfium2.raw import FPDFText_GetCharAngle

from ...shipped import shipped_table
from ..typefaces import is_shipped
from . import Kind, Passage

_TABLE = shipped_table("pdf")
_WORDS = frozenset(_TABLE["names"].split())
"""Names of the format and of its standard fonts: whoever is masked, they were not taken from the
document."""

_COLLECTIONS = frozenset(_TABLE["collections"].split())

JOINT = "-\n"
_HYPHEN = "\ufffe"
"""Character by which pdfium gives a hyphen at the end of a line."""
_WORD = re.compile(rf"([^\W\d_]+)({_HYPHEN}|[-\u00ad\u2010](?!\S))?")
_SAME_LINE, _NEXT_LINES = 0.3, 4.0  # heights of letters


def strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings in one of our PDFs, without those of an empty page."""
    blanks = _of_an_empty_page()
    for passage in objects(data):
        if passage.kind is Kind.TEXT or passage.text not in blanks:
            yield passage


@lru_cache(maxsize=1)
def _of_an_empty_page() -> frozenset[str]:
    """Return the strings in an empty PDF of ours (``/Page``, its title), which are there whoever is masked."""
    from ..pdf.setting import render

    return frozenset(item.text for item in objects(render("", "")) if item.kind is not Kind.TEXT)


def objects(data: bytes) -> Iterator[Passage]:
    """Yield the strings in a document."""
    yield from _texts(data)
    reader = pypdf.PdfReader(io.BytesIO(data))
    yield from _pdf_strings(reader.trailer, "the trailer")
    for number in range(1, len(reader.xref_objStm) + sum(map(len, reader.xref.values())) + 1):
        item = reader.get_object(number)
        if item is not None:
            yield from _pdf_strings(item, f"object {number}")


def _texts(data: bytes) -> Iterator[Passage]:
    with closing(pypdfium2.PdfDocument(data)) as document:
        for number in range(len(document)):
            page = document[number].get_textpage()
            place = f"text of page {number + 1}"
            text = page.get_text_range().replace("\r\n", "\n").replace(_HYPHEN, JOINT)
            yield Passage(text, place, Kind.TEXT)
            rests = [word.text for word in divided_words(page) if not word.is_next]
            if rests:
                yield Passage("\n\n".join(dict.fromkeys(rests)), place, Kind.TEXT)


@dataclass(frozen=True, slots=True)
class DividedWord:
    """A word that may be divided at a line end.

    Attributes:
        text: both parts with the hyphen and the line end.
        indices: indexes of its letters among the page's characters.
        is_next: whether the second part is the next word on the page.
    """

    text: str
    indices: tuple[int, ...]
    is_next: bool


def divided_words(page: Any) -> Iterator[DividedWord]:
    """Yield each word that ends in a hyphen together with each word in the next two lines.

    The order in which a page is read may not be that of its columns.

    Args:
        page: a pypdfium2 text page.
    """
    text = "".join(page.get_text_range(index, 1)[:1] or " " for index in range(page.count_chars()))
    words = list(_WORD.finditer(text))
    heads = [number for number, word in enumerate(words) if word[2]]
    corners = [page.get_charbox(word.start())[:2] for word in words] if heads else []
    for number in heads:
        head = words[number]
        height = max(_height(page, index) for index in range(*head.span(1)))
        angle = FPDFText_GetCharAngle(page, head.start())
        lines = [bottom * math.cos(angle) - left * math.sin(angle) for left, bottom in corners]
        for place, (tail, line) in enumerate(zip(words, lines, strict=True)):
            is_next = place == number + 1
            if is_next or _SAME_LINE * height < lines[number] - line <= _NEXT_LINES * height:
                indices = (*range(*head.span(1)), *range(*tail.span(1)))
                yield DividedWord(head[1] + JOINT + tail[1], indices, is_next)


def _height(page: Any, index: int) -> float:
    left, bottom, right, top = page.get_charbox(index)
    return float(max(top - bottom, right - left))


def _pdf_strings(item: Any, place: str) -> Iterator[Passage]:
    pending = [("", item)]
    while pending:
        entry, value = pending.pop()
        if isinstance(value, IndirectObject):
            continue
        if isinstance(value, DictionaryObject):
            for key, inner in value.items():
                if not _is_machinery(entry, str(key)):
                    yield from _name(str(key), f"a key of {place}")
                pending.append((str(key), inner))
        elif isinstance(value, list):
            pending += ((entry, inner) for inner in value)
        elif isinstance(value, NameObject):
            if not _is_machinery(entry, str(value)):
                yield from _name(str(value), f"a name of {place}")
        elif isinstance(value, (str, ByteStringObject)):
            string = value.decode("latin-1") if isinstance(value, bytes) else str(value)
            if not _is_machinery(entry, string):
                yield Passage(string, f"a string of {place}")


def _is_machinery(entry: str, value: str) -> bool:
    """Return whether an entry's value is a term of the format: a glyph, a typeface, a character collection."""
    name = value.removeprefix("/")
    match entry:
        case "/Differences" | "/CharProcs":
            return name in glyphname2unicode
        case "/BaseFont" | "/FontName":
            return is_shipped(name)
        case "/Registry" | "/Ordering":
            return name in _COLLECTIONS
    return False


def _name(value: str, place: str) -> Iterator[Passage]:
    name = value.removeprefix("/")
    if name not in _WORDS:
        yield Passage(name, place, Kind.CODE)
