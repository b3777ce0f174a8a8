"""Existing texts with separate marks: JSON lines, and the lists of strings they are made from.

A line has ``id, source, licence, lang, genre, kind, text`` and ``marks``, a list of ``[start, end,
key]`` with keys as in ``documents``. To mark a text, write a list: a line ``### ID`` for each
document, then a line ``KEY string`` for each string. This marks all its occurrences as whole words
outside longer marked strings; ``KEY string @2,5`` marks only the second and the fifth. A letter
without a number stands for an entity with just this string; the line ``t *`` marks all full dates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from tacenda.detect.patterns.dates import find_dates
from tacenda.document import Span
from tacenda.errors import InputError

from .documents import CorpusDocument, Mark, read_key, write_key

_YEAR = re.compile(r"\d{4}")
_SELECTION = re.compile(r"(.*\S)\s+@(\d+(?:,\d+)*)")


def read(content: str, name: str, split: str) -> Iterator[CorpusDocument]:
    """Yield the documents of a file.

    Raises:
        InputError: a line has another form; the message names it.
    """
    for number, line in enumerate(content.splitlines(), 1):
        try:
            record: dict[str, Any] = json.loads(line)
            id = record["id"]
            marks = [read_key(key, Span(start, end), id) for start, end, key in record["marks"]]
            yield CorpusDocument(
                id,
                record["text"],
                tuple(sorted(marks, key=lambda mark: mark.span.start)),
                split,
                record["lang"],
                record["genre"],
                record["kind"] == "pos",
                record["source"],
                record["licence"],
            )
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"line {number} can't be read: {error!r}.", name) from error


def write(documents: Iterable[CorpusDocument]) -> str:
    """Return the JSON lines of documents."""
    return "".join(
        json.dumps(
            {
                "id": document.id,
                "source": document.source,
                "licence": document.licence,
                "lang": document.language,
                "genre": document.genre,
                "kind": "pos" if document.has_people else "neg",
                "text": document.text,
                "marks": [
                    [mark.span.start, mark.span.end, write_key(mark)] for mark in document.marks
                ],
            },
            ensure_ascii=False,
        )
        + "\n"
        for document in documents
    )


def read_lists(path: Path) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the lines (key, string) of a file of lists, by document.

    Raises:
        InputError: a line is neither a header nor has a key.
    """
    lists: dict[str, list[tuple[str, str]]] = {}
    current: list[tuple[str, str]] | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith("### "):
            current = lists.setdefault(line[4:].strip(), [])
        elif line.strip():
            key, _, string = line.strip().partition(" ")
            if current is None or not string:
                raise InputError(f"line {number} must be ### ID, or KEY string.", str(path))
            current.append((key, string.strip()))
    return {id: tuple(lines) for id, lines in lists.items()}


def place(text: str, lines: Iterable[tuple[str, str]], id: str) -> tuple[Mark, ...]:
    """Return the marks of a list, longest strings first.

    Raises:
        InputError: a string doesn't occur, or not often enough; the message names each.
    """
    owners = bytearray(len(text))
    marks: list[Mark] = []
    faults: list[str] = []
    # A string with numbered occurrences comes before the same string without them.
    parsed = [(key, *_selection(line)) for key, line in _with_dates(text, lines)]
    used = {int(number) for key, *_ in parsed if (number := key.lstrip("-=")[1:])}
    next_number = count(max(used, default=0) + 1)
    own: dict[tuple[str, str], str] = {}
    for key, string, numbers in sorted(parsed, key=lambda item: (-len(item[1]), not item[2])):
        spans = list(occurrences(text, string))
        if numbers:
            chosen = [spans[number - 1] for number in numbers if number <= len(spans)]
            if len(chosen) < len(numbers):
                faults.append(f"{string!r} occurs {len(spans)} times, not as in {numbers}")
        else:
            chosen = spans
            if not chosen:
                faults.append(f"{string!r} does not occur")
        for span in chosen:
            if not any(owners[span.start : span.end]):
                owners[span.start : span.end] = b"\1" * len(span)
                numbered = key
                if len(key.lstrip("-")) == 1 and key != "=":
                    numbered = own.setdefault((key, string), "") or f"{key}{next(next_number)}"
                    own[key, string] = numbered
                marks.append(read_key(numbered, span, id))
    if faults:
        raise InputError("; ".join(faults), id)
    return tuple(sorted(marks, key=lambda mark: mark.span.start))


def _with_dates(text: str, lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the other lines, then each date in the text if there is a line ``t *``."""
    keys = []
    for key, line in lines:
        if line == "*":
            keys.append(key)
        else:
            yield key, line
    dates = {text[hit.start : hit.end] for hit in find_dates(text) if hit.kind == "date"}
    yield from ((key, date) for key in keys for date in sorted(dates) if _YEAR.search(date))


def _selection(line: str) -> tuple[str, tuple[int, ...]]:
    match = _SELECTION.fullmatch(line)
    if match is None:
        return line, ()
    return match[1], tuple(map(int, match[2].split(",")))


def occurrences(text: str, string: str) -> Iterator[Span]:
    """Yield where a string occurs as whole words; blanks or one line end match a blank."""
    pattern = r"(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)".join(map(re.escape, string.split()))
    before = r"(?<![^\W_])" if string[0].isalnum() else ""
    after = r"(?![^\W_])" if string[-1].isalnum() else ""
    for match in re.finditer(before + pattern + after, text):
        yield Span(*match.span())
