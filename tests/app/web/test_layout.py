"""A .docx on the page: its headings, tables, lists, notes and headers, and the file that leaves."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tacenda import documents
from tacenda.app.service import Service
from tacenda.app.web.layout import block_at
from tacenda.documents.blocks import Block

from ...documents.building_docx import W, build, paragraph
from ..building import client, come_in, service, until

etree = pytest.importorskip("lxml.etree")
html = pytest.importorskip("lxml.html")


def _styled(text: str, properties: str) -> str:
    return paragraph(text).replace("<w:p>", f"<w:p><w:pPr>{properties}</w:pPr>")


def _row(*cells: str) -> str:
    return "<w:tr>" + "".join(f"<w:tc>{cell}</w:tc>" for cell in cells) + "</w:tr>"


_TABLE = (
    "<w:tbl>"
    + _row(paragraph("Name"), paragraph("Born in"), paragraph("Role"))
    + _row(paragraph("Ada Byron") + paragraph("a countess"), "<w:p/>", paragraph("author"))
    + "</w:tbl>"
)
REPORT = build(
    _styled("Report on Ada Byron", '<w:pStyle w:val="Kop1"/>')
    + _styled("Findings", '<w:outlineLvl w:val="1"/>')
    + _styled("Ada Byron wrote.", '<w:numPr><w:numId w:val="1"/></w:numPr>')
    + _TABLE
    + '<w:p><w:r><w:t>Nobody else.</w:t><w:footnoteReference w:id="7"/>'
    '<w:commentReference w:id="1"/></w:r></w:p>',
    {
        "header": paragraph("For Ada Byron only"),
        "footnotes": f'<w:footnote w:id="7">{paragraph("Ask Ada Byron.")}</w:footnote>',
        "comments": f'<w:comment w:id="1">{paragraph("Is Ada Byron right?")}</w:comment>',
        "styles": '<w:style w:type="paragraph" w:styleId="Kop1"><w:name w:val="heading 1"/></w:style>',
    },
)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Service]:
    """Return a service with the report."""
    found = service(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def inside(made: Service) -> Iterator[TestClient]:
    """Return a client with the report in a project."""
    with client(made) as found:
        come_in(found)
        file = ("report.docx", REPORT, "application/octet-stream")
        found.post("/projects", data={"name": "Office"}, files=[("files", file)])
        until(lambda: not made.store.documents.waiting(1))
        yield found


def _rows(inside: TestClient) -> Any:
    return html.fromstring(inside.get("/documents/1").text).get_element_by_id("rows")


def _table(rows: Any, side: str) -> list[list[list[str]]]:
    return [
        [[item.text_content() for item in cell.find_class(side)] for cell in row.iter("td")]
        for row in rows.iter("tr")
    ]


def test_headings_and_items_are_such_on_both_sides(inside: TestClient) -> None:
    """The level comes from the style's name, in whatever language its id is, or from the outline."""
    rows = _rows(inside)
    headings = [
        (item.get("aria-level"), item.text_content())
        for row in rows.find_class("heading")
        for item in row.xpath("*[@role='heading']")
    ]
    assert headings == [
        ("2", "Report on Ada Byron"),
        ("2", "Report on [PERSON 1]"),
        ("3", "Findings"),
        ("3", "Findings"),
    ]
    (item,) = rows.find_class("item")
    assert item.find_class("result")[0].text_content() == "[PERSON 1] wrote."


def test_a_table_is_a_table(inside: TestClient) -> None:
    """A cell may have several paragraphs, or none."""
    assert _table(_rows(inside), "original") == [
        [["Name"], ["Born in"], ["Role"]],
        [["Ada Byron", "a countess", ""], [], ["author"]],
    ]


def _shown(made: Service, inside: TestClient, word: bytes) -> Any:
    inside.post("/projects", data={"name": "Office"}, files=[("files", ("a.docx", word, "x/x"))])
    until(lambda: not made.store.documents.waiting(1))
    return html.fromstring(inside.get("/documents/2").text).get_element_by_id("rows")


