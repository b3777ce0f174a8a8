"""A CSV file as the table that it is: what the page shows as leaving is what leaves, cell by cell."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tacenda.app.intake import from_upload
from tacenda.app.service import Service
from tacenda.app.store.documents import Status
from tacenda.app.store.projects import ProjectRole
from tacenda.app.tables import IndexedTable
from tacenda.app.web.access import Access
from tacenda.app.web.keys import Key
from tacenda.documents.csv import CsvRow
from tests.waiting import until

from ...keys import KEY
from ..building import client, come_in, service

html = pytest.importorskip("lxml.html")

VISITS = (
    "\ufeffid;note;ward <b>;summary\r\n"
    "\r\n"
    '1;"Ada Byron; seen on 12 March 1994,\nwith ""Ben Cole"".";B;Kentville is near\r\n'
    "2;;C;<script>alert(1)</script> & Ada Byron\r\n"
    '"3";"Ben Cole\r\n\r\ncame.";"x;y";"Ben Cole"\r\n'
    "4;Nobody;D;nothing;5;6\r\n"
    '5;=Ada Byron+1;E;" Kentville  "\r\n'
).encode()


def begin(inside: TestClient, made: Service, content: bytes, *columns: str) -> str:
    """Begin a project of a table; return the address of its table."""
    count = len(made.store.projects.all())
    files = [("files", ("visits.csv", content, "text/csv"))]
    data = {"name": "Ward", "columns": json.dumps([columns])}
    answer = inside.post("/projects", data=data, files=files)
    assert answer.status_code == 204, answer.text
    until(lambda: not made.store.documents.waiting(1))
    (table,) = made.store.lists.tables(count + 1)
    return f"/projects/{count + 1}/tables/{table.id}"


def cells(inside: TestClient, address: str, *, out: bool = False) -> list[list[str]]:
    """Return the header and the rows of a page, as a reader sees them; of columns that leave, or of all."""
    page = html.fromstring(inside.get(address).text.encode())
    (table,) = page.find_class("sheet")
    for state in [
        *table.find_class("fate"),
        *table.find_class("place"),
        *table.find_class("quiet"),
    ]:
        state.getparent().remove(state)
    return [
        [
            cell.text_content().removesuffix(" " if row.getparent().tag == "thead" else "")
            for cell in row
            if out or "out" not in cell.classes
        ]
        for row in table.iter("tr")
    ]


def exported(inside: TestClient, made: Service, delimiter: str = ";") -> list[list[str]]:
    """Return the header and the rows of the file that leaves, as Python's own reader finds them."""
    with made.store.database.transaction() as connection:
        (project,) = connection.execute("SELECT max(id) FROM project").fetchone()
    archive = inside.get(f"/projects/{project}/result?format=same")
    assert archive.status_code == 200, archive.text
    content = zipfile.ZipFile(io.BytesIO(archive.content)).read("visits.csv").decode("utf-8-sig")
    return _read(content, delimiter)


def _read(content: str, delimiter: str = ";") -> list[list[str]]:
    """Return the rows with anything in them; HTML knows one line end only."""
    rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)
    return [[cell.replace("\r\n", "\n") for cell in row] for row in rows if row]


def decide(inside: TestClient, document: int, text: str, string: str, value: str) -> None:
    """Decide on a string of a document."""
    start = text.index(string)
    change = {"kind": "decide", "value": value, "spans": [[start, start + len(string)]]}
    data = {"revision": "0", "change": json.dumps(change)}
    assert inside.post(f"/documents/{document}/changes", data=data).status_code == 200


@pytest.mark.parametrize(
    "columns",
    [("note",), ("note", "summary"), ("summary", "note"), ("id", "note", "ward <b>", "summary")],
)
def test_the_table_is_the_one_that_leaves(
    inside: TestClient, made: Service, columns: tuple[str, ...]
) -> None:
    """Header and every cell, whatever is quoted, empty, missing or too much, and after a decision."""
    address = begin(inside, made, VISITS, *columns)
    assert cells(inside, address) == exported(inside, made)
    text = made.store.documents.text(1).text
    before = cells(inside, address)
    decide(inside, 1, text, "12 March 1994", "mask")
    after = cells(inside, address)
    assert after == exported(inside, made)
    assert after != before


