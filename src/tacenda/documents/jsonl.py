"""JSON Lines: one document a line, in the named field; the others need a treatment.

Read and written line by line. Only changed strings are rewritten, so numbers, the order of keys
and the spelling of everything else survive.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from ..document import Document
from ..errors import InputError
from ..result import Result
from ..text.decoding import BYTE_ORDER_MARK, check_surrogates, read_lines, writable
from .csv import Others, Treatment, unnamed
from .output import Numbering, Output
from .record import (
    Edit,
    Extraction,
    Failure,
    Kept,
    Origin,
    SourceDocument,
    SurroundingFields,
    edited_source,
)

# Numbers are skipped, not understood: they keep their digits, however many.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_BLANK = " \t\n\r"


def dumps(text: str) -> str:
    """Write a string as JSON, in its own characters where they can be written."""
    return json.dumps(writable(text), ensure_ascii=False)


def read(
    stream: BinaryIO, origin: Origin, field: str, other_fields: Others
) -> Iterator[SourceDocument | Failure]:
    """Yield one record a line; blank lines go with the next one.

    Args:
        stream: the file.
        origin: its name, format and encoding.
        field: the field with the text: its name, or its path (``prompt.text``).
        other_fields: treatments of the other fields.

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
            start, end, text, rest = _scan(source, field, other_fields, name)
        except InputError as reason:
            yield Failure(reason)
            continue
        lead = ""
        extraction = Extraction(source)
        extraction.opaque(start, end, text, dumps)
        document = Document(name, text)
        slots = tuple(extraction.slots)
        yield SourceDocument(document, origin, source, slots, place=place, beside=rest)


def _without_name(error: InputError) -> str:
    return str(error).removeprefix(f"{error.document}: ")


def _scan(
    source: str, field: str, other_fields: Others, name: str
) -> tuple[int, int, str, SurroundingFields]:
    """Return where the string of ``field`` stands in a JSON object, the string, and the rest.

    Raises:
        InputError: unless ``source`` is one JSON object with one such field, a string.
    """
    scanner = _Scanner(source, field, other_fields)
    try:
        scanner.scan()
    except (ValueError, RecursionError) as error:
        offset = f"code point {error.pos}: " if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{offset}the line is not one JSON object; mend the line.", name) from None
    if len(scanner.texts) != 1:
        count = f"{len(scanner.texts)} times the" if scanner.texts else "no"
        raise InputError(
            f"the object has {count} field {field!r}; name the field that holds the text with "
            "--field NAME.",
            name,
        )
    start, end, value = scanner.texts[0]
    if value is None:
        raise InputError(
            f"field {field!r} is not a string; name the field that holds the text with "
            "--field NAME.",
            name,
        )
    check_surrogates(value, name)
    refusal = unnamed(scanner.unnamed, "field") if scanner.unnamed else ""
    return start, end, value, SurroundingFields(tuple(scanner.kept), tuple(scanner.edits), refusal)


