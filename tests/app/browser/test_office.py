"""A Word file is brought, reviewed and saved, and what points to the person together is seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tacenda.app.intake import from_upload
from tacenda.app.review.indicators import Background
from tacenda.app.store.documents import NewDocument
from tacenda.app.web.access import Access
from tacenda.document import Document

from ...documents.building_docx import build, entries, paragraph
from ..building import MEMO, knowledge, service
from ..test_background import LETTER_OF_ADA
from ..web.test_layout import RICH
from .conftest import Site, follow, running, tab
from .test_accessibility import NARROW, check, check_looks

pytestmark = pytest.mark.browser
pytest.importorskip("lxml.etree")


@pytest.fixture
def known(tmp_path: Path) -> Iterator[Site]:
    """Return a site whose projects are decided by what an adversary knows, too."""
    background = Background(knowledge(tmp_path))
    scan = NewDocument(Document("scan.pdf", MEMO), notes=("page 3: without text.",))
    made = service(tmp_path, LETTER_OF_ADA, scan, background=background)
    with running(made, Access("Ann")) as found:
        yield found
    made.store.close()


def _saved(page: Any, name: str) -> bytes:
    page.locator("summary", has_text="Save").click()
    with page.expect_download() as download:
        page.locator(".sheet a", has_text=name).click()
    page.locator("summary", has_text="Save").click()
    return Path(download.value.path()).read_bytes()


def test_a_word_file_goes_through_the_whole_review(chromium: Any, site: Site) -> None:
    """Uploaded, a decision taken in its table, saved as .docx with its style, and recorded."""
    run = "<w:r><w:rPr><w:b/></w:rPr><w:t>Kentville</w:t></w:r>"
    cells = f"<w:tc><w:p>{run}</w:p></w:tc><w:tc>{paragraph('seat')}</w:tc>"
    word = build(paragraph("Dear Ada Byron,") + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>")
    with tab(chromium, site) as page:
        file = {"name": "letter.docx", "mimeType": "application/octet-stream", "buffer": word}
        page.locator("#to-new").click()
        page.locator("#name").fill("Office")
        page.locator("#files").set_input_files(file)
        page.locator("#begin").click()
        page.wait_for_selector("#next-document")
        page.wait_for_selector("#queue:not([data-waiting])")
        follow(page, page.locator("#next-document"))
        page.locator(".original .m", has_text="Kentville").click()
        page.locator("#why button", has_text="Mask").first.click()
        page.wait_for_selector('#figures[data-revision="1"]')
        cells = page.locator(".table td .result")
        assert [cell.text_content() for cell in cells.all()] == ["[PLACE 1]", "seat"]
        check(page)
        main = entries(_saved(page, "In its own format (.docx)"))["word/document.xml"]
        assert b"<w:b/>" in main
        assert b"[PLACE 1]" in main
        assert b"Kentville" not in main
        record = json.loads(_saved(page, "Record as JSON"))
        (act,) = record["documents"][0]["acts"]
        assert (act["person"], act["value"]) == ("Ann", "mask")
        assert b"Audit record" in _saved(page, "Record to print")


def test_what_points_to_the_person_together_is_shown_and_broken(chromium: Any, known: Site) -> None:
    """Keep the masked one, and the other is masked at once; keep both, and the page warns."""
    with tab(chromium, known, known.at("/documents/1")) as page:
        shown = "\n".join(page.locator(".row .result").all_inner_texts())
        kept, other = ("Kentville", "12 March 1994")
        if kept not in shown:
            kept, other = other, kept
        for revision, label in ((1, other), (2, kept)):
            page.locator("#entities .entity", has_text=label).click()
            page.wait_for_selector(f'#why h2:text-is("{label}")')
            page.wait_for_selector("#why .together")
            page.keyboard.press("k")
            page.wait_for_selector(f'#figures[data-revision="{revision}"]')
            result = "\n".join(page.locator(".row .result").all_inner_texts())
            assert label in result
            assert (kept in result) == (revision == 2)
        page.wait_for_selector("#why .left .fault")
        assert "1 combination left" in page.locator("#figures").inner_text()
        page.locator("#filter-state").select_option("together")
        assert page.locator("#entities li:visible").count() == 2
        page.locator("#why .companion").first.click()
        page.wait_for_selector(f'#why h2:text-is("{other}")')
        check(page)


def test_the_wide_menu_and_the_notes_have_no_violations(chromium: Any, known: Site) -> None:
    """The list of what can be saved, open, in a narrow window too; and what is wrong in red."""
    with tab(chromium, known, known.at("/projects/1"), **NARROW) as page:
        check_looks(page)
        page.goto(known.at("/documents/2"))
        assert page.locator(".notes").is_visible()
        check_looks(page)
        page.goto(known.at("/documents/1"))
        page.wait_for_selector("#review[data-sheet]")
        page.keyboard.press("s")
        assert page.locator(".menu .sheet").is_visible()
        check_looks(page)


def test_a_review_leads_to_annotation_mode(chromium: Any, site: Site) -> None:
    """Names, a click, and the address of the first annotator opens the same documents, marked."""
    with tab(chromium, site, site.at("/projects/1")) as page:
        page.locator("summary", has_text="Annotate").click()
        page.locator("#annotators").fill("ann, ben")
        page.locator('input[name="marked"]').check()
        page.locator(".annotation button").click()
        page.wait_for_selector("#annotation-places a")
        check(page)
        address = page.locator("#annotation-places a").first.get_attribute("href")
    with tab(chromium, Site(site.service, f"{site.root}{address}")) as annotating:
        follow(annotating, annotating.locator("a", has_text="d1.txt"))
        annotating.wait_for_selector("#rows")
        assert annotating.locator("#rows .m.PERSON").count() >= 4


def test_the_parts_of_a_word_file_are_gone_through_as_they_stand(chromium: Any, site: Site) -> None:
    """N goes down the page, from the header over notes to the footer; what is between two parts is not selected."""
    made = site.service
    project = made.add_project("Rich", from_upload("rich.docx", RICH))
    (row,) = made.store.documents.of(project.id)
    made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    with tab(chromium, site, site.at(f"/documents/{row.id}"), **NARROW) as page:
        check_looks(page)
        seen = page.evaluate(
            "() => [...new Set([...document.querySelectorAll('#rows .m')].map((m) => m.dataset.e))]"
        )
        starts = [int(place.split("-")[0]) for place in seen]
        assert starts != sorted(starts)
        for place in seen:
            page.keyboard.press("n")
            page.wait_for_function(
                "(place) => document.querySelector('#rows .m.chosen')?.dataset.e === place",
                arg=place,
            )
        select = """([first, last]) => {
          const side = (words) => [...document.querySelectorAll("#rows .original")]
            .find((one) => one.textContent.includes(words));
          const range = document.createRange();
          range.setStart(side(first), 0);
          range.setEndAfter(side(last).lastChild);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
        }"""
        for first, last, is_offered in (
            ("Ada Byron wrote", "Nothing else", False),
            ("See Eve", "And Kentville", True),
        ):
            page.keyboard.press("Escape")
            page.evaluate(select, [first, last])
            page.keyboard.press("a")
            assert page.locator("#adder").is_visible() is is_offered