def test_a_cell_spans_the_columns_that_it_spans_in_the_file(
    made: Service, inside: TestClient
) -> None:
    """Also after columns left free, and before an empty cell; what no table of Word's has counts as one."""

    def cell(text: str, span: str) -> str:
        return f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>{paragraph(text)}</w:tc>'

    table = (
        f"<w:tbl><w:tr>{cell('Name and town', '2')}{cell('Role', '1')}</w:tr>"
        + _row(paragraph("Ada"), paragraph("Kent"), paragraph("author"))
        + f'<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>{cell("both", "2")}</w:tr>'
        + f"<w:tr>{cell('many', '9' * 30)}{cell('few', '999')}{cell('next', '-1')}</w:tr></w:tbl>"
    )
    rows = _shown(made, inside, build(table))
    spans = [
        [(item.text_content(), item.get("colspan")) for item in row.iter("td")]
        for row in rows.iter("tr")
    ]
    shown = [[(text[: len(text) // 2], span) for text, span in row] for row in spans]
    assert shown == [
        [("Name and town", "2"), ("Role", None)],
        [("Ada", None), ("Kent", None), ("author", None)],
        [("", None), ("both", "2")],
        [("many", None), ("few", "63"), ("next", None)],
    ]


def test_no_level_of_a_heading_is_skipped_on_the_page(made: Service, inside: TestClient) -> None:
    """A screen reader hears how they stand under one another; they look as in the file."""
    levels = (3, 5, 5, 4, 2, 6, 1)
    body = "".join(
        _styled(f"Section {level}", f'<w:outlineLvl w:val="{level - 1}"/>') for level in levels
    )
    rows = _shown(
        made, inside, build(body, {"header": _styled("Top", '<w:outlineLvl w:val="4"/>')})
    )
    headings = [
        (item.get("class"), item[0].get("aria-level")) for item in rows.find_class("heading")
    ]
    assert [level for _, level in headings] == ["2", "3", "3", "3", "2", "3", "2", "2"]
    assert headings[0][0] == "row same heading h3"


def test_each_part_has_its_label(inside: TestClient) -> None:
    """Notes and comments have the numbers of their marks."""
    labels = [item.text_content() for item in _rows(inside).find_class("part")]
    assert labels[:3] == ["Header", "Footnote 1", "Comment 1"]


def test_the_table_on_the_page_is_the_one_that_leaves(inside: TestClient) -> None:
    """Cell by cell, as another reader finds it in the exported file."""
    data = inside.get("/documents/1/result?format=same").content
    root = etree.fromstring(zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml"))
    w = f"{{{W}}}"
    exported = [
        ["".join(t.text for t in cell.iter(f"{w}t")) for cell in row.iter(f"{w}tc")]
        for row in root.iter(f"{w}tr")
    ]
    shown = [["".join(cell) for cell in row] for row in _table(_rows(inside), "result")]
    assert shown == exported
    assert "[PERSON 1]a countess" in exported[1]


def test_the_text_on_the_page_is_the_one_that_leaves(inside: TestClient) -> None:
    """Line by line, with notes, comments and headers, as the exported file is read again."""
    data = inside.get("/documents/1/result?format=same").content
    (again,) = documents.read("-", "docx", stdin=io.BytesIO(data))
    assert isinstance(again, documents.SourceDocument)
    shown = [item.text_content() for item in _rows(inside).find_class("result")]
    assert shown == again.document.text.split("\n")
    assert shown.count("[PERSON 1] wrote.") == 1
    assert "Ada" not in again.document.text


def test_an_offset_before_all_blocks_is_in_the_body() -> None:
    """Otherwise it is in the last block that begins before it."""
    blocks = (Block(3, "Header"), Block(9, "Footer"))
    assert [block_at(blocks, offset).part for offset in (0, 3, 8, 9)] == [
        "",
        "Header",
        "Header",
        "Footer",
    ]