def test_the_table_as_it_came_is_the_file(inside: TestClient, made: Service) -> None:
    """All columns, also those that are left out, which are empty on the other side."""
    address = begin(inside, made, VISITS, "note", "summary")
    header, *rows = _read(VISITS.decode("utf-8-sig"))
    came = cells(inside, f"{address}?view=came", out=True)
    assert came == [[*header, "", ""], *rows]
    leaves = cells(inside, address, out=True)
    assert [row[0] for row in leaves[1:]] == [""] * 5
    page = html.fromstring(inside.get(address).text)
    fates = [item.text_content() for item in page.find_class("fate")]
    assert fates == ["left out", "sanitized", "left out", "sanitized", "left out", "left out"]
    assert "<script>alert" not in inside.get(f"{address}?view=came").text


def test_marks_say_what_happens(inside: TestClient, made: Service) -> None:
    """Masked, doubtful and kept, with the letter of the type, on both sides."""
    address = begin(inside, made, b"note\nAda Byron saw Kentville\n", "note")

    def marks(side: str) -> list[tuple[str, str, str]]:
        (table,) = html.fromstring(inside.get(f"{address}?view={side}").text).find_class("sheet")
        return [
            (mark.text_content(), mark.get("class"), mark.get("data-badge"))
            for mark in table.find_class("outcome")
        ]

    assert marks("leaves") == [
        ("[PERSON 1]", "outcome masked", "P"),
        ("Kentville", "outcome doubtful", "L"),
    ]
    assert marks("came")[0] == ("Ada Byron", "outcome masked", "P")
    decide(inside, 1, "Ada Byron saw Kentville", "Kentville", "keep")
    assert marks("leaves")[1] == ("Kentville", "outcome kept", "L")


def test_what_was_masked_and_stays_readable_is_a_leak(inside: TestClient, made: Service) -> None:
    """A place that a reviewer leaves though the name is masked elsewhere."""
    address = begin(inside, made, b"note\nAda Byron met Ada Byron\n", "note")
    change = {"kind": "decide_mention", "value": "keep", "spans": [[0, 9]]}
    data = {"revision": "0", "change": json.dumps(change)}
    assert inside.post("/documents/1/changes", data=data).status_code == 200
    (table,) = html.fromstring(inside.get(address).text).find_class("sheet")
    assert [mark.text_content() for mark in table.find_class("leak")] == ["Ada Byron"]


def test_a_table_comes_in_pages(inside: TestClient, made: Service) -> None:
    """Of a hundred rows, each of at most 300 KB, and one leads to the row that is asked for."""
    lines = "".join(f"{n},Ada Byron saw Kentville on day {n}.\n" for n in range(1, 251))
    address = begin(inside, made, f"id,note\n{lines}".encode(), "note")
    shown = [cells(inside, f"{address}?page={number}")[1:] for number in (1, 2, 3)]
    assert [len(rows) for rows in shown] == [100, 100, 50]
    assert [row for rows in shown for row in rows] == exported(inside, made, ",")[1:]
    assert cells(inside, f"{address}?page=99") == cells(inside, f"{address}?page=3")
    page = inside.get(f"{address}?line=202").text
    assert 'id="row-202" tabindex="-1" class="chosen"' in page
    assert "lines 202 to 251" in page
    assert 'rel="next"' not in page
    assert inside.get(f"{address}?page=0").status_code == 422


def test_a_page_of_long_or_dense_rows_is_small(inside: TestClient, made: Service) -> None:
    """At most 300 KB; of a cell that is too long the number of its other characters is said."""
    dense = "".join(f'{n},"{"Ada Byron & " * 300}"\n' for n in range(30))
    address = begin(inside, made, f"id,note\n{dense}".encode(), "note")
    sizes = [len(inside.get(f"{address}?page={number}").content) for number in (1, 2)]
    assert max(sizes) < 300_000
    assert min(sizes) > 50_000
    long = "Nobody was there. " * 20_000
    address = begin(inside, made, f"id,note\n1,{long}\n".encode(), "note")
    page = inside.get(address)
    assert len(page.content) < 300_000
    shown, _, rest = cells(inside, address)[1][0].partition("… and ")
    assert long.startswith(shown)
    assert int(rest.split()[0].replace(",", "")) == len(long) - len(shown)


