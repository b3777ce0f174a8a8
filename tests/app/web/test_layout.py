"""A .docx on the page: its headings, tables, lists, notes and headers, and the file that leaves."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from itertools import count
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from tacenda import documents
from tacenda.app.service import Service
from tacenda.app.web.layout import block_at
from tacenda.documents.blocks import Block
from tests.waiting import until

from ...documents.building_docx import W, build, paragraph
from ..building import client, come_in

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
    '<w:commentReference w:id="1"/></w:r></w:p>'
    '<w:sectPr><w:headerReference w:type="default" r:id="rheader"/></w:sectPr>',
    {
        "header": paragraph("For Ada Byron only"),
        "footnotes": f'<w:footnote w:id="7">{paragraph("Ask Ada Byron.")}</w:footnote>',
        "comments": f'<w:comment w:id="1">{paragraph("Is Ada Byron right?")}</w:comment>',
        "styles": '<w:style w:type="paragraph" w:styleId="Kop1"><w:name w:val="heading 1"/></w:style>',
    },
)


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
        [["Ada Byron", "a countess"], [""], ["author"]],
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
    assert [level for _, level in headings] == ["2", "3", "3", "3", "2", "3", "2", None]
    assert headings[0][0] == "row same heading h3"
    assert headings[-1] == ("row same heading h5", None)


def test_each_part_has_its_label(inside: TestClient) -> None:
    """Notes and comments have the numbers of their marks."""
    labels = [item.text_content() for item in _rows(inside).find_class("part")]
    assert labels[:3] == ["Header", "Footnote 1", "Comment 1"]


def _shown_parts(rows: Any, side: str = "result") -> list[tuple[str, list[str]]]:
    """Return what the page says, part by part; tables as a part of their own, a line a cell."""
    found: list[tuple[str, list[str]]] = []

    def add(label: str, lines: list[str]) -> None:
        if found and found[-1][0] == label != "table":
            found[-1][1].extend(lines)
        else:
            found.append((label, lines))

    def texts(item: Any) -> list[str]:
        return [row.text_content() for row in item.find_class(side)]

    for item in (item for stretch in rows for item in stretch):
        if item.tag == "table":
            # A cell merged with others has the empty lines of these, too.
            add("table", ["\n".join(texts(cell)).strip("\n") for cell in item.iter("td")])
        elif item.get("class") == "beside":
            add(item.get("aria-label"), texts(item))
        else:
            add("", texts(item))
    return found


_SPANNING = (
    "<w:tbl><w:tr>"
    f'<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("Ada Byron and Ben Cole")}</w:tc>'
    f'<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{paragraph("both")}</w:tc></w:tr><w:tr>'
    f"<w:tc>{paragraph('Ada Byron')}</w:tc>"
    '<w:tc><w:p><w:r><w:t>Kentville</w:t><w:endnoteReference w:id="5"/></w:r></w:p></w:tc>'
    "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>"
)
_LETTERHEAD, _PAGE = paragraph("Office of Ben Cole"), paragraph("Page of Ada Byron")
RICH = build(
    _styled("On Ada Byron", '<w:outlineLvl w:val="0"/>')
    + '<w:p><w:r><w:t>Ada Byron wrote</w:t><w:footnoteReference w:id="7"/></w:r>'
    '<w:del w:author="Eve"><w:r><w:delText>to Eve Byron</w:delText></w:r></w:del>'
    '<w:ins w:author="Eve"><w:r><w:t xml:space="preserve"> to Ben Cole.</w:t></w:r></w:ins></w:p>'
    + paragraph("Nothing else.")
    + _SPANNING
    + '<w:p><w:r><w:t>The end of Ada Byron.</w:t><w:commentReference w:id="1"/></w:r></w:p>'
    + '<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="rheader"/>'
    '<w:footerReference w:type="first" r:id="rfooter"/></w:sectPr></w:pPr></w:p>'
    + paragraph("Appendix by Ben Cole")
    + "<w:sectPr/>",
    {
        "header": "<w:p/>" + _LETTERHEAD,
        "footer": _PAGE,
        "footnotes": '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
        f'<w:footnote w:id="7">{paragraph("See Eve Byron.")}{paragraph("And Kentville.")}</w:footnote>',
        "endnotes": f'<w:endnote w:id="5">{paragraph("Near Kentville.")}</w:endnote>',
        "comments": f'<w:comment w:id="1">{paragraph("Is Ada Byron right?")}</w:comment>',
    },
    ties=(("rlink", "hyperlink", "https://example.org/ada"),),
    files={
        "docProps/core.xml": b'<cp:coreProperties xmlns:dc="http://purl.org/dc/elements/1.1/" '
        b'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties">'
        b"<dc:title>Life of Ada Byron</dc:title></cp:coreProperties>"
    },
)


def test_each_part_stands_where_it_belongs_and_says_what_leaves(
    made: Service, inside: TestClient
) -> None:
    """Headers above, footers below, notes under their paragraph or table: as the exported file has them."""
    rows = _shown(made, inside, RICH)
    shown = [(label, [line for line in lines if line]) for label, lines in _shown_parts(rows)]
    data = inside.get("/documents/2/result?format=same").content
    w = f"{{{W}}}"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        trees = {
            name.rpartition("/")[2].removesuffix(".xml").rstrip("1"): etree.fromstring(
                archive.read(name)
            )
            for name in archive.namelist()
            if name.endswith(".xml")
        }
        ties = etree.fromstring(archive.read("word/_rels/document.xml.rels"))
    (address,) = [item.get("Target") for item in ties if item.get("TargetMode")]

    def lines(root: Any) -> list[str]:
        texts = ["".join(t.text for t in p.iter(f"{w}t")) for p in root.iter(f"{w}p")]
        return [text for text in texts if text]

    heading, wrote, nothing, table, end, _, appendix, *_ = trees["document"][0]
    cells = ["\n".join(lines(cell)) for cell in table.iter(f"{w}tc")]
    exported = [
        ("Header", lines(trees["header"])),
        ("", lines(heading) + lines(wrote)),
        ("Footnote 1", lines(trees["footnotes"])),
        ("", lines(nothing)),
        ("table", [cell for cell in cells if cell]),
        ("Endnote 1", lines(trees["endnotes"])),
        ("", lines(end)),
        ("Comment 1", lines(trees["comments"])),
        ("Footer of the first page", lines(trees["footer"])),
        ("", lines(appendix)),
        ("Property of the file: title", [trees["core"][0].text]),
        ("Addresses of links", [unquote(address)]),
    ]
    assert [item for item in shown if item[1]] == exported
    assert ("", ["On [PERSON 1]", "[PERSON 1] wrote to [PERSON 2]."]) in exported
    assert [item.get("colspan") for item in rows.iter("td")] == ["2", None, None, None]
    assert [item.get("rowspan") for item in rows.iter("td")] == [None, "2", None, None]
    text = made.open(2).reviewed.sanitized.text
    assert sorted(line for _, parts in shown for line in parts for line in line.split("\n")) == (
        sorted(line for line in text.split("\n") if line)
    )


def test_another_reader_finds_the_body_of_the_page_in_the_exported_file(
    made: Service, inside: TestClient
) -> None:
    """Paragraphs and cells, with those that span several."""
    docx = pytest.importorskip("docx")
    rows = _shown(made, inside, RICH)
    document = docx.Document(io.BytesIO(inside.get("/documents/2/result?format=same").content))
    parts = _shown_parts(rows)
    body = [line for label, lines in parts if not label for line in lines if line]
    assert body == [item.text for item in document.paragraphs if item.text]
    (table,) = document.tables
    assert _grid(rows) == _grid_of(table)
    assert _grid(rows)[1, 2] == "both"


def _grid(rows: Any, side: str = "result") -> dict[tuple[int, int], str]:
    """Return the words of a table on the page at each place of its grid, as a browser puts them."""
    grid: dict[tuple[int, int], str] = {}
    for number, row in enumerate(rows.iter("tr")):
        column = 0
        for cell in row.iter("td"):
            column = next(place for place in count(column) if (number, place) not in grid)
            text = "\n".join(item.text_content() for item in cell.find_class(side))
            for down in range(int(cell.get("rowspan") or 1)):
                for right in range(int(cell.get("colspan") or 1)):
                    grid[number + down, column + right] = text.strip("\n")
    return grid


def _grid_of(table: Any) -> dict[tuple[int, int], str]:
    """Return the same of a table that python-docx has read."""
    return {
        (number, column): cell.text
        for number, row in enumerate(table.rows)
        for column, cell in enumerate(row.cells)
    }


def _merged(text: str, *, first: bool, columns: int = 1) -> str:
    value = ' w:val="restart"' if first else ""
    span = f'<w:gridSpan w:val="{columns}"/>' if columns > 1 else ""
    body = paragraph(text) if text else "<w:p/>"
    return f"<w:tc><w:tcPr>{span}<w:vMerge{value}/></w:tcPr>{body}</w:tc>"


def _plain(text: str) -> str:
    return f"<w:tc>{paragraph(text)}</w:tc>"


@pytest.mark.parametrize(
    "table",
    [
        # The first column, over all rows.
        [
            (_merged("Ada Byron", first=True), _plain("born"), _plain("1815")),
            (_merged("", first=False), _plain("came to"), _plain("Kentville")),
            (_merged("", first=False), _plain("met"), _plain("Ben Cole")),
        ],
        # Two columns at once in the middle, then others.
        [
            (_plain("a"), _merged("Ada Byron", first=True, columns=2), _plain("d")),
            (_plain("e"), _merged("", first=False, columns=2), _plain("h")),
            (_plain("i"), _plain("j"), _plain("k"), _merged("Ben Cole", first=True)),
            (_plain("m"), _plain("n"), _plain("o"), _merged("", first=False)),
        ],
        # One above the other, and the last of a row.
        [
            (_plain("a"), _merged("Ada Byron", first=True)),
            (_plain("b"), _merged("", first=False)),
            (_plain("c"), _merged("Ben Cole", first=True)),
            (_plain("d"), _merged("", first=False)),
        ],
    ],
)
def test_cells_merged_from_top_to_bottom_are_those_of_the_exported_file(
    made: Service, inside: TestClient, table: list[tuple[str, ...]]
) -> None:
    """Place by place of the grid, as another reader finds it in the file that leaves."""
    docx = pytest.importorskip("docx")
    columns = "<w:gridCol/>" * max(
        sum(2 if "gridSpan" in cell else 1 for cell in row) for row in table
    )
    body = "".join(f"<w:tr>{''.join(row)}</w:tr>" for row in table)
    word = build(f"<w:tbl><w:tblPr/><w:tblGrid>{columns}</w:tblGrid>{body}</w:tbl>")
    rows = _shown(made, inside, word)
    exported = docx.Document(io.BytesIO(inside.get("/documents/2/result?format=same").content))
    assert _grid(rows) == _grid_of(exported.tables[0])
    assert "[PERSON 1]" in _grid(rows).values()
    assert "Ada Byron" in _grid(rows, "original").values()


def test_what_stands_in_a_cell_that_is_merged_away_is_shown_all_the_same(
    made: Service, inside: TestClient
) -> None:
    """It leaves with the file: below the words of the cell it is merged with, and before the notes."""
    note = '<w:p><w:r><w:t>met</w:t><w:footnoteReference w:id="7"/></w:r></w:p>'
    table = (
        f"<w:tbl><w:tr>{_merged('Ada Byron', first=True)}{_plain('one')}</w:tr>"
        f"<w:tr>{_merged('and Ben Cole', first=False)}<w:tc>{note}</w:tc></w:tr>"
        # Nothing to be merged with, and a row of merged cells alone.
        f"<w:tr>{_plain('two')}{_merged('three', first=False)}</w:tr>"
        f"<w:tr>{_merged('four', first=True)}{_merged('five', first=True)}</w:tr>"
        f"<w:tr>{_merged('', first=False)}{_merged('hidden', first=False)}</w:tr>"
        f"<w:tr>{_plain('six')}{_plain('seven')}</w:tr></w:tbl>"
    )
    rows = _shown(
        made, inside, build(table, {"footnotes": f'<w:footnote w:id="7">{note}</w:footnote>'})
    )
    assert _grid(rows) == {
        (0, 0): "[PERSON 1]\nand [PERSON 2]",
        (1, 0): "[PERSON 1]\nand [PERSON 2]",
        (0, 1): "one",
        (1, 1): "met",
        (2, 0): "two",
        (2, 1): "three",
        (3, 0): "four",
        (4, 0): "four",
        (3, 1): "five\nhidden",
        (4, 1): "five\nhidden",
        (5, 0): "six",
        (5, 1): "seven",
    }
    (stretch,) = rows
    assert [item.get("class") for item in stretch][:2] == ["table", "beside"]
    text = made.open(2).reviewed.sanitized.text
    shown = [item.text_content() for item in rows.find_class("result")]
    assert sorted(shown) == sorted(text.split("\n"))


def test_what_is_written_is_the_same_however_it_is_shown(made: Service, inside: TestClient) -> None:
    """Offsets and rows are those of the text, in its order."""
    rows = _shown(made, inside, RICH)
    text = made.open(2).reviewed.sanitized.document.text
    sides = rows.find_class("original")
    starts = {int(item.get("data-start")): item.text_content() for item in sides}
    assert all(text.startswith(shown, start) for start, shown in starts.items())
    numbers = [int(item.getparent().get("id").removeprefix("row-")) for item in sides]
    assert sorted(numbers) == list(range(len(numbers)))
    assert numbers != sorted(numbers)


def test_parts_that_refer_to_one_another_have_an_end(made: Service, inside: TestClient) -> None:
    """A note with its own mark, and a chain of a thousand notes, are shown somewhere."""
    notes = "".join(
        f'<w:footnote w:id="{n}"><w:p><w:r><w:t>Note {n}</w:t>'
        f'<w:footnoteReference w:id="{n + (n != 1000)}"/></w:r></w:p></w:footnote>'
        for n in range(1, 1001)
    )
    body = '<w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id="1"/></w:r></w:p>'
    rows = _shown(made, inside, build(body, {"footnotes": notes}))
    shown = [item.text_content() for item in rows.find_class("result")]
    assert shown[:3] == ["Text", "Note 1", "Note 2"]
    assert len(set(shown)) == 1002


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
    rows = {
        int(item.getparent().get("id").removeprefix("row-")): item.text_content()
        for item in _rows(inside).find_class("result")
    }
    shown = [rows[number] for number in range(len(rows))]
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
