"""Strings of HTML and Markdown, as the parser of the standard library sees them.

Of a page these are its text, block by block, and everything else: names of elements and
attributes that HTML doesn't know, all values, comments, declarations, instructions, scripts,
styles, pages within attributes (``srcdoc``) and addresses (``data:``).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote_to_bytes

from ..tags import BLOCK, CLOSED_ATTRIBUTES, is_attribute, is_element
from .passage import Kind, Passage
from .values import json_values

_DEPTH = 4
_DATA = re.compile(r"\s*data:([^,]{0,200}?)(;\s*base64)?\s*,", re.IGNORECASE)
_SCRIPT = re.compile(r"\s*(?:javascript|vbscript)\s*:", re.IGNORECASE)
_PRINTABLE = re.compile(r"[\x20-\x7e\u00a0-\U0010ffff]{6,}")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_END_TAG = re.compile(r"</[A-Za-z][^\s<>/]*[\s/]([^<>]+)>")
_SECTION = re.compile(r'<div class="text"[^>]*>(.*?)</div>', re.DOTALL)
_TOKEN = re.compile(r"[^\s<>()]+")
_JOINT = re.compile(r"[/@:_=%.\\&-]")


def page(source: str, place: str = "", depth: int = 0) -> Iterator[Passage]:
    """Yield the strings of an HTML page; ``place`` is where it stands, if it is inside another."""
    reader = _Reader(f" of {place}" if place else "", depth)
    reader.feed(source)
    reader.close()
    yield from reader.passages
    for number, match in enumerate(_END_TAG.finditer(source), 1):
        yield Passage(match[1], f"end tag {number}{reader.suffix}")


def markdown(source: str) -> Iterator[Passage]:
    """Yield the strings of Markdown: all of it is text, and addresses and tags are more."""
    yield Passage(source, "text", Kind.TEXT)
    for number, match in enumerate(_TOKEN.finditer(source), 1):
        if _JOINT.search(match[0]):
            yield Passage(match[0], f"word {number}")
    if _TAG.search(source):
        for passage in page(source):
            if passage.kind is not Kind.TEXT:
                yield passage


def text_of_report(source: str) -> Iterator[Passage]:
    """Yield the sanitized text in the section of a report."""
    for section in _SECTION.finditer(source):
        for passage in page(section[1]):
            if passage.kind is Kind.TEXT:
                yield passage


class _Reader(HTMLParser):
    """Collects the strings of a page."""

    def __init__(self, suffix: str, depth: int) -> None:
        super().__init__(convert_charrefs=True)
        self.suffix = suffix
        self.passages: list[Passage] = []
        self._depth = depth
        self._number = 0
        self._others = 0
        self._text: list[str] = []
        self._raw = ""
        self._json = False

    def close(self) -> None:
        super().close()
        self._end_block()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._number += 1
        element = f"element {self._number}{self.suffix}"
        if tag in BLOCK:
            self._end_block()
        self._raw = tag if tag in ("script", "style") else ""
        self._json = any(
            name == "type" and "json" in (value or "").lower() for name, value in attrs
        )
        if not is_element(tag):
            self._add(tag, f"name of {element}", Kind.CODE)
        for index, (name, value) in enumerate(attrs, 1):
            shown = f"attribute {name!r}" if is_attribute(name) else f"attribute {index}"
            place = f"{shown} of {element}"
            if not is_attribute(name):
                self._add(name, f"name of {place}", Kind.CODE)
            if value:
                self._value(name, value, place)

    def handle_endtag(self, tag: str) -> None:
        self._raw = ""
        if tag in BLOCK:
            self._end_block()
        if not is_element(tag):
            self._add(tag, f"end tag after element {self._number}{self.suffix}", Kind.CODE)

    def handle_data(self, data: str) -> None:
        if self._raw:
            place = f"{self._raw}, element {self._number}{self.suffix}"
            if self._json:
                self.passages += json_values(data, place)
            else:
                self._add(data, place, Kind.CODE)
        else:
            self._text.append(data)

    def handle_comment(self, data: str) -> None:
        self._other(data, "comment")

    def handle_decl(self, decl: str) -> None:
        self._other(decl, "declaration")

    def handle_pi(self, data: str) -> None:
        self._other(data, "processing instruction")

    def unknown_decl(self, data: str) -> None:
        self._other(data, "section")

    def _other(self, text: str, kind: str) -> None:
        self._others += 1
        self._add(text, f"{kind} after element {self._number}{self.suffix}")

    def _end_block(self) -> None:
        text = "".join(self._text)
        self._text = []
        if text.strip():
            self._add(text, f"text before element {self._number + 1}{self.suffix}", Kind.TEXT)

    def _value(self, name: str, value: str, place: str) -> None:
        if name == "srcdoc" and self._depth < _DEPTH:
            self.passages += page(value, place, self._depth + 1)
        data = _DATA.match(value)
        if data:
            self._data(data, value[data.end() :], place)
        code = (
            name in CLOSED_ATTRIBUTES
            or name == "style"
            or name.startswith("on")
            or _SCRIPT.match(value)
        )
        self._add(value, place, Kind.CODE if code else Kind.VALUE)

    def _data(self, head: re.Match[str], body: str, place: str) -> None:
        content = unquote_to_bytes(body)
        if head[2]:
            try:
                content = base64.b64decode(content + b"=" * (-len(content) % 4))
            except (binascii.Error, ValueError):
                return
        kind = head[1].lower()
        text = content.decode("utf-8", "replace")
        if any(word in kind for word in ("html", "xml", "svg")) and self._depth < _DEPTH:
            self.passages += page(text, place, self._depth + 1)
        for match in _PRINTABLE.finditer(text):
            self._add(match[0], place, Kind.CODE)

    def _add(self, text: str, place: str, kind: Kind = Kind.VALUE) -> None:
        if text:
            self.passages.append(Passage(text, place, kind))