def test_a_row_leads_to_its_document_and_back(inside: TestClient, made: Service) -> None:
    """Each row says how far it is, and has the number that its document is named by: that of its first line."""
    address = begin(inside, made, VISITS, "note")
    assert f'href="{_actual(made, address)}"' in inside.get("/projects/1").text
    table = html.fromstring(inside.get(address).text)
    document = made.store.documents.of(1)[2]
    line = document.name.removeprefix("visits.csv:")
    (link,) = table.get_element_by_id(f"row-{line}").xpath(".//a")
    assert link.get("href") == f"/documents/{document.handle}"
    back = html.fromstring(inside.get(link.get("href")).text).get_element_by_id("to-table")
    assert back.text_content() == f"Line {line} of the table"
    assert back.get("href").endswith(f"{_actual(made, address)}?line={line}")
    data = {"revision": "0", "change": json.dumps({"kind": "done", "value": "yes"})}
    inside.post(f"/documents/{document.id}/changes", data=data | {"unfinished": "true"})
    row = html.fromstring(inside.get(address).text).get_element_by_id(f"row-{line}")
    assert "reviewed by Ann" in row.text_content()


def _actual(made: Service, address: str) -> str:
    return address.replace("/projects/1", f"/projects/{made.project(1).handle}")


def test_a_file_that_ends_in_blank_lines_has_no_row_of_them(
    inside: TestClient, made: Service
) -> None:
    """Its last document has no text and stands in no row; an empty table has none at all."""
    address = begin(inside, made, b"note\nAda Byron\n\n\n", "note")
    assert cells(inside, address) == [["note"], ["[PERSON 1]"]]
    assert len(made.store.documents.of(1)) == 2
    assert "to-table" in inside.get("/documents/1").text
    assert "to-table" not in inside.get("/documents/2").text
    assert "a table of 1 row<" in inside.get("/projects/1").text
    address = begin(inside, made, b"note\n", "note")
    assert cells(inside, address) == [["note"]]


def test_a_row_that_waits_is_shown_as_it_came_only(tmp_path: Path) -> None:
    """What will leave is not known before the analysis."""
    made = service(tmp_path)
    new = from_upload("visits.csv", b"note\nAda Byron\nBen Cole\n", columns=("note",))
    project = made.add_project("Ward", new)
    first, second = made.store.documents.of(project.id)
    made.analysed(first.id, made.sanitizer.analyze(made.store.documents.text(first.id)))
    made.store.documents.failed(second.id, "too long")
    outside = client(made, Access("Ann"))
    come_in(outside)
    (table,) = made.store.lists.tables(project.id)
    address = f"/projects/{project.id}/tables/{table.id}"
    assert made.store.documents.get(second.id).status is Status.FAILED
    assert cells(outside, address)[1:] == [["[PERSON 1]"], ["too long"]]
    assert cells(outside, f"{address}?view=came")[1:] == [["Ada Byron"], ["Ben Cole"]]
    made.store.close()


def test_another_file_than_the_reviewed_one_is_refused(inside: TestClient, made: Service) -> None:
    """Rows are never shown with the decisions on others; and what is no table is not there."""
    address = begin(inside, made, b"note\nAda Byron\n", "note")
    with made.store.database.transaction() as connection:
        connection.execute("UPDATE file SET content = ?", (b"note\nBen Cole\n",))
    answer = inside.get(address)
    assert answer.status_code == 422
    assert "not the one that was reviewed" in answer.text
    assert inside.get("/projects/1/tables/99").status_code == 404
    assert inside.get("/projects/1/tables/x").status_code == 422


