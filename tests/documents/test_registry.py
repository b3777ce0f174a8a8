"""Formats as the registry has them."""

from __future__ import annotations

import io
from collections import Counter
from pkgutil import resolve_name

import pytest

from tacenda import documents
from tacenda.document import Document
from tacenda.documents import writing
from tacenda.documents.formats import Passage, PluginFormat
from tacenda.documents.registry import SHIPPED, format_of_name, written_format
from tacenda.documents.writing import writer
from tacenda.errors import InputError

from .conftest import mask_strings

_LOCATIONS = ("reader", "writer", "inspector", "file_inspector", "assembler", "parts")


@pytest.mark.parametrize("name", SHIPPED)
def test_what_a_format_names_is_there(name: str) -> None:
    """Each function of a format can be imported, and its files have its extensions alone."""
    pytest.importorskip("pikepdf")
    pytest.importorskip("pyarrow")
    format = SHIPPED[name]
    for attribute in (*_LOCATIONS, "change_counter"):
        if location := getattr(format, attribute):
            assert callable(resolve_name(f"tacenda.documents.{location}"))
    assert all(format_of_name(f"a{extension}") is format for extension in format.extensions)


def test_an_extension_belongs_to_one_format() -> None:
    """Else the order of the registry would decide."""
    extensions = Counter(end for format in SHIPPED.values() for end in format.extensions)
    assert set(extensions.values()) == {1}


def test_what_is_written_as_another_format_needs_no_writer() -> None:
    """Nor an inspector: its documents are of the format in which they come out, which names both."""
    formats = [format for format in SHIPPED.values() if format.written_as]
    assert {format.name for format in formats} == {"doc", "msg"}
    for format in formats:
        output = written_format(format.name)
        assert (output.name, output.written_as) == (format.written_as, "")
        assert format.isolated is output.isolated is True
        assert format.single is output.single is True


class _Heap:
    """Format whose file is its documents in the opposite order, with their number."""

    extensions = (".heap",)

    def write(self, source: documents.SourceDocument, result: object) -> bytes:
        return result.text.encode()  # type: ignore[attr-defined, no-any-return]

    def strings(self, data: bytes, encoding: str) -> list[Passage]:
        return [Passage(data.decode(encoding), "all")]

    def assembly(self) -> _Heaped:
        return _Heaped()


class _Heaped:
    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def add(self, part: bytes, source: documents.SourceDocument) -> bytes:
        if b"never" in part:
            raise InputError("does not belong here.", source.document.id)
        self.parts.append(part)
        return b"." if len(self.parts) == 1 else b""

    def close(self) -> list[bytes]:
        return [*reversed(self.parts), str(len(self.parts)).encode()]


def test_a_file_is_put_together_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the documents that were found clean and fit; the others are not in it."""
    heap = PluginFormat("heap", _Heap())  # type: ignore[arg-type]  # It reads nothing.
    monkeypatch.setattr(writing, "format_named", lambda _: heap)
    monkeypatch.setattr(writing, "passages", lambda data, *_: iter([Passage(data.decode(), "all")]))
    origin = documents.Origin("a.heap", "a.heap", "heap", "utf-8")
    output = io.BytesIO()
    sink = writer("same", output)
    for text in ("one ", "never ", "two "):
        document = Document(text, text)
        record = documents.SourceDocument(document, origin, text, ())
        if text == "never ":
            with pytest.raises(InputError, match="does not belong"):
                sink.write(record, mask_strings(document))
        else:
            sink.write(record, mask_strings(document))
    sink.close()
    assert output.getvalue() == b".two one 2"
