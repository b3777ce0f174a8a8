"""PDF: its text layer is read, and what is written has nothing of it but the sanitized text."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda import documents
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tacenda.result import Result

pypdf = pytest.importorskip("pypdf")
canvas = pytest.importorskip("reportlab.pdfgen.canvas")

from tacenda.documents.pdf.setting import render  # noqa: E402  (needs the extra)

NAME = "Galip Yalman"
Mask = Callable[..., Result]


def drawn(*pages: str, author: str = NAME, **options: object) -> bytes:
    """Return a PDF that another program might have made."""
    stream = io.BytesIO()
    paper = canvas.Canvas(stream, pageCompression=0, **options)
    paper.setAuthor(author)
    for page in pages:
        for number, line in enumerate(page.split("\n")):
            paper.drawString(72, 700 - 14 * number, line)
        paper.showPage()
    paper.save()
    return stream.getvalue()


def read(data: bytes) -> documents.SourceDocument | documents.Failure:
    """Return the one record, or why there is none."""
    (item,) = documents.read("-", "pdf", stdin=io.BytesIO(data))
    return item


def text_of(data: bytes) -> str:
    """Return the text layer, pages parted by form feeds."""
    return "\f".join(
        page.extract_text().strip() for page in pypdf.PdfReader(io.BytesIO(data)).pages
    )


def test_lines_and_pages_are_read() -> None:
    """A line is a line of the text, a page ends in a form feed."""
    record = read(drawn("Dear Galip,\nhello", "second"))
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text == "Dear Galip,\nhello\fsecond"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Galip Yal-\nman went", "Galip Yalman\nwent"), ("Jean-\nPaul went", "Jean-Paul\nwent")],
)
def test_divided_words_are_put_together(text: str, expected: str) -> None:
    """A name divided at the end of a line is one name; a double name keeps its hyphen."""
    record = read(drawn(text))
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text == expected


def test_the_original_is_really_gone(mask: Mask) -> None:
    """No object of the output holds a masked name, packed or unpacked, or says who made it."""
    record = read(drawn(f"Dear {NAME}, hello", "no name"))
    assert isinstance(record, documents.SourceDocument)
    output = io.BytesIO()
    sink = writer("same", output)
    sink.write(record, mask(record.document, NAME))
    sink.close()
    data = output.getvalue()
    assert text_of(data).split("\f") == ["Dear , hello\nX", "no name"]
    reader = pypdf.PdfReader(io.BytesIO(data))
    everything = data
    for number in range(1, len(reader.xref[0]) + 1):
        thing = reader.get_object(number)
        everything += repr(thing).encode()
        if hasattr(thing, "get_data"):
            everything += thing.get_data()
    assert b"Galip" not in everything
    assert b"Yalman" not in everything


def test_form_fields_and_annotations_are_read() -> None:
    """What a page says outside its text layer is read too."""
    stream = io.BytesIO()
    paper = canvas.Canvas(stream)
    paper.drawString(72, 700, "Form")
    paper.acroForm.textfield(name="a", value="Yalman", x=72, y=600)
    paper.textAnnotation("note of Galip", Rect=[72, 500, 90, 520])
    paper.save()
    record = read(stream.getvalue())
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text.startswith("Form")
    assert "Yalman" in record.document.text
    assert "note of Galip" in record.document.text


def test_a_scan_is_an_error_that_says_so() -> None:
    """A file without any text is refused, with the way out."""
    item = read(drawn("", ""))
    assert isinstance(item, documents.Failure)
    assert "no text layer" in str(item.error)
    assert "OCR" in str(item.error)


def test_a_page_without_text_is_named() -> None:
    """If some pages have text, the others are told of."""
    record = read(drawn("text", "", "text"))
    assert isinstance(record, documents.SourceDocument)
    assert any("page 2:" in note for note in record.notes)


def test_a_password_is_an_error() -> None:
    """A protected file can't be read."""
    encryption = pytest.importorskip("reportlab.lib.pdfencrypt")
    protected = drawn("x", encrypt=encryption.StandardEncryption("secret", strength=128))
    item = read(protected)
    assert isinstance(item, documents.Failure)
    assert "password" in str(item.error)


_WHOLE = drawn(f"Dear {NAME}")


@given(end=st.integers(0, len(_WHOLE)), place=st.integers(0, len(_WHOLE) - 1))
def test_damage_never_ends_in_a_traceback(end: int, place: int) -> None:
    """A cut-off or changed file is read, or is an error that quotes no text."""
    changed = _WHOLE[:place] + b"\xff" + _WHOLE[place + 1 :]
    for data in (_WHOLE[:end], changed):
        item = read(data)
        if isinstance(item, documents.Failure):
            assert not re.search("Galip|Yalman", str(item.error))


def test_output_is_the_same_every_time() -> None:
    """Neither time nor chance is in the file."""
    assert render("a\fb", "x") == render("a\fb", "x")


@given(
    st.text(st.sampled_from("abcdeéçğİшжλ0123456789 .,“”–€\n"), min_size=1, max_size=400).filter(
        str.strip
    )
)
@settings(max_examples=20)
def test_every_word_is_on_the_page(text: str) -> None:
    """Wrapping loses no character."""
    expected = re.sub(r"\s", "", text)
    pages = text_of(render(text, "x")).split("\f")
    assert re.sub(r"\s", "", "".join(re.sub(r"\n?\d+$", "", page) for page in pages)) == expected


@pytest.mark.parametrize("name", ["Page", "Font", "Sanitized", "ReportLab", "Helvetica"])
def test_the_words_of_the_format_are_nobodys_name(mask: Mask, name: str) -> None:
    """Whoever is masked, what every PDF of ours holds was not taken from the document."""
    record = read(drawn(f"Dear {name}, hello"))
    assert isinstance(record, documents.SourceDocument)
    output = io.BytesIO()
    sink = writer("same", output)
    sink.write(record, mask(record.document, name))
    sink.close()
    assert text_of(output.getvalue()) == "Dear , hello\nX"


def test_a_letter_that_the_typeface_lacks_is_an_error() -> None:
    """No text is written that would not say what it says; symbols become a square."""
    with pytest.raises(InputError, match=r"U\+05E9.*--to text"):
        render("שלום", "a")
    assert text_of(render("ok 🙂", "a")).startswith("ok □")


def test_any_format_can_become_a_pdf(mask: Mask) -> None:
    """``--to pdf`` puts each text on a page of its own."""
    output = io.BytesIO()
    sink = writer("pdf", output)
    for data in (b"Dear Galip", b"and Galip"):
        (record,) = documents.read("-", "text", stdin=io.BytesIO(data))
        assert isinstance(record, documents.SourceDocument)
        sink.write(record, mask(record.document, "Galip"))
    sink.close()
    assert text_of(output.getvalue()) == "Dear [X]\n1\fand [X]\n2"
