"""JSON of any shape, whose leaves are treated by a field policy: one document per file, or per item of its list.

Each part keeps its spelling. A file's list is reassembled from its items and what is between them;
an item that fails is left out. ``records: items`` in a field policy also turns the items of a list
inside the file into separate documents (``framed``).
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from typing import BinaryIO

from ..errors import InputError
from ..text.decoding import BYTE_ORDER_MARK, read_text
from .field_places import FieldPlaces
from .fields import Fields
from .framed import HEAD, Frame, FramedRecord, is_outside
from .json_leaves import BLANK, DECODER, JsonScanner
from .leaves import RecordBuilder
from .record import Failure, Origin, SourceDocument

ESCAPES = "tacenda.json"
"""Name of the error handler that writes characters outside an encoding as ``\\u20ac``."""
_WHOLE = FramedRecord(0, "", ("", ""), ESCAPES)
"""Container of a record that is the whole file."""


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(ESCAPES, _escaped)


def read(stream: BinaryIO, origin: Origin, fields: Fields) -> Iterator[SourceDocument | Failure]:
    """Yield the document of each item, or of the whole file if it isn't a list."""
    text = read_text(stream, origin.encoding, origin.name)
    # A byte order mark in the file is part of its text.
    origin = replace(origin, encoding=origin.encoding.removesuffix("-sig"))
    places = FieldPlaces(fields)
    places.add_json(text)
    lead = len(text) - len(text.lstrip(BLANK + BYTE_ORDER_MARK))
    is_list = text[lead : lead + 1] == "["
    try:
        if is_list or places.fields.policy.records:
            _require_one_value(text, lead)
        lists = _lists(text, lead, places.fields)
        is_list = is_list and not lists
        pieces, items = _parted(text, [(lead, ())] if is_list else lists)
    except (ValueError, RecursionError) as error:
        offset = f"code point {error.pos}: " if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{offset}is not JSON; correct the file.", origin.name) from None
    if lists:
        cuts = tuple(accumulate(map(len, pieces[:-1])))
        yield _record("".join(pieces), origin, HEAD, places, Frame(cuts, ESCAPES))
    elif not items:
        yield _record(text, origin, "", places, _WHOLE)
    for number, (start, stop, cut, path) in enumerate(items):
        around = FramedRecord(cut, ",", tuple(pieces) if is_list else (), ESCAPES)
        try:
            yield _record(text[start:stop], origin, f"[{number}]", places, around, path)
        except InputError as error:
            yield Failure(error)


def _require_one_value(text: str, lead: int) -> None:
    """Raise an error if there is anything after the value that starts at ``lead``.

    Raises:
        ValueError, RecursionError: if it isn't a single JSON value.
    """
    _, end = DECODER.raw_decode(text, lead)
    if text[end:].strip(BLANK):
        raise json.JSONDecodeError("more after the value", text, end)


def _lists(text: str, lead: int, fields: Fields) -> list[tuple[int, tuple[str, ...]]]:
    """Return where the lists of records start, and their paths, except dropped ones."""
    lists: list[tuple[int, tuple[str, ...]]] = []
    if not fields.policy.records:
        return lists
    depth = fields.policy.records.count(".") + 1
    pending: list[tuple[int, tuple[str, ...]]] = [(lead, ())]
    while pending:
        start, path = pending.pop()
        if text[start] == "[" and fields.is_of_records(path):
            if is_outside(fields, path):
                lists.append((start, path))
        elif text[start] == "[":
            pending += ((_behind_blanks(text, begin), path) for begin, _ in _items(text, start))
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


def _parted(
    text: str, lists: list[tuple[int, tuple[str, ...]]]
) -> tuple[list[str], list[tuple[int, int, int, tuple[str, ...]]]]:
    """Return what is around the items of lists, and the start, end, number of the list and path of each item."""
    pieces: list[str] = []
    items: list[tuple[int, int, int, tuple[str, ...]]] = []
    position = 0
    for number, (start, path) in enumerate(lists):
        spans = _items(text, start)
        pieces.append(text[position : start + 1])
        position = spans[-1][1] if spans else start + 1
        items += ((*span, number, path) for span in spans)
    return [*pieces, text[position:]], items


def _items(text: str, lead: int) -> list[tuple[int, int]]:
    """Return ``[start, end)`` of the items, with surrounding white space, of the list that starts at ``lead``."""
    items: list[tuple[int, int]] = []
    start = lead + 1
    while text[position := _behind_blanks(text, start)] != "]":
        _, position = DECODER.raw_decode(text, position)
        stop = _behind_blanks(text, position)
        is_last = text[stop] == "]"
        items.append((start, position if is_last else stop))
        if is_last:
            break
        start = stop + 1
    return items


def _behind_blanks(text: str, position: int) -> int:
    while text[position : position + 1] in BLANK and position < len(text):
        position += 1
    return position


def _record(
    source: str,
    origin: Origin,
    place: str,
    places: FieldPlaces,
    around: Frame | FramedRecord,
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
