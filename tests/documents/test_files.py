"""Files as people have them: each fault of a file that was refused or damaged, and what is written of it now."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tacenda import documents
from tacenda.documents.writing import writer

from .conftest import mask_strings

FILES = Path(__file__).parents[3] / "shared" / "cases" / "files"
NAME = "Ilke Varnholt"
PARTS = NAME.split()


def written(name: str, *strings: str) -> tuple[documents.SourceDocument, bytes]:
    """Return the record of a file and what is written of it, with strings masked."""
    path = FILES / name
    if not path.exists():
        pytest.skip(f"no {name} here")
    format = path.suffix[1:]
    (record,) = documents.read("-", format, stdin=io.BytesIO(path.read_bytes()))
    if isinstance(record, documents.Failure):
        raise record.error
    output = io.BytesIO()
    sink = writer("same", output)
    sink.write(record, mask_strings(record.document, *strings, text="[PERSON 1]"))
    sink.close()
    return record, output.getvalue()


@pytest.mark.parametrize(
    ("name", "masked"),
    [
        ("01_docx_parts.docx", PARTS),
        ("01_form_needappearances.pdf", [NAME]),
        ("03_jpeg_filter_array.pdf", [NAME]),
        ("04_mail.eml", PARTS),
        ("04_two_columns_gutter10.pdf", ["Brunnhofer"]),
        ("04_two_columns_gutter14.pdf", ["Brunnhofer"]),
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