class _Scanner:
    """Scanner of the strings, numbers and names of an object, with their treatments."""

    def __init__(self, source: str, field: str, other_fields: Others) -> None:
        self.texts: list[tuple[int, int, str | None]] = []
        self.kept: list[Kept] = []
        self.edits: list[Edit] = []
        self._numbers: dict[str, int] = {}
        self._unnamed: dict[str, None] = {}
        self._source = source
        self._field = field
        self._others = other_fields

    @property
    def unnamed(self) -> dict[int, str]:
        """Return the fields without treatment, by their place among all names."""
        return {self._numbers[name]: name for name in self._unnamed}

    def scan(self) -> None:
        """Scan the whole source.

        Raises:
            ValueError: if it is not one JSON object.
            RecursionError: if it is nested too deeply.
        """
        marked = self._source.lstrip(_BLANK).startswith(BYTE_ORDER_MARK)
        start = self._source.index(BYTE_ORDER_MARK) + 1 if marked else 0
        end = self._object(self._skip(start, "{"), ())
        if self._skip(end) != len(self._source):
            raise json.JSONDecodeError("more after the object", self._source, end)

    def _skip(self, position: int, expected: str = "") -> int:
        while self._source[position : position + 1] in _BLANK and position < len(self._source):
            position += 1
        if expected and self._source[position : position + 1] not in tuple(expected):
            raise json.JSONDecodeError("unexpected", self._source, position)
        return position

    def _object(self, start: int, path: tuple[str, ...]) -> int:
        position = self._skip(start + 1, '"}')
        members: list[tuple[int, int, bool]] = []
        while self._source[position] == '"':
            begin = position
            key, position = _DECODER.raw_decode(self._source, begin)
            inside = (*path, key)
            self._numbers.setdefault(".".join(inside), len(self._numbers) + 1)
            value = self._skip(self._skip(position, ":") + 1)
            if dropped := self._is_dropped(inside):
                _, end = _DECODER.raw_decode(self._source, value)
            else:
                self.kept.append(Kept(begin, position, key, dumps))
                end = self._value(value, inside)
            members.append((begin, end, dropped))
            position = self._skip(end, ",}")
            if self._source[position] == ",":
                position = self._skip(position + 1, '"')
        self.edits += _removals(members)
        return position + 1

    def _array(self, start: int, path: tuple[str, ...]) -> int:
        position = self._skip(start + 1)
        while self._source[position : position + 1] != "]":
            position = self._skip(self._value(position, path), ",]")
            if self._source[position] == ",":
                position = self._skip(position + 1)
                if self._source[position : position + 1] == "]":
                    raise json.JSONDecodeError("unexpected", self._source, position)
        return position + 1

    def _value(self, start: int, path: tuple[str, ...]) -> int:
        opening = self._source[start : start + 1]
        is_field = ".".join(path) == self._field
        if opening in ("{", "[") and not is_field:
            end = (self._object if opening == "{" else self._array)(start, path)
            if self._skip(start + 1) == end - 1:
                self._treatment(path)
            return end
        value, end = _DECODER.raw_decode(self._source, start)
        if is_field:
            self.texts.append((start, end, value if opening == '"' else None))
            return end
        treatment = self._treatment(path)
        if treatment is Treatment.DROP:
            self.edits.append((start, end, "null"))
        elif not isinstance(value, str):  # true, false and null say nothing
            return end
        elif treatment is Treatment.PSEUDONYM:
            self.edits.append((start, end, dumps(self._others.replaced(value))))
        else:
            self.kept.append(Kept(start, end, value, dumps))
        return end

    def _names(self, path: tuple[str, ...]) -> list[str]:
        return [".".join(path[:length]) for length in range(len(path), 0, -1)]

    def _is_dropped(self, path: tuple[str, ...]) -> bool:
        names = self._names(path)
        within = self._field == names[0] or self._field.startswith(f"{names[0]}.")
        return (
            not within
            and self._others.of(*names) is Treatment.DROP
            and not self._others.within(names[0])
        )

    def _treatment(self, path: tuple[str, ...]) -> Treatment | None:
        names = self._names(path)
        treatment = self._others.of(*names)
        if treatment is None:
            # A field within one of which a part is named must be named itself.
            inner = next((name for name in reversed(names) if not self._is_split(name)), names[0])
            self._unnamed[inner] = None
        return treatment

    def _is_split(self, name: str) -> bool:
        return self._field.startswith(f"{name}.") or self._others.within(name)


def _removals(members: Sequence[tuple[int, int, bool]]) -> Iterator[Edit]:
    """Yield the edits to remove members, each with one comma.

    Args:
        members: ``[start, end)`` of each member of an object, and whether it goes.
    """
    has_previous = False
    for index, (start, end, removed) in enumerate(members):
        if not removed:
            has_previous = True
        elif has_previous:
            yield members[index - 1][1], end, ""
        else:
            yield start, members[index + 1][0] if index + 1 < len(members) else end, ""


class JsonlWriter:
    """Writer for ``--to jsonl``: the input object with its field replaced, else id and text."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._numbering = Numbering()

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Write one line."""
        if record.origin.format == "jsonl":
            line = edited_source(record, sanitized).strip(_BLANK + BYTE_ORDER_MARK)
        else:
            name = self._numbering.public_id(record, sanitized)
            line = json.dumps({"id": name, "text": writable(sanitized.text)}, ensure_ascii=False)
        self._output.emit(line + "\n")

    def close(self) -> None:
        """Nothing is left to write."""


# JSON lists of strings, each a document.


def read_texts(items: Sequence[Any], origin: Origin) -> Iterator[SourceDocument | Failure]:
    """Yield one record for each string of a parsed list, or a failure."""
    for index, text in enumerate(items):
        place = f"[{index}]"
        name = origin.name + place
        try:
            if not isinstance(text, str):
                raise InputError("is not a string as the others of its list; mend it.", name)
            check_surrogates(text, name)
        except InputError as error:
            yield Failure(error)
            continue
        yield SourceDocument(Document(name, text), origin, text, (), place=place)


class TextsWriter:
    """Writer of a JSON list of the sanitized texts; a text with an error has no entry."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Write one text of the list."""
        opening = "[\n" if self._output.path is None else ",\n"
        self._output.emit(opening + dumps(sanitized.text))

    def close(self) -> None:
        """End the list."""
        self._output.emit("[]\n" if self._output.path is None else "\n]\n")
