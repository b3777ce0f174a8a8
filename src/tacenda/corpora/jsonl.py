"""JSON Lines: one document a line, in the named field; the rest of the line stays as it came.

Read and written line by line. Only the string literal of the field is rewritten, so that
numbers, the order of keys and the spelling of everything else survive.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

from ..document import Document, Sanitized
from ..errors import InputError
from .decoding import check_surrogates, read_lines, writable
from .naming import Numbering
from .output import Output
from .record import Extraction, Failure, Origin, Record, restore
from .text import BYTE_ORDER_MARK

# Numbers are skipped, not understood: they keep their digits, however many.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_BLANK = " \t\n\r"


def dumps(text: str) -> str:
    """Write a string as JSON, in its own characters where they can be written."""
    return json.dumps(writable(text), ensure_ascii=False)


def read(stream: BinaryIO, origin: Origin, field: str) -> Iterator[Record | Failure]:
    """Yield one record a line; blank lines go with the next one.

    Raises:
        InputError: if the file is no text at all.
    """
    lead = ""
    for number, line, error in read_lines(stream, origin.encoding, origin.name):
        place = f":{number}"
        name = origin.name + place
        if error:
            yield Failure(InputError(_without_name(error), name))
            continue
        if not line.strip(_BLANK + BYTE_ORDER_MARK):
            lead += line
            continue
        source = lead + line
        try:
            start, end, text = find_field(source, field, name)
        except InputError as reason:
            yield Failure(reason)
            continue
        lead = ""
        extraction = Extraction(source)
        extraction.opaque(start, end, text, dumps)
        document = Document(name, text)
        yield Record(document, origin, source, tuple(extraction.slots), place=place)


def _without_name(error: InputError) -> str:
    return str(error).removeprefix(f"{error.document}: ")


def find_field(source: str, field: str, name: str) -> tuple[int, int, str]:
    """Return where the string of ``field`` stands in a JSON object, and the string.

    Raises:
        InputError: unless ``source`` is one JSON object with one such field, a string.
    """
    try:
        found = _scan_object(source, field)
    except (ValueError, RecursionError) as error:
        offset = f"code point {error.pos}: " if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{offset}the line is not one JSON object; mend the line.", name) from None
    if len(found) != 1:
        count = "no" if not found else f"{len(found)} times the"
        raise InputError(
            f"the object has {count} field {field!r}; name the field that holds the text with "
            "--field NAME.",
            name,
        )
    start, end, value = found[0]
    if not isinstance(value, str) or source[start] != '"':
        raise InputError(
            f"field {field!r} is not a string; name the field that holds the text with "
            "--field NAME.",
            name,
        )
    check_surrogates(value, name)
    return start, end, value


def _scan_object(source: str, field: str) -> list[tuple[int, int, object]]:
    def skip(position: int, expected: str = "") -> int:
        while source[position : position + 1] in _BLANK and position < len(source):
            position += 1
        if expected and source[position : position + 1] not in tuple(expected):
            raise json.JSONDecodeError("unexpected", source, position)
        return position

    found: list[tuple[int, int, object]] = []
    start = int(source.lstrip(_BLANK).startswith(BYTE_ORDER_MARK)) and (
        source.index(BYTE_ORDER_MARK) + 1
    )
    position = skip(skip(start, "{") + 1, '"}')
    while source[position] == '"':
        key, position = _DECODER.raw_decode(source, position)
        begin = skip(skip(position, ":") + 1)
        value, position = _DECODER.raw_decode(source, begin)
        if key == field:
            found.append((begin, position, value))
        position = skip(position, ",}")
        if source[position] == ",":
            position = skip(position + 1, '"')
    if skip(position + 1) != len(source):
        raise json.JSONDecodeError("more after the object", source, position + 1)
    return found


class Writer:
    """``--to jsonl``: the object that came in with its field replaced, else id and text."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._numbering = Numbering()

    def write(self, record: Record, sanitized: Sanitized) -> None:
        """Write one line."""
        if record.origin.format == "jsonl":
            line = restore(record, sanitized).strip(_BLANK + BYTE_ORDER_MARK)
        else:
            name = self._numbering.public_id(record, sanitized)
            line = json.dumps({"id": name, "text": writable(sanitized.text)}, ensure_ascii=False)
        self._output.emit(line + "\n")

    def close(self) -> None:
        """Nothing is left to write."""
