"""Files of Word and PDF that cost too much or kill their reader: an error, and the run goes on."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from tacenda import documents
from tacenda.documents import containers, inspection
from tacenda.documents.reading import format_of, read_bytes
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tests.isolation import fatal

from .building_docx import build, paragraph

pytest.importorskip("lxml.etree")
_LETTER = build(paragraph("Galip Yalman went."))


def read(data: bytes = _LETTER) -> documents.SourceDocument | documents.Failure:
    """Return what becomes of a document."""
    (item,) = read_bytes(data, documents.Origin("a.docx", "a.docx", "docx", "utf-8"))
    return item


@pytest.mark.parametrize("end", [fatal.crash, fatal.leave, fatal.swell])
def test_a_file_that_kills_its_reader_is_a_failure(
    end: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the file; the file after it is read."""
    monkeypatch.setattr(containers, "_read", end)
    failure = read()
    assert isinstance(failure, documents.Failure)
    assert str(failure.error).startswith("a.docx: ")
    monkeypatch.undo()
    assert isinstance(read(), documents.SourceDocument)


def test_a_file_that_kills_its_writer_is_an_error(
    mask: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written, and the next write works."""
    record = read()
    assert isinstance(record, documents.SourceDocument)
    sanitized = mask(record.document, "Galip Yalman")
    stream = io.BytesIO()
    target = writer("same", stream)
    monkeypatch.setattr(containers, "_write", fatal.crash)
    with pytest.raises(InputError, match=r"a\.docx: .*SIGSEGV"):
        target.write(record, sanitized)
    assert stream.getvalue() == b""
    monkeypatch.undo()
    target.write(record, sanitized)
    assert stream.getvalue().startswith(b"PK")


def test_a_file_that_kills_its_inspector_is_not_written(
    mask: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be read again to the end is not given out."""
    record = read()
    assert isinstance(record, documents.SourceDocument)
    stream = io.BytesIO()
    monkeypatch.setattr(inspection, "_within", fatal.crash)
    with pytest.raises(InputError, match=r"the sanitized \.docx: .*SIGSEGV"):
        writer("same", stream).write(record, mask(record.document, "Galip Yalman"))
    assert stream.getvalue() == b""


def test_too_many_parts_or_edits_name_the_variable(
    mask: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user who has such files can say so."""
    record = read(build(paragraph("Galip and Galip went.")))
    assert isinstance(record, documents.SourceDocument)
    monkeypatch.setenv("TACENDA_LIMIT_EDITS", "1")
    with pytest.raises(InputError, match=r"2 edits, at most 1 .*LIMIT_EDITS"):
        writer("same", io.BytesIO()).write(record, mask(record.document, "Galip"))
    monkeypatch.setenv("TACENDA_LIMIT_PARTS", "3")
    failure = read()
    assert isinstance(failure, documents.Failure)
    assert "entries, at most 3 are read; split it, or raise TACENDA_LIMIT_PARTS" in str(
        failure.error
    )


def test_no_process_is_started_for_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formats of text are read here, and cost no start."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(containers, "isolated", refuse)
    for name in ("a.txt", "a.md", "a.html", "a.csv", "a.jsonl", "a.json"):
        origin = documents.Origin(name, name, format_of(name), "utf-8")
        list(read_bytes(b"text\nx\n", origin))
