"""Files to documents, from the disk and from an upload."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tacenda.app.export import project_file
from tacenda.app.intake import from_paths, from_upload
from tacenda.errors import InputError

from ..documents.building_docx import build, paragraph
from .building import service


def test_files_and_folders_become_documents(tmp_path: Path) -> None:
    """Every document of every file, in order, with the person to protect."""
    (tmp_path / "a.txt").write_text("A text.")
    (tmp_path / "b.jsonl").write_text('{"text": "One."}\n{"text": "Two."}\n')
    found = from_paths([str(tmp_path)], ["Ada Byron"])
    assert [new.document.text for new in found] == ["A text.", "One.", "Two."]
    assert found[0].document.target == ("Ada Byron",)


def test_a_file_that_is_missing_stops_all(tmp_path: Path) -> None:
    """No project is begun with a document less than was named."""
    (tmp_path / "a.txt").write_text("A text.")
    with pytest.raises(InputError, match=r"gone\.txt: can't be opened"):
        from_paths([str(tmp_path / "a.txt"), str(tmp_path / "gone.txt")])


def test_an_upload_is_read_by_its_extension() -> None:
    """Documents are called after the file, and its folders don't matter."""
    (html,) = from_upload("C:\\x\\page.html", b"<p>Ada <b>Byron</b></p>")
    assert (html.document.id, html.document.text.strip()) == ("page.html", "Ada Byron")
    lines = from_upload("notes.jsonl", b'{"text": "One."}\n{"text": "Two."}\n')
    assert [new.document.id for new in lines] == ["notes.jsonl:1", "notes.jsonl:2"]


def test_a_file_is_kept_byte_for_byte(tmp_path: Path) -> None:
    """Documents of one file share it; a folder's files are called by their places in it."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "b.TAB").write_bytes(b"text\r\nOne.\r\nTwo.\r\n")
    one, two = from_paths([str(tmp_path)])
    assert one.file is two.file
    assert one.file is not None
    assert (one.file.name, one.file.format) == ("in/b.TAB", "csv")
    assert one.file.content == b"text\r\nOne.\r\nTwo.\r\n"


def test_office_files_are_read(tmp_path: Path) -> None:
    """A .docx and a PDF, from the disk and uploaded, with what to know of them."""
    pytest.importorskip("lxml.etree")
    pytest.importorskip("reportlab")
    pytest.importorskip("pypdf")
    from tacenda.documents.pdf.setting import render

    letter, scan = build(paragraph("Dear Ada Byron")), render("Ada Byron was here.", "scan")
    (tmp_path / "letter.docx").write_bytes(letter)
    (tmp_path / "scan.pdf").write_bytes(scan)
    found = from_paths([str(tmp_path)])
    found += [*from_upload("letter.docx", letter), *from_upload("scan.pdf", scan)]
    assert [new.document.text.splitlines()[0] for new in found] == [
        "Dear Ada Byron",
        "Ada Byron was here.",
    ] * 2
    assert [new.file and new.file.content for new in found] == [letter, scan] * 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("scan.gif", b"GIF89a", "unknown extension '.gif'"),
        ("letter.txt", b"\xff\xfe\xff", "letter|stdin"),
        ("letter.txt", b"%PDF-1.7", "a PDF"),
        ("letter.docx", b"%PDF-1.7", r"letter\.docx: is not a valid \.docx"),
        ("letter.pdf", b"PK", r"letter\.pdf: isn't a PDF"),
    ],
)
def test_what_is_not_what_it_says_is_refused(name: str, content: bytes, message: str) -> None:
    """The error says what it is, or what may be sent."""
    with pytest.raises(InputError, match=message):
        from_upload(name, content)


def test_columns_are_named_for_a_review(tmp_path: Path) -> None:
    """Text is sanitized, what is kept stays but for who is masked, the rest is left out; said once."""
    content = "id,note,ward\n1,Ada Byron came.,North\n2,Ada Byron left.,of Ada Byron\n"
    (tmp_path / "staff.csv").write_text(content)
    new = from_paths([str(tmp_path / "staff.csv")], (), ["note"], ["ward"])
    assert [document.document.text for document in new[:2]] == [
        "Ada Byron came.",
        "Ada Byron left.",
    ]
    assert sum(len(document.notes) for document in new) == 1
    made = service(tmp_path, *new)
    written = project_file(made, 1, "same").content
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        (table,) = [
            archive.read(name).decode() for name in archive.namelist() if name.endswith("csv")
        ]
    assert table.splitlines()[0] == "note,ward"
    assert "North" in table
    assert "Ada Byron" not in table
    made.store.close()
