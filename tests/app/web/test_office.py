"""Word and PDF files through the pages and the REST API, and the records of what was decided."""

from __future__ import annotations

import io
import json
import re
import zipfile
from html import unescape
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from tacenda.app.review.indicators import Background
from tacenda.app.service import Service
from tacenda.audit import schema
from tacenda.documents import containers
from tests.waiting import until

from ...documents.building_docx import build, entries, paragraph
from ...isolation.fatal import crash
from ..building import LETTER, addressed, client, come_in, knowledge, service
from ..test_background import LETTER_OF_ADA

pytest.importorskip("lxml.etree")
pytest.importorskip("reportlab")
pypdf = pytest.importorskip("pypdf")

from tacenda.documents.pdf.setting import render  # noqa: E402

WORD = build(paragraph("Dear ", "Ada ", "Byron", ","), {"header": paragraph("For Ada Byron only")})
PDF = render("Ada Byron wrote.\fBen Cole did not.", "")


def _upload(inside: TestClient, made: Service, *files: tuple[str, bytes]) -> Any:
    sent = [("files", (name, content, "application/octet-stream")) for name, content in files]
    answer = inside.post("/projects", data={"name": "Office"}, files=sent)
    until(lambda: not made.store.documents.waiting(1))
    return answer


def _pdf_text(content: bytes) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)


