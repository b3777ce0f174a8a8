"""What loses text is not written: the output is read again and compared with what it should say."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from tacenda import documents
from tacenda.documents import formats
from tacenda.documents.completeness import require_whole
from tacenda.documents.record import Origin, SourceDocument
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tacenda.result import Result

from .building_docx import build, paragraph

Mask = Callable[..., Result]
TEXT = "Dear Galip Yalman, the rain fell on 12 old roofs."


def origin(format: str) -> Origin:
    """Return the origin of a file."""
    return Origin(f"a.{format}", f"a.{format}", format, "utf-8")


def record_of(data: bytes, format: str) -> SourceDocument:
    """Return the one record of a file, read in this process."""
    if format == "docx":
        docx = pytest.importorskip("tacenda.documents.docx")
        (record,) = docx.read(io.BytesIO(data), origin(format))
        return record
    (item,) = documents.read("-", format, stdin=io.BytesIO(data))
    assert isinstance(item, SourceDocument), item
    return item


FILES = {
    "html": f"<p>{TEXT}</p><p>Salt and bread.</p>".encode(),
    "markdown": f"# {TEXT}\n\nSalt and **bread**.\n".encode(),
    "docx": build(paragraph(TEXT) + paragraph("Salt and bread.")),
}


@pytest.mark.parametrize("format", FILES)
def test_a_file_that_says_all_is_written(format: str, mask: Mask) -> None:
    """A mask is no loss."""
    record = record_of(FILES[format], format)
    output = io.BytesIO()
    writer("same", output).write(record, mask(record.document, "Galip Yalman"))
    assert output.getvalue()


@pytest.mark.parametrize("format", ["html", "markdown"])
def test_a_page_that_lost_a_word_is_not(
    format: str, mask: Mask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is written, and the error has none of its words."""
    restore = formats.edited_source

    def lossy(*arguments: Any, **options: Any) -> str:
        return restore(*arguments, **options).replace("roofs", "")

    monkeypatch.setattr(formats, "edited_source", lossy)
    record = record_of(FILES[format], format)
    output = io.BytesIO()
    with pytest.raises(InputError, match="1 words of the sanitized text") as error:
        writer("same", output).write(record, mask(record.document, "Galip Yalman"))
    assert "roofs" not in str(error.value)
    assert output.getvalue() == b""


@pytest.mark.parametrize("lost", [0, 1])
def test_a_docx_that_lost_an_element_is_not(
    lost: int, mask: Mask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its body, or one paragraph of it."""
    sweeping = pytest.importorskip("tacenda.documents.docx.sweeping")
    swept = sweeping.Sweep.part

    def lossy(self: Any, root: Any) -> Any:
        element = root[0] if lost == 0 else root[0][1]
        element.getparent().remove(element)
        return swept(self, root)

    monkeypatch.setattr(sweeping.Sweep, "part", lossy)
    record = record_of(FILES["docx"], "docx")
    output = io.BytesIO()
    with pytest.raises(InputError, match="words of the sanitized text"):
        writer("same", output).write(record, mask(record.document, "Galip Yalman"))
    assert output.getvalue() == b""


def test_a_pdf_that_lost_a_line_is_not(mask: Mask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither as the same format nor as a new one."""
    pdf = pytest.importorskip("tacenda.documents.pdf.setting")
    lines = pdf._lines
    monkeypatch.setattr(pdf, "_lines", lambda *arguments: [*lines(*arguments)][:-1])
    record = record_of(f"{TEXT}\nSalt and bread.".encode(), "text")
    output = io.BytesIO()
    sink = writer("pdf", output)
    sink.write(record, mask(record.document, "Galip Yalman"))
    with pytest.raises(InputError, match="could not contain all"):
        sink.close()
    assert output.getvalue() == b""


@pytest.mark.parametrize(
    ("written", "whole"),
    [
        ("Dear [X], the rain fell on 12 old roofs.", True),
        ("1\n\u2022 Dear [X],\tthe rain  fell on\n12 old roofs. More.", True),
        ("on 12 old roofs. Dear Stevenson, the rain fell", True),  # in another order
        ("Dear [X], the rain fell on 12 old", False),
        ("Dear [X], the rain fell on old roofs.", False),
        ("", False),
    ],
)
def test_every_word_that_is_kept_must_be_there(written: str, whole: bool, mask: Mask) -> None:
    """White space, symbols and further text are the format's; so is what stands for a name."""
    record = record_of(TEXT.encode(), "text")
    sanitized = mask(record.document, "Galip Yalman")
    if whole:
        require_whole(record, sanitized, written)
    else:
        with pytest.raises(InputError):
            require_whole(record, sanitized, written)
