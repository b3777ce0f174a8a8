"""JSON of any shape, whose leaves are treated by a field policy: one document per file, or per item of its list.

Each part keeps its spelling. A file's list is reassembled from its items and what is between them;
an item that fails is left out. ``records: items`` in a field policy also turns the items of a list
inside the file into separate documents (``framed``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from ..errors import InputError
from ..result import Result
from ..text.decoding import BYTE_ORDER_MARK, read_text
from .field_places import FieldPlaces
from .fields import Fields
from .framed import HEAD, Frame, FramedFile, FramedRecord, is_outside
from .json_leaves import BLANK, DECODER, JsonScanner
from .leaves import RecordBuilder
from .record import Failure, Origin, SourceDocument, edited_source


@dataclass(frozen=True, slots=True)
class _List:
    """The content around the items of a list.

    Attributes:
        before: what precedes, including the bracket.
        after: what follows, including the bracket.
    """

    before: str
    after: str

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return an item of the list."""
        return edited_source(record, sanitized).encode(record.origin.encoding.removesuffix("-sig"))


def read(stream: BinaryIO, origin: Origin, fields: Fields) -> Iterator[SourceDocument | Failure]:
    """Yield the document of each item, or of the whole file if it isn't a list."""
    text = read_text(stream, origin.encoding, origin.name)
    places = FieldPlaces(fields)
    places.add_json(text)
    fields = places.fields
    lead = len(text) - len(text.lstrip(BLANK + BYTE_ORDER_MARK))
    try:
        if lists := _lists(text, lead, fields):
            yield from _framed(text, lists, origin, places)
            return
        if text[lead : lead + 1] != "[":
            yield _record(text, origin, "", places, _List("", ""))
            return
        items, end = _items(text, lead)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        offset = f"code point {error.pos}: " if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{offset}is not JSON; correct the file.", origin.name) from None
    around = _List(text[: lead + 1], text[end:])
    if not items:
        yield _record(text, origin, "", places, _List("", ""))
    for number, (start, stop) in enumerate(items):
        try:
            yield _record(text[start:stop], origin, f"[{number}]", places, around)
        except InputError as error:
            yield Failure(error)


def write(source: SourceDocument, result: Result) -> bytes:
    """Return a document's sanitized part of the file."""
    if isinstance(source.container, Frame | FramedRecord):
        return source.container.write(source, result)
    return _List("", "").write(source, result)


class ObjectsFile:
    """Assembles a JSON file from its items."""

    def __init__(self) -> None:
        self._list: _List | None = None
        self._origin: Origin | None = None
        self._framed: FramedFile | None = None

    def add(self, part: bytes, source: SourceDocument) -> bytes:
        """Add an item; return it with what precedes it.

        Raises:
            InputError: if it belongs to another file, since two files can't be merged.
        """
        origin, around = source.origin, source.container
        if (
            self._framed is None
            and self._origin is None
            and isinstance(around, Frame | FramedRecord)
        ):
            self._framed = FramedFile()
        if self._framed is not None:
            return self._framed.add(part, source)
        assert isinstance(around, _List)
        if self._origin is not None and self._origin != origin:
            raise InputError(
                "two documents of JSON can't be in one file; -o must be a folder.", origin.name
            )
        before = around.before if self._list is None else ","
        self._list, self._origin = around, origin
        return before.encode(origin.encoding.removesuffix("-sig")) * bool(around.before) + part

    def close(self) -> list[bytes]:
        """Return the end of the list."""
        if self._framed is not None:
            return self._framed.close()
        if self._list is None or self._origin is None:
            return []
        return [self._list.after.encode(self._origin.encoding.removesuffix("-sig"))]