def test_a_file_that_kills_its_reader_or_writer_is_refused(
    inside: TestClient, made: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upload makes no project, a file can't be saved, and the server goes on."""
    monkeypatch.setattr(containers, "_read", crash)
    assert _upload(inside, made, ("letter.docx", WORD)).status_code == 422
    monkeypatch.undo()
    assert _upload(inside, made, ("letter.docx", WORD)).status_code < 400
    monkeypatch.setattr(containers, "_write", crash)
    assert inside.get("/documents/1/result?format=same").status_code == 422
    assert inside.get("/projects/1/result?format=same").status_code == 422
    monkeypatch.undo()
    assert inside.get("/documents/1/result?format=same").status_code == 200


def test_office_files_are_reviewed_and_come_back_as_they_came(
    inside: TestClient, made: Service
) -> None:
    """The .docx keeps its parts, the PDF its pages, and neither has a masked name."""
    files = (("letter.docx", WORD), ("scan.pdf", PDF))
    assert _upload(inside, made, *files).headers["HX-Redirect"] == addressed(made, "/projects/1")
    assert ">In its own format (.docx)</a>" in inside.get("/documents/1").text
    word = inside.get("/documents/1/result?format=same")
    assert word.headers["content-disposition"] == 'attachment; filename="draft-letter.docx"'
    parts = entries(word.content)
    assert b"[PERSON 1]" in parts["word/document.xml"]
    assert b"[PERSON 1]" in parts["word/header1.xml"]
    assert not any(b"Byron" in part for part in parts.values())
    scan = inside.get("/documents/2/result?format=same")
    assert scan.headers["content-type"] == "application/pdf"
    text = _pdf_text(scan.content)
    assert " wrote." in text
    assert " did not." in text
    assert text.count("PERSON") == 2
    archive = zipfile.ZipFile(io.BytesIO(inside.get("/projects/1/result?format=same").content))
    assert archive.namelist() == ["letter.docx", "scan.pdf"]
    assert archive.read("letter.docx") == word.content


def test_any_document_is_saved_as_a_pdf_of_its_text(inside: TestClient, made: Service) -> None:
    """One, or all in an archive, under names that tell nobody."""
    _upload(inside, made, ("ada-byron.txt", b"Ada Byron wrote."))
    assert "[PERSON 1] wrote." in _pdf_text(inside.get("/documents/1/result?format=pdf").content)
    archive = zipfile.ZipFile(io.BytesIO(inside.get("/projects/1/result?format=pdf").content))
    assert archive.namelist() == ["document-1.pdf"]
    as_came = zipfile.ZipFile(io.BytesIO(inside.get("/projects/1/result?format=same").content))
    assert as_came.namelist() == ["document-1.txt"]
    assert as_came.read("document-1.txt") == b"[PERSON 1] wrote."


def test_one_of_many_in_a_file_comes_back_with_its_project_only(
    inside: TestClient, made: Service
) -> None:
    """The page does not offer it, and the error says what can be saved."""
    _upload(inside, made, ("notes.csv", b"id,text\n7,Ada Byron\n8,Nobody\n"))
    assert "In its own format" not in inside.get("/documents/1").text
    answer = inside.get("/documents/1/result?format=same")
    assert (answer.status_code, "or the whole project" in answer.text) == (422, True)
    archive = zipfile.ZipFile(io.BytesIO(inside.get("/projects/1/result?format=same").content))
    assert archive.read("notes.csv") == b"text\n[PERSON 1]\nNobody\n"


def test_what_is_known_of_how_a_file_was_read_is_shown(inside: TestClient, made: Service) -> None:
    """A page without text is told of; it is not in the result."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(PDF))
    writer.add_blank_page()
    stream = io.BytesIO()
    writer.write(stream)
    _upload(inside, made, ("scan.pdf", stream.getvalue()))
    assert "page 3: without text" in inside.get("/documents/1").text


def test_a_bomb_and_a_file_of_another_kind_are_refused(inside: TestClient, made: Service) -> None:
    """Before they are unpacked; no project is begun, and the page can say why."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 40_000_000)
    for name, content, said in (
        ("bomb.docx", stream.getvalue(), "when unpacked"),
        ("scan.pdf", b"no pdf", "begin with %PDF-"),
    ):
        answer = _upload(inside, made, (name, content))
        assert (answer.status_code, said in answer.text) == (422, True)
    assert made.store.projects.all() == []


def test_pages_of_a_pdf_are_paragraphs_of_their_own(inside: TestClient, made: Service) -> None:
    """A page break ends a row, and the next one begins behind it."""
    _upload(inside, made, ("scan.pdf", PDF))
    text = made.open(1).reviewed.sanitized.document.text
    page = unescape(inside.get("/documents/1").text)
    starts = [int(start) for start in re.findall(r'class="original" data-start="(\d+)"', page)]
    assert text.index("Ben Cole") in starts


def test_the_record_is_given_out_by_document_and_by_project(tmp_path: Path) -> None:
    """As JSON of the schema and as a page; who did what is in it, and no masked string."""
    made = service(tmp_path, LETTER, "Ben Cole.")
    with client(made) as outside:
        inside = come_in(outside)
        change = {"kind": "decide", "spans": [[31, 44]], "value": "mask"}
        sent = {"revision": "0", "change": json.dumps(change)}
        assert inside.post("/documents/1/changes", data=sent).status_code == 200
        for path, count in (("/documents/1", 1), ("/projects/1", 2)):
            answer = inside.get(f"{path}/audit?format=json")
            assert "attachment" in answer.headers["content-disposition"]
            record = answer.json()
            jsonschema.validate(record, schema())
            assert len(record["documents"]) == count
            (act,) = record["documents"][0]["acts"]
            assert (act["person"], act["action"], act["value"]) == ("Ann", "decide", "mask")
            assert record["policy"]["name"] == "tags"
            assert record["model"]["files"]
            printed = inside.get(f"{path}/audit?format=html")
            assert printed.headers["content-type"] == "text/html; charset=utf-8"
            assert "What people did" in printed.text
            for text in (answer.text, printed.text):
                assert not any(name in text for name in ("Byron", "Cole", "12 March"))
            assert inside.get(f"{path}/audit?format=docx").status_code == 422
        assert (
            addressed(made, 'href="/documents/1/audit?format=html"')
            in inside.get("/documents/1").text
        )
        assert (
            addressed(made, 'href="/projects/1/audit?format=json"')
            in inside.get("/projects/1").text
        )
    made.store.close()


def test_why_shows_what_points_to_the_person_together(tmp_path: Path) -> None:
    """With whom, how far, by what evidence; and whether all of them are shown."""
    made = service(tmp_path, LETTER_OF_ADA, background=Background(knowledge(tmp_path)))
    with client(made) as outside:
        inside = come_in(outside)
        panel = unescape(inside.get("/documents/1/entity?at=31-44").text)
        assert "A search for these 2 together brings up 1 result, 1 of them about a person" in panel
        assert re.search(r'data-goto="\d+-\d+">Kentville</button>', panel)
        assert "Not all of them are shown" in panel
        spans = [[31, 44], [LETTER.index("Kentville"), LETTER.index("Kentville") + 9]]
        change = {"kind": "decide", "spans": spans, "value": "keep"}
        sent = {"revision": "0", "change": json.dumps(change), "chosen": "31-44"}
        page = unescape(inside.post("/documents/1/changes", data=sent).text)
        assert "All of them are shown: they point to the person." in page
        assert "1 combination left that points to the person" in page
        assert "1 combination left" in inside.get("/projects/1").text
        assert "against what knowledge.db knows" in inside.get("/projects/1").text
    made.store.close()


def test_programs_send_files_and_get_them_back(inside: TestClient, made: Service) -> None:
    """One at once, or a project of them that people review."""
    file = {"file": ("letter.docx", WORD, "application/octet-stream")}
    answer = inside.post("/api/v1/sanitize/file", files=file, data={"operator": "suppress"})
    assert answer.headers["x-tacenda-leaks"] == "0"
    assert b"***" in entries(answer.content)["word/document.xml"]
    assert (
        inside.post(
            "/api/v1/sanitize/file", files={"file": ("a.exe", b"", "text/plain")}
        ).status_code
        == 422
    )
    sent = [("files", ("letter.docx", WORD, "")), ("files", ("scan.pdf", PDF, ""))]
    begun = inside.post("/api/v1/projects/files", data={"name": "Mine"}, files=sent)
    assert begun.status_code == 201
    assert [item["format"] for item in begun.json()["documents"]] == ["docx", "pdf"]
    until(lambda: not made.store.documents.waiting(1))
    back = inside.get("/api/v1/documents/1/result?format=same")
    assert not any(b"Byron" in part for part in entries(back.content).values())
    archive = zipfile.ZipFile(io.BytesIO(inside.get("/api/v1/projects/1/result").content))
    assert archive.namelist() == ["letter.docx", "scan.pdf"]
    jsonschema.validate(inside.get("/api/v1/projects/1/audit").json(), schema())
    assert "Audit record" in inside.get("/api/v1/documents/2/audit?format=html").text


def test_a_pdf_is_shown_page_by_page(inside: TestClient, made: Service) -> None:
    """The places of mentions and lines, and each page as a picture; a text has none, nor has a PDF a third."""
    _upload(inside, made, ("scan.pdf", PDF), ("note.txt", b"Ada Byron wrote."))
    shown = inside.get("/documents/1/pages")
    assert shown.status_code == 200
    assert shown.text.count("<figure") == 2
    first, second = shown.text.split("</figure>")[:2]
    assert 'data-kind="m" data-s="0-9"' in first
    assert 'data-kind="r" data-s="0-9"' in first
    assert "Ada Byron wrote." in first
    assert 'data-kind="m" data-s="20-28"' in second
    picture = inside.get("/documents/1/pages/2")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert inside.get("/documents/1/pages/3").status_code == 422
    assert inside.get("/documents/1/pages/0").status_code == 422
    assert inside.get("/documents/2/pages").status_code == 422
    assert "button" in inside.get("/documents/1").text.split('data-view="leaving"')[0][-40:]
    assert 'data-view="leaving"' not in inside.get("/documents/2").text
