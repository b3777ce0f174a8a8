"""Read files about people: JSON Lines, a JSON list or object, or CSV; gzipped or not.

A record is an object (a row); in a JSON object keyed by id it may also be a text. If a record has a
field ``profile`` that is an object, its fields count as the record's own. Lists and objects in
fields are flattened to text. JSON Lines and CSV are read line by line; a JSON file is read as a
whole.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from ..errors import InputError
from .profiles import Person

_FORMATS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class PeopleReader:
    """Reads records as people.

    Attributes:
        id_field: the field with the id; the name is used if a record has none.
        name_field: the field with the name.
        without: fields that the adversary is assumed not to know.
    """

    id_field: str = "id"
    name_field: str = "name"
    without: frozenset[str] = field(default_factory=frozenset)

    def read(self, path: Path) -> Iterator[Person | InputError]:
        """Yield the people in a file, and an error for each unreadable record.

        Raises:
            InputError: if the file can't be opened or read at all.
        """
        for number, record in read_records(path):
            place = f"{path}:{number}"
            if isinstance(record, str):
                yield InputError(record, place)
                continue
            try:
                yield self.person(record, place)
            except InputError as error:
                yield error

    def person(self, record: object, place: str) -> Person:
        """Return the person in a record.

        Raises:
            InputError: if it isn't an object, or has neither an id nor a name.
        """
        if not isinstance(record, dict):
            raise InputError(
                f"the record is a {type(record).__name__}, not an object of fields; fix the record.",
                place,
            )
        name = _text(record.get(self.name_field))
        id = _text(record.get(self.id_field)) or name
        if not id:
            raise InputError(
                f"the record has neither {self.id_field!r} nor {self.name_field!r}; name the "
                "field of the id with --id-field, or that of the name with --name-field.",
                place,
            )
        left_out = {self.id_field, self.name_field, *self.without}
        profile = tuple(
            (key, value)
            for key, value in _flat(record)
            if value and key.split(".")[0] not in left_out and key not in left_out
        )
        return Person(id, name, profile)


def read_records(path: Path) -> Iterator[tuple[int, object]]:
    """Yield (number from 1, record); for an unreadable record, a string with the reason."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    zipped = suffixes[-1:] == [".gz"]
    format = (suffixes[:-1] if zipped else suffixes)[-1:]
    if not format or format[0] not in _FORMATS:
        raise InputError(
            f"people are read from {', '.join(_FORMATS)}, each also with .gz; convert the file.",
            str(path),
        )
    try:
        with _opened(path, zipped) as stream:
            match format[0]:
                case ".json":
                    yield from _of_json(json.loads(stream.read().decode("utf-8-sig")), path)
                case ".csv" | ".tsv":
                    yield from _of_table(stream, "\t" if format[0] == ".tsv" else ",", path)
                case _:
                    yield from _of_lines(stream)
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} is not UTF-8; convert the file to UTF-8.", str(path)
        ) from None
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno}: is not JSON; fix the file.", str(path)) from None
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise InputError(f"can't be read: {reason}; check the path.", str(path)) from None


def _opened(path: Path, zipped: bool) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path, "rb")) if zipped else path.open("rb")


def _of_lines(stream: IO[bytes]) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line.decode("utf-8-sig"))
        except ValueError:
            yield number, "the line is not one JSON object in UTF-8; fix the line."


def _of_json(content: object, path: Path) -> Iterator[tuple[int, object]]:
    if isinstance(content, dict):
        for number, (id, record) in enumerate(content.items(), 1):
            yield number, _with_id(id, record)
    elif isinstance(content, list):
        yield from enumerate(content, 1)
    else:
        raise InputError("must be a list of records or an object of them; fix it.", str(path))


def _with_id(id: str, record: object) -> object:
    """Return the record for an id: an object of fields, or a text about the person."""
    if isinstance(record, str):
        return {"id": id, "text": record}
    return {"id": id, **record} if isinstance(record, dict) else record


def _of_table(stream: IO[bytes], delimiter: str, path: Path) -> Iterator[tuple[int, object]]:
    text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
    rows = csv.DictReader(text, delimiter=delimiter)
    try:
        for row in rows:
            if None in row or None in row.values():
                yield (
                    rows.line_num,
                    "the row and the header have different numbers of cells; fix the row.",
                )
            else:
                yield rows.line_num, row
    except csv.Error as error:
        raise InputError(f"line {rows.line_num}: {error}; fix the row.", str(path)) from None
    finally:
        # Whoever opened the file closes it.
        text.detach()


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield (field, text) for any JSON value; names of nested fields are joined with a dot."""
    if isinstance(value, dict):
        for name, inner in value.items():
            # The fields of ``profile`` count as the record's own.
            path = name if key in ("", "profile") else f"{key}.{name}"
            yield from _flat(inner, str(path))
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(inner, key)
    else:
        yield key, _text(value)


def _text(value: object) -> str:
    """Return a value as text; empty for None and booleans."""
    if value is None or isinstance(value, bool):
        return ""
    # Lone surrogates, which JSON allows, can't be stored.
    return str(value).strip().encode("utf-8", "replace").decode("utf-8")
