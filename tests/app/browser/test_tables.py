"""A CSV file as a table, in a real browser: by keyboard, wide and narrow, light and dark."""

from __future__ import annotations

import csv
import io
from typing import Any
from zipfile import ZipFile

import pytest

from tacenda.app.intake import from_upload

from .conftest import Site, follow, tab
from .test_accessibility import NARROW, check_looks

pytestmark = pytest.mark.browser

_NOTE = "Ada Byron was seen by Ben Cole in Kentville on 12 March 1994, and wrote to Eve Byron."


@pytest.fixture
def table(site: Site) -> str:
    """Return the address of a table of 120 rows with two columns of text and two others."""
    made = site.service
    rows = "".join(f'{n},B,"{_NOTE}",Day {n}.\n' for n in range(1, 121))
    content = f"id,ward,note,summary\n{rows}".encode()
    project = made.add_project(
        "Ward", from_upload("visits.csv", content, columns=("note", "summary"))
    )
    for row in made.store.documents.of(project.id):
        made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    (file,) = made.store.lists.tables(project.id)
    return site.at(f"/projects/{project.id}/tables/{file.id}")


def test_a_table_has_no_violations(chromium: Any, site: Site, table: str) -> None:
    """Both sides, a chosen row, and the page of a row with its columns; no page is wider than the window."""
    with tab(chromium, site, f"{table}?row=7", **NARROW) as page:
        check_looks(page)
        page.goto(f"{table}?view=came&page=2")
        check_looks(page)
        follow(page, page.locator("#table tbody a").first)
        assert page.locator(".part").all_inner_texts() == ["note", "summary"]
        check_looks(page)
        page.goto(table.split("/tables/")[0])
        check_looks(page)


def test_a_table_is_gone_through_by_keyboard(chromium: Any, site: Site, table: str) -> None:
    """From the project to the table, over the end of its page, to the other side, into a row and back."""
    with tab(chromium, site, table.split("/tables/")[0]) as page:
        page.locator("#tables a").focus()
        with page.expect_navigation(url="**/tables/*"):
            page.keyboard.press("Enter")
        page.locator("#line").fill("100")
        with page.expect_navigation(url="**line=100*"):
            page.keyboard.press("Enter")
        assert _focused(page) == "row-100"
        page.keyboard.press("j")
        assert _focused(page) == "row-101"
        page.keyboard.press("j")
        page.wait_for_selector("#row-102.chosen")
        assert _focused(page) == "row-102"
        page.keyboard.press("v")
        page.wait_for_selector('#side-came[aria-current="true"]')
        page.wait_for_selector("#row-102.chosen")
        assert "Ada Byron was seen" in page.locator("#row-102").inner_text()
        page.keyboard.press("J")
        page.wait_for_selector("#row-101.chosen")
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.matches('#row-101 a')")
        with page.expect_navigation(url="**/documents/*"):
            page.keyboard.press("Enter")
        page.locator("#to-table").focus()
        with page.expect_navigation(url="**line=101*"):
            page.keyboard.press("Enter")
        assert _focused(page) == "row-101"


def _focused(page: Any) -> str:
    return str(page.evaluate("() => document.activeElement.id"))


def test_what_a_reader_sees_is_what_leaves(chromium: Any, site: Site, table: str) -> None:
    """The letters of the types are no text: what is selected and copied is the cell of the file."""
    with tab(chromium, site, table) as page:
        shown = [
            page.locator(f"#row-{number} td:not(.out)").all_inner_texts() for number in (2, 51, 101)
        ]
        badge = "(mark) => getComputedStyle(mark, '::after').content"
        assert '"P"' in page.locator("#row-2 .masked").first.evaluate(badge)
        address = table.split("/tables/")[0]
        archive = ZipFile(io.BytesIO(page.request.get(f"{address}/result?format=same").body()))
        written = list(csv.reader(io.StringIO(archive.read("visits.csv").decode())))
        assert shown == [written[1], written[50], written[100]]
        assert page.locator("thead th.out").count() == 2
