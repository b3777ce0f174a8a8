"""The strings in HTML and Markdown, found with the HTML standard's tokenizer, in linear time.

For a page, these are its text, block by block, and everything else: names of elements and
attributes that HTML doesn't define, all values, comments, declarations, instructions, scripts,
styles, pages inside attributes (``srcdoc``) and addresses (``data:``).
"""

from __future__ import annotations

import base64
import binascii
import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any, BinaryIO
from urllib.parse import unquote_to_bytes

from ..framed import CUT
from ..html import BLOCK, CLOSED_ATTRIBUTES, is_attribute, is_element
from . import Kind, Passage

# The strings in JSON and CSV: keys and values at every depth, headers and all cells.


_DELIMITERS = ",;\t|"


class _Object(list[tuple[str, Any]]):
    """The members of an object, including those with the same name."""


def json_values(text: str, place: str = "", depth: int = 3) -> Iterator[Passage]:
    """Yield the keys and values in JSON, and in JSON inside its strings; the whole text if it isn't JSON."""
    suffix = f" of {place}" if place else ""
    try:
        value = json.loads(
            text.strip("\ufeff \t\r\n"),
            object_pairs_hook=_Object,
            parse_int=str,
            parse_float=str,
            parse_constant=str,
        )
    except (ValueError, RecursionError):
        yield Passage(text, place or "text that is not JSON")
        return
    keys, values = count(1), count(1)
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, _Object):
            for key, _ in item:
                yield Passage(key, f"key {next(keys)}{suffix}")
            pending += (inner for _, inner in reversed(item))
        elif isinstance(item, list):
            pending += reversed(item)
        elif isinstance(item, str):
            label = f"value {next(values)}{suffix}"
            yield Passage(item, label)
            if depth and item[:1] in ("{", "["):
                yield from json_values(item, label, depth - 1)
            elif item.startswith("<div"):
                yield from page(item)


def framed_values(text: str) -> Iterator[Passage]:
    """Yield the keys and values in a JSON file, or part of one."""
    return json_values(text.replace(CUT, ""))


def listed_values(text: str) -> Iterator[Passage]:
    """Yield the keys and values in a list item."""
    return json_values(text.lstrip("[,\n"))


def plain_text(text: str) -> Iterator[Passage]:
    """Yield a text."""
    yield Passage(text, "text", Kind.TEXT)


