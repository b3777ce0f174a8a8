"""Markdown: emphasis and escapes aren't part of the text; everything else is.

``*``, ``_``, ``~~``, backticks, backslash escapes, character references and bare HTML tags are
removed, so that ``**Galip** Yalman`` is one name; headings, lists, links and tables stay in the
text as written. Masked names are also struck out of addresses and compound words
(``galip-yalman.jpg``), which don't occur in sentences. A mention's replacement is escaped according
to CommonMark, since ``***`` would be a rule or emphasis; tags aren't escaped where their brackets
can't be mistaken for a link.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from ..document import Document
from ..text.decoding import BYTE_ORDER_MARK
from .html import REFERENCE, read_source
from .html import regions as html_regions
from .names import STRUCK, NameScrubber
from .record import Extraction, Origin, Region, SourceDocument

_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_TICKS = re.compile(r"`+")
_MARK = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<marks>\*+|_+|~~)"
    rf"|(?P<reference>{REFERENCE})"
    r"|(?P<tag></?[A-Za-z][A-Za-z0-9]{0,15}[ ]?/?>)"
)
_TOKEN = re.compile(r"[^\s<>()]+")
_JOINTS = frozenset("/@:_=%.\\-&")
_LINKING = re.compile(r"\S[(\[:]")
_BRACKETED = re.compile(r"\[[^\\`*_\[\]<>~&|\n]+\]")
_SPECIAL = re.compile(r"[\\`*_\[\]<>~&|]")


def escape(text: str) -> str:
    """Return text escaped so that Markdown shows it literally."""
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def escape_unless_tag(text: str) -> str:
    """Return text escaped in the same way, but leave a tag such as ``[PERSON 1]`` as it is.

    For lines in which no ``(``, ``[`` or ``:`` follows a word, so that brackets don't form a link.
    """
    return text if _BRACKETED.fullmatch(text) else escape(text)


def _code(text: str) -> str:
    """Write text inside code, where nothing is an escape and a backtick would end it."""
    return text.replace("`", "'")


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of a Markdown file.

    Raises:
        InputError: if it can't be decoded.
    """
    source, notes = read_source(stream, origin)
    extraction = extract(source)
    document = Document(origin.name, extraction.text)
    slots, marks = tuple(extraction.slots), tuple(extraction.marks)
    regions = tuple(_regions(source))
    yield SourceDocument(document, origin, source, slots, regions=regions, marks=marks, notes=notes)


def _regions(source: str) -> Iterator[Region]:
    """Yield HTML markup, and between it addresses and compound words."""
    position = 0
    for region in (*html_regions(source), Region(len(source), len(source), _strike)):
        for token in _TOKEN.finditer(source, position, region.start):
            if not _JOINTS.isdisjoint(token[0]):
                yield Region(*token.span(), _strike)
        if region.start < region.end:
            yield region
        position = region.end


def _strike(token: str, forms: NameScrubber) -> str:
    return forms.redact(token, filler=escape(STRUCK))


def extract(source: str) -> Extraction:
    """Read Markdown source as text with slots, line by line."""
    extraction = Extraction(source)
    position = int(source.startswith(BYTE_ORDER_MARK))
    fence = ""
    while position < len(source):
        end = source.find("\n", position) + 1 or len(source)
        match = _FENCE.match(source, position, end)
        if fence:
            extraction.verbatim(position, end, _code)
            if match and match[1].startswith(fence):
                fence = ""
        elif match:
            extraction.verbatim(position, end, _code)
            fence = match[1]
        else:
            _line(extraction, position, end)
        position = end
    return extraction


def _line(extraction: Extraction, start: int, end: int) -> None:
    """Read one line outside fenced code: code spans between backticks, marked-up text elsewhere."""
    may_link = _LINKING.search(extraction.source, start, end)
    encode = escape if may_link else escape_unless_tag
    runs = list(_TICKS.finditer(extraction.source, start, end))
    closing: dict[int, int] = {}
    nearest: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        width = runs[index].end() - runs[index].start()
        if width in nearest:
            closing[index] = nearest[width]
        nearest[width] = index
    index = 0
    while index < len(runs):
        close = closing.get(index)
        if close is None:
            index += 1
            continue
        _marked(extraction, start, runs[index].start(), encode)
        extraction.verbatim(runs[index].end(), runs[close].start(), _code)
        start = runs[close].end()
        index = close + 1
    _marked(extraction, start, end, encode)


def _marked(extraction: Extraction, start: int, end: int, encode: Callable[[str], str]) -> None:
    source = extraction.source
    for match in _MARK.finditer(source, start, end):
        before = source[max(match.start() - 1, 0) : match.start()]
        after = source[match.end() : match.end() + 1]
        decoded = None
        if match["escape"]:
            decoded = match["escape"][1]
        elif match["reference"]:
            decoded = html.unescape(match["reference"])
            if decoded == match["reference"]:
                continue
        elif match["marks"]:
            inside_word = before.isalnum() and after.isalnum()
            is_isolated = (not before or before.isspace()) and (not after or after.isspace())
            if is_isolated or (inside_word and match["marks"][0] == "_"):
                continue
        extraction.verbatim(start, match.start(), encode)
        if match["marks"]:
            extraction.marks.append(match.span())
        if decoded is not None:
            extraction.opaque(match.start(), match.end(), decoded, escape)
        start = match.end()
    extraction.verbatim(start, end, encode)