def test_a_table_is_seen_by_those_who_see_its_project_only(
    made: Service, inside: TestClient
) -> None:
    """Others are told that there is none, and nobody sees it by way of another project."""
    address = begin(inside, made, b"note\nAda Byron\n", "note")
    begin(inside, made, b"note\nBen Cole\n", "note")
    other = address.replace("/projects/1", "/projects/2")
    assert inside.get(address).status_code == 200
    assert inside.get(other).status_code == 404
    keys = {"ann": Key.of(KEY), "ben": Key.of(KEY[::-1])}
    outside = client(made, Access("Ann", keys))
    seen = {}
    made.store.projects.set_members(1, {"ben": ProjectRole.REVIEWER})
    for name, key in (("ann", KEY), ("ben", KEY[::-1])):
        answer = outside.get(address, headers={"Authorization": f"Bearer {key}"})
        seen[name] = (answer.status_code, "[PERSON 1]" in answer.text)
    assert seen == {"ann": (404, False), "ben": (200, True)}
    assert outside.get(address).status_code in (303, 401)


def test_columns_of_a_row_are_named_on_its_page(inside: TestClient, made: Service) -> None:
    """Each with its text, where there are several; and one name is markup."""
    begin(inside, made, VISITS, "summary", "note", "ward <b>")
    rows = html.fromstring(inside.get("/documents/2").text).get_element_by_id("rows")
    assert [item.text_content() for item in rows.find_class("part")] == [
        "summary",
        "note",
        "ward <b>",
    ]
    shown = [
        item.text_content()
        if "part" in item.classes
        else item.find_class("result")[0].text_content()
        for stretch in rows
        for item in stretch
    ]
    assert shown == [
        "summary",
        "<script>alert(1)</script> & [PERSON 1]",
        "note",
        "",
        "ward <b>",
        "C",
    ]
    begin(inside, made, VISITS, "note")
    document = made.store.documents.of(2)[0]
    assert b'class="part"' not in inside.get(f"/documents/{document.handle}").content


@pytest.mark.parametrize("ending", ["jsonl", "xlsx"])
def test_fields_of_other_records_are_named_too(
    inside: TestClient, made: Service, ending: str
) -> None:
    """By their paths."""
    content = b'{"a": "Ada Byron", "b": {"c": "Ben Cole"}}\n'
    columns = ["a", "b.c"]
    if ending == "xlsx":
        openpyxl = pytest.importorskip("openpyxl")
        book, stream = openpyxl.Workbook(), io.BytesIO()
        for line in (["a", "b.c"], ["Ada Byron", "Ben Cole"]):
            book.active.append(line)
        book.save(stream)
        content, columns = stream.getvalue(), ["Sheet.a", "Sheet.b.c"]
    files = [("files", (f"n.{ending}", content, "x/x"))]
    data = {"name": "Ward", "columns": json.dumps([columns])}
    assert inside.post("/projects", data=data, files=files).status_code == 204
    until(lambda: not made.store.documents.waiting(1))
    document = made.store.documents.of(1)[-1]
    rows = html.fromstring(inside.get(f"/documents/{document.id}").text).get_element_by_id("rows")
    assert [item.text_content() for item in rows.find_class("part")] == columns


def test_a_row_of_a_thousand_columns_fits_on_a_page() -> None:
    """Cells are cut before the page is too large."""
    columns = [f"c{number}" for number in range(1000)]
    content = f"{','.join(columns)}\n{','.join(['x' * 900] * 1000)}\n".encode()
    (new,) = from_upload("wide.csv", content, columns=columns)
    assert new.file is not None
    index = IndexedTable.of(new.file)
    assert index.longest == 100
    assert isinstance(index.rows[0], CsvRow)


def test_a_deleted_table_is_forgotten(inside: TestClient, made: Service) -> None:
    """Nothing that was read of its file stays in memory."""
    address = begin(inside, made, VISITS, "note", "summary")
    assert inside.get(address).status_code == 200
    assert inside.get("/documents/1").status_code == 200
    (file,) = made.store.lists.tables(1)
    key, document = (made.project(1).handle, file.id), made.store.documents.get(1).handle
    readings = made.readings
    assert readings.tables.get(key) is not None
    assert readings.blocks.get(document)
    assert inside.post("/projects/1/delete").status_code == 204
    assert readings.tables.get(key) is None
    assert readings.blocks.get(document) is None
