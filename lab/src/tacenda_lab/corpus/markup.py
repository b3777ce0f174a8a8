"""Texts written for the corpus, marked in place: ``⟦P1:Margaret Holloway⟧``, ``⟦=:Jenkins⟧``.

A file has many documents; each begins with a line ``### LANGUAGE GENRE KIND``, kind ``pos``, or
``neg`` where nothing is to be masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from tacenda.document import Span
from tacenda.errors import InputError

from .documents import CorpusDocument, Mark, read_key

_HEADER = re.compile(r"### ([a-z]{2}) ([a-z0-9]+(?:-[a-z0-9]+)*) (pos|neg)")
_MARK = re.compile(r"⟦([^⟦⟧:]{1,8}):([^⟦⟧]+)⟧")


def read(content: str, name: str, split: str) -> Iterator[CorpusDocument]:
    """Yield the documents in a file, named after the file and numbered.

    Raises:
        InputError: a header or a mark can't be read; the message names the document.
    """
    head, *parts = re.split(r"^(?=### )", content, flags=re.MULTILINE)
    if head.strip():
        raise InputError("the first line is not a header ### LANGUAGE GENRE KIND.", name)
    for number, part in enumerate(parts, 1):
        header, _, body = part.partition("\n")
        id = f"{PurePath(name).stem}-{number:03}"
        match = _HEADER.fullmatch(header.strip())
        if match is None:
            raise InputError(f"{header!r} is not a header ### LANGUAGE GENRE KIND.", id)
        language, genre, kind = match.groups()
        text, marks = parse(body.strip("\n") + "\n", id)
        yield CorpusDocument(id, text, marks, split, language, genre, kind == "pos")


def parse(marked: str, id: str) -> tuple[str, tuple[Mark, ...]]:
    """Return a text without its markup, and its marks.

    Raises:
        InputError: a mark can't be read; the message names the document and the line.
    """
    parts: list[str] = []
    marks: list[Mark] = []
    position = length = 0
    for match in _MARK.finditer(marked):
        before, content = marked[position : match.start()], match[2]
        parts += (before, content)
        start = length + len(before)
        length = start + len(content)
        line = marked.count("\n", 0, match.start()) + 1
        marks.append(read_key(match[1], Span(start, length), f"{id}, line {line}"))
        position = match.end()
    parts.append(marked[position:])
    text = "".join(parts)
    for bracket in "⟦⟧":
        if bracket in text:
            line = text.count("\n", 0, text.index(bracket)) + 1
            raise InputError(f"unmatched {bracket} near line {line}.", id)
    return text, tuple(marks)