def rows(text: str) -> Iterator[Passage]:
    """Yield the cells in delimited text."""
    source = text.lstrip("\ufeff")
    head = source.strip("\r\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    csv.field_size_limit(max(csv.field_size_limit(), len(source) + 1))
    for number, row in enumerate(
        csv.reader(io.StringIO(source, newline=""), delimiter=delimiter), 1
    ):
        for column, cell in enumerate(row, 1):
            yield Passage(cell, f"column {column}, row {number}", Kind.VALUE)


def text_of_result(text: str) -> Iterator[Passage]:
    """Yield the sanitized text of a result, without its other strings."""
    yield Passage(json.loads(text)["text"], "field 'text'", Kind.TEXT)


_DEPTH = 4
_DATA = re.compile(r"\s*data:([^,]{0,200}?)(;\s*base64)?\s*,", re.IGNORECASE)
_SCRIPT = re.compile(r"\s*(?:javascript|vbscript)\s*:", re.IGNORECASE)
_PRINTABLE = re.compile(r"[\x20-\x7e\u00a0-\U0010ffff]{6,}")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_NAME = re.compile(r"</?([A-Za-z][^\s/>]*+)")
_ATTRIBUTE = re.compile(
    r"[\s/]*+(=?+[^\s/>=]*+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]*+)))?"
)
_COMMENT_END = re.compile(r"--!?>")
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")}
_SECTION = re.compile(r'<div class="text"[^>]*>(.*?)</div>', re.DOTALL)
_TOKEN = re.compile(r"[^\s<>()]+")
_JOINT = re.compile(r"[/@:_=%.\\&-]")


def page(source: str, place: str = "", depth: int = 0) -> Iterator[Passage]:
    """Yield the strings in an HTML page; ``place`` is its position if it is inside another one."""
    reader = _PageReader(f" of {place}" if place else "", depth)
    reader.read(source)
    yield from reader.passages


def markdown(source: str) -> Iterator[Passage]:
    """Yield the strings in Markdown: all of it as text, and also addresses and tags."""
    yield Passage(source, "text", Kind.TEXT)
    for number, match in enumerate(_TOKEN.finditer(source), 1):
        if _JOINT.search(match[0]):
            yield Passage(match[0], f"word {number}")
    if _TAG.search(source):
        for passage in page(source):
            if passage.kind is not Kind.TEXT:
                yield passage


def text_of_report(source: str) -> Iterator[Passage]:
    """Yield the sanitized text in a report's section."""
    for section in _SECTION.finditer(source):
        for passage in page(section[1]):
            if passage.kind is Kind.TEXT:
                yield passage


class _PageReader:
    """Collects the strings in a page."""

    def __init__(self, suffix: str, depth: int) -> None:
        self.suffix = suffix
        self.passages: list[Passage] = []
        self._depth = depth
        self._number = 0
        self._others = 0
        self._text: list[str] = []

    def read(self, source: str) -> None:
        """Read a whole page in one pass."""
        position = 0
        while position < len(source):
            opening = source.find("<", position)
            opening = len(source) if opening < 0 else opening
            self._text.append(html.unescape(source[position:opening]))
            position = self._markup(source, opening)
        self._end_block()

    def _markup(self, source: str, start: int) -> int:
        """Read the markup from ``<``; return its end."""
        if source.startswith("<!--", start):
            end = _COMMENT_END.search(source, start + 4)
            self._other(source[start + 4 : end.start() if end else None], "comment")
            return end.end() if end else len(source)
        name = _NAME.match(source, start)
        if name:
            return self._tag(source, name)
        if source.startswith(("<!", "<?", "</"), start):
            stop = source.find(">", start)
            stop = len(source) if stop < 0 else stop
            self._other(source[start + 2 : stop], "declaration")
            return stop + 1
        self._text.append(source[start : start + 1])
        return start + 1

    def _tag(self, source: str, name: re.Match[str]) -> int:
        tag = name[1].lower()
        closing = source[name.start() + 1] == "/"
        attributes: list[tuple[str, str]] = []
        position = name.end()
        while position < len(source) and source[position] != ">":
            match = _ATTRIBUTE.match(source, position)
            if match is None or match.end() == position:
                position += 1
                continue
            position = match.end()
            if match[1]:
                value = next((part for part in match.groups()[1:] if part is not None), "")
                attributes.append((match[1].lower(), html.unescape(value)))
        self._element(tag, attributes)
        if tag in _RAW_END and not closing:
            end = _RAW_END[tag].search(source, position)
            stop = end.start() if end else len(source)
            self._raw(tag, attributes, source[position + 1 : stop])
            return stop
        return position + 1

    def _element(self, tag: str, attributes: list[tuple[str, str]]) -> None:
        self._number += 1
        element = f"element {self._number}{self.suffix}"
        if tag in BLOCK:
            self._end_block()
        if not is_element(tag):
            self._add(tag, f"name of {element}", Kind.CODE)
        for index, (name, value) in enumerate(attributes, 1):
            label = f"attribute {name!r}" if is_attribute(name) else f"attribute {index}"
            place = f"{label} of {element}"
            if not is_attribute(name):
                self._add(name, f"name of {place}", Kind.CODE)
            self._value(name, value, place)

    def _raw(self, tag: str, attributes: list[tuple[str, str]], content: str) -> None:
        place = f"{tag}, element {self._number}{self.suffix}"
        if any(name == "type" and "json" in value.lower() for name, value in attributes):
            self.passages += json_values(content, place)
        else:
            self._add(content, place, Kind.CODE)

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


# The strings in data sets, which separate modules find in their bytes.


def data_set_strings(
    data: bytes,
    of_file: Callable[[BinaryIO], Iterator[tuple[str, str]]],
    of_rows: Callable[[BinaryIO], Iterator[Iterable[str | bytes]]],
) -> Iterator[Passage]:
    """Yield the names, metadata and cells in a data set."""
    file = read_only(data)
    for place, text in of_file(file):
        yield Passage(text, place)
    for number, group in enumerate(of_rows(file), 1):
        yield from (Passage(as_text(value), f"cell of group {number}") for value in group)


def read_only(data: bytes) -> BinaryIO:
    """Return an in-memory file that isn't writable, since pyarrow would otherwise assume that it is to be written."""
    return io.BufferedReader(io.BytesIO(data))


def as_text(value: str | bytes) -> str:
    """Return a string, decoding bytes."""
    return value if isinstance(value, str) else value.decode("utf-8", "replace")
