"""Strings of a PDF: names and strings of every object, and the text of its pages."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pypdf
from pypdf.generic import ByteStringObject, DictionaryObject, IndirectObject, NameObject

from . import Kind, Passage


def objects(data: bytes) -> Iterator[Passage]:
    """Yield the strings of a document."""
    reader = pypdf.PdfReader(io.BytesIO(data))
    for number, page in enumerate(reader.pages, 1):
        yield Passage(page.extract_text(), f"text of page {number}", Kind.TEXT)
    yield from _pdf_strings(reader.trailer, "the trailer")
    for number in range(1, len(reader.xref_objStm) + sum(map(len, reader.xref.values())) + 1):
        item = reader.get_object(number)
        if item is not None:
            yield from _pdf_strings(item, f"object {number}")


def _pdf_strings(item: Any, place: str) -> Iterator[Passage]:
    pending = [item]
    while pending:
        value = pending.pop()
        if isinstance(value, IndirectObject):
            continue
        if isinstance(value, DictionaryObject):
            for key, inner in value.items():
                yield Passage(str(key)[1:], f"a key of {place}", Kind.CODE)
                pending.append(inner)
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, NameObject):
            yield Passage(str(value)[1:], f"a name of {place}", Kind.CODE)
        elif isinstance(value, (str, ByteStringObject)):
            string = value.decode("latin-1") if isinstance(value, bytes) else str(value)
            yield Passage(string, f"a string of {place}")
