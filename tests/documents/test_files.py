"""Files as people have them: each fault of a file that was refused or damaged, and what is written of it now."""

from __future__ import annotations

import io
import re
from contextlib import closing
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import openpyxl
import pypdfium2
import pytest

from tacenda import documents
from tacenda.documents.inspection.sheets import sheet_strings
from tacenda.documents.ocr.tesseract import is_installed
from tacenda.documents.writing import writer
from tests.examples import for_each

from .building_tables import sanitized_table
from .conftest import mask_strings

FILES = Path(__file__).parents[3] / "shared" / "cases" / "files"
NAME = "Ilke Varnholt"
PARTS = [*NAME.split(), "ilke"]


def given(name: str) -> bytes:
    """Return a file."""
    path = FILES / name
    if not path.exists():
        pytest.skip(f"no {name} here")
    return path.read_bytes()


def written(name: str, *strings: str) -> tuple[documents.SourceDocument, bytes]:
    """Return the record of a file and what is written of it, with strings masked."""
    format = name.rpartition(".")[2]
    (record,) = documents.read("-", format, stdin=io.BytesIO(given(name)))
    if isinstance(record, documents.Failure):
        raise record.error
    output = io.BytesIO()
    sink = writer("same", output)
    sink.write(record, mask_strings(record.document, *strings, text="[PERSON 1]"))
    sink.close()
    return record, output.getvalue()


@for_each(
    ("name", "masked"),
    [
        ("01_docx_parts.docx", NAME.split()),
        ("01_form_needappearances.pdf", [NAME]),
        ("03_jpeg_filter_array.pdf", [NAME]),
        ("04_mail.eml", [*PARTS, "varnholt"]),
        ("04_two_columns_gutter10.pdf", ["Brunnhofer"]),
        ("04_two_columns_gutter14.pdf", ["Brunnhofer"]),
        ("05_font_named_georgia.pdf", ["Georgia"]),
        ("10_meta_charset.html", [NAME]),
        ("11_no_closing_boundary.eml", PARTS),
        ("12_bytes_not_in_charset.eml", PARTS),
        ("13_picture_only.eml", PARTS),
        ("glyph_name_period.pdf", ["Period"]),
    ],
)
def test_a_file_is_written_without_what_is_masked(name: str, masked: list[str]) -> None:
    """What is masked stands in the text that was read, and not in what is read of the output."""
    record, output = written(name, *masked)
    (again,) = documents.read("-", record.origin.format, stdin=io.BytesIO(output))
    assert isinstance(again, documents.SourceDocument)
    for string in masked:
        assert string in record.document.text
        assert string not in again.document.text
    assert len(again.document.text) > len(record.document.text) / 2


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("11_no_closing_boundary.eml", "has no closing boundary"),
        ("12_bytes_not_in_charset.eml", "1 byte outside the named encoding was read"),
        ("13_picture_only.eml", "1 part was removed"),
    ],
)
def test_a_message_that_breaks_its_standard_is_read_and_says_so(name: str, note: str) -> None:
    """As mail programs read it, with a line."""
    record, _ = written(name, *PARTS)
    assert any(line.startswith(note) for line in record.notes)


def test_a_byte_outside_its_charset_is_a_letter() -> None:
    """It is read as Windows-1252, and written in the encoding that the message then names."""
    record, output = written("12_bytes_not_in_charset.eml", *PARTS)
    message = message_from_bytes(output, policy=default)
    assert "Café" in record.document.text
    assert "Café" in message.get_content()


def test_a_page_is_read_and_written_in_the_charset_that_it_names() -> None:
    """Where it isn't UTF-8, and nobody said another one."""
    record, output = written("10_meta_charset.html", NAME)
    assert "Café" in record.document.text
    assert "Café".encode("cp1252") in output


@pytest.mark.skipif(not is_installed(), reason="needs the program tesseract")
def test_one_unknown_sign_keeps_its_page() -> None:
    """OCR reads the line of the sign and finds no further letter; the sign stays where it was."""
    record, output = written("02_one_unknown_glyph.pdf", NAME)
    assert "of x is given" in record.document.text
    text = pypdfium2.PdfDocument(output)[1].get_textpage().get_text_range()
    assert "of x\x01 is given" in text
    assert NAME not in text


def test_a_typeface_of_a_masked_name_stays_in_a_workbook() -> None:
    """The name of a shipped typeface is machinery where a typeface is named, and somebody's in a cell."""
    output, errors = sanitized_table(
        given("05_font_named_georgia.xlsx"), "xlsx", {"*": "text"}, "Georgia"
    )
    book = openpyxl.load_workbook(io.BytesIO(output))
    assert not errors
    assert book.active["A2"].font.name == "Georgia"
    assert "Georgia" not in book.active["A2"].value


def test_a_defined_name_that_is_masked_gets_another() -> None:
    """The name and its sheet are renamed, and the name still refers to its place."""
    output, errors = sanitized_table(
        given("14_defined_name.xlsx"), "xlsx", {"*": "text"}, *PARTS, "varnholt"
    )
    book = openpyxl.load_workbook(io.BytesIO(output))
    assert not errors
    assert {name: item.attr_text for name, item in book.defined_names.items()} == {
        "Name_1": "Sheet1!$A$2"
    }
    assert not re.search("(?i)varnholt|ilke", " ".join(text for _, text in sheet_strings(output)))


def test_a_table_of_which_nothing_is_said_names_the_command_that_proposes_a_policy() -> None:
    """The proposal is YAML whatever the header is, and with it the table is written."""
    (failure,) = documents.read(
        "-", "csv", stdin=io.BytesIO(given("07_header_with_newline.csv")), columns=["text"]
    )
    assert isinstance(failure, documents.Failure)
    assert "tacenda fields FILE" in str(failure.error)


@pytest.mark.parametrize("name", ["08_comment_before_root.xml", "latin1.xml"])
def test_xml_is_written_under_a_field_policy(name: str) -> None:
    """With a comment before the root, and in another encoding than UTF-8."""
    output, errors = sanitized_table(given(name), "xml", {"*": "text"}, NAME)
    assert not errors
    assert NAME.encode() not in output
    assert b"</visit>" in output


def test_lines_that_lie_on_one_another_lose_only_the_name() -> None:
    """The other line reaches into the box, but the middle of its letters is beside it: it stays whole."""
    _, output = written("09_lines_overlap.pdf", NAME)
    with closing(pypdfium2.PdfDocument(output)) as document:
        text = document[0].get_textpage().get_text_range()
    assert not re.search("(?i)varnholt|ilke", text)
    assert "Niederschrift of the meeting in the hall overlapping the line above" in text