def _lists(text: str, lead: int, fields: Fields) -> list[tuple[int, tuple[str, ...]]]:
    """Return where the lists of records start, and their paths, except dropped ones.

    Raises:
        ValueError, RecursionError: if it isn't JSON.
    """
    lists: list[tuple[int, tuple[str, ...]]] = []
    if not fields.policy.records:
        return lists
    _, end = DECODER.raw_decode(text, lead)
    if text[end:].strip(BLANK):
        raise json.JSONDecodeError("more after the value", text, end)
    depth = fields.policy.records.count(".") + 1
    pending: list[tuple[int, tuple[str, ...]]] = [(lead, ())]
    while pending:
        start, path = pending.pop()
        if text[start] == "[" and fields.is_of_records(path):
            if is_outside(fields, path):
                lists.append((start, path))
        elif text[start] == "[":
            pending += (
                (_behind_blanks(text, begin), path)
                for begin, _ in _items(text, start, is_whole=False)[0]
            )
        elif text[start] == "{" and len(path) < depth:
            pending += ((begin, (*path, key)) for key, begin in _members(text, start))
    return sorted(lists)


def _members(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the keys of an object, and where their values start."""
    position = _behind_blanks(text, start + 1)
    while text[position] == '"':
        key, position = DECODER.raw_decode(text, position)
        begin = _behind_blanks(text, _behind_blanks(text, position) + 1)
        yield key, begin
        _, position = DECODER.raw_decode(text, begin)
        position = _behind_blanks(text, position)
        if text[position] == ",":
            position = _behind_blanks(text, position + 1)


def _framed(
    text: str, lists: list[tuple[int, tuple[str, ...]]], origin: Origin, places: FieldPlaces
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents of a file with lists of records."""
    frame, position = "", 0
    cuts: list[int] = []
    items: list[tuple[int, int, int, tuple[str, ...]]] = []
    for start, path in lists:
        spans, _ = _items(text, start, is_whole=False)
        frame += text[position : start + 1]
        position = spans[-1][1] if spans else start + 1
        items += ((*span, len(cuts), path) for span in spans)
        cuts.append(len(frame))
    head = _record(frame + text[position:], origin, HEAD, places, None)
    yield replace(head, container=Frame(tuple(cuts)))
    for number, (start, stop, cut, path) in enumerate(items):
        try:
            record = _record(text[start:stop], origin, f"[{number}]", places, None, path)
        except InputError as error:
            yield Failure(error)
        else:
            yield replace(record, container=FramedRecord(cut, ","))


def _items(text: str, lead: int, *, is_whole: bool = True) -> tuple[list[tuple[int, int]], int]:
    """Return ``[start, end)`` of the items with surrounding white space, and where the list ends.

    Args:
        text: the text of the file.
        lead: where the list starts.
        is_whole: whether nothing may follow it.

    Raises:
        ValueError, RecursionError: if it isn't JSON.
    """
    _, end = DECODER.raw_decode(text, lead)
    if is_whole and text[end:].strip(BLANK):
        raise json.JSONDecodeError("more after the value", text, end)
    items: list[tuple[int, int]] = []
    start = lead + 1
    while (position := _behind_blanks(text, start)) < end - 1:
        _, position = DECODER.raw_decode(text, position)
        stop = _behind_blanks(text, position)
        items.append((start, stop if text[stop] == "," else position))
        start = stop + 1
    return items, items[-1][1] if items else end - 1


def _behind_blanks(text: str, position: int) -> int:
    while text[position : position + 1] in BLANK and position < len(text):
        position += 1
    return position


def _record(
    source: str,
    origin: Origin,
    place: str,
    places: FieldPlaces,
    around: _List | None,
    path: tuple[str, ...] = (),
) -> SourceDocument:
    name = origin.name + place
    fields = places.fields
    parts = RecordBuilder(source, fields)
    scanner = JsonScanner(source, fields, parts, name)
    try:
        scanner.scan(path=path)
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError("is not JSON; correct it.", name) from None
    refusal = places.refusal(scanner.unlisted)
    if refusal and not place:  # One of several records has its position in its name.
        refusal = f"line {scanner.line}: {refusal}"
    return parts.document(name, origin, place=place, container=around, refusal=refusal)
