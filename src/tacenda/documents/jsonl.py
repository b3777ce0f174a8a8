"""JSON Lines: one document per line; see ``fields`` for how its fields are treated.

Files are read and written line by line. Only changed strings are rewritten, so numbers, key order
and the spelling of everything else are preserved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

from ..errors import NAME_FIELD, InputError
from ..result import Result
from ..text.decoding import BYTE_ORDER_MARK, read_lines, writable
from .field_places import FieldPlaces
from .fields import Fields
from .json_leaves import BLANK, JsonScanner
from .leaves import RecordBuilder
from .output import OutputWriter
from .record import Failure, Origin, SourceDocument, edited_source
from .shapes import ways


def read(
    stream: BinaryIO, origin: Origin, field: str, fields: Fields, *, is_whole: bool = True
) -> Iterator[SourceDocument | Failure]:
    """Yield one record per line; blank lines belong to the next one.

    Args:
        stream: the file.
        origin: the file's name, format and encoding.
        field: the field that must be there once and be text or null: its name, or its path
            (``prompt.text``); empty where the treatments say what is text.
        fields: the treatments of other fields.
        is_whole: whether the stream is a file from its start, not lines from the middle of one.

    Raises:
        InputError: if the file isn't text at all.
    """
    fields = fields.with_texts((field,)) if field else fields
    places = FieldPlaces(fields, is_whole=is_whole)
    lead = ""
    for number, line, error in read_lines(stream, origin.encoding, origin.name):
        place = f":{number}"
        name = origin.name + place
        if error:
            yield Failure(InputError(_without_name(error), name))
            continue
        if not line.strip(BLANK + BYTE_ORDER_MARK):
            lead += line
            continue
        if fields.passes_over():
            continue
        try:
            record = _record(lead + line, origin, place, field, places)
        except InputError as reason:
            yield Failure(reason)
            continue
        lead = ""
        yield record


def _without_name(error: InputError) -> str:
    return str(error).removeprefix(f"{error.document}: ")


def _record(
    source: str, origin: Origin, place: str, field: str, places: FieldPlaces
) -> SourceDocument:
    """Return the document in a line.

    Raises:
        InputError: unless it is one JSON object that has the field once, as a string.
    """
    name = origin.name + place
    places.add_json(source)
    fields = places.fields
    parts = RecordBuilder(source, fields)
    scanner = JsonScanner(source, fields, parts, name)
    try:
        scanner.scan("{")
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        offset = f"code point {error.pos}: " if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(
            f"{offset}the line is not one JSON object; correct the line.", name
        ) from None
    strings = scanner.strings.get(field, [])
    if field and len(strings) != 1:
        count = f"{len(strings)} times the" if strings else "no"
        more = "" if strings else f", or set a treatment for each with {ways(json.loads(source))}"
        remedy = NAME_FIELD._replace(command=NAME_FIELD.command + more)
        raise InputError(f"the object has {count} field {field!r}", name, remedy)
    if field and not strings[0]:
        raise InputError(f"field {field!r} is not a string", name, NAME_FIELD)
    refusal = places.refusal(scanner.unlisted)
    return parts.document(
        name, origin, place=place, refusal=refusal, refuses_file=bool(refusal) and not fields.source
    )


class JsonlWriter(OutputWriter):
    """Writer for ``--to jsonl``: the input object with its field replaced, or else id and text."""

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Write one line."""
        if record.origin.format == "jsonl":
            line = edited_source(record, sanitized).strip(BLANK + BYTE_ORDER_MARK)
        else:
            name = self._numbering.public_id(record, sanitized)
            line = json.dumps({"id": name, "text": writable(sanitized.text)}, ensure_ascii=False)
        self._output.emit(line + "\n")
