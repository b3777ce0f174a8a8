"""Strings of JSON and CSV: keys and values at every depth, headers and all cells."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import count
from typing import Any

from .passage import Kind, Passage

_DELIMITERS = ",;\t|"


class _Object(list[tuple[str, Any]]):
    """The members of an object, those of one name too."""


def json_values(text: str, place: str = "") -> Iterator[Passage]:
    """Yield the keys and values of JSON; the whole text where it is none."""
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
        yield Passage(text, place or "text that is no JSON")
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
            yield Passage(item, f"value {next(values)}{suffix}")


def rows(text: str) -> Iterator[Passage]:
    """Yield the cells of delimited text."""
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
    """Yield the sanitized text of a result, whatever else it says of it."""
    yield Passage(json.loads(text)["text"], "field 'text'", Kind.TEXT)
