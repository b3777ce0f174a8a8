"""A PDF page by page: boxes lie over what is masked, decisions are made on them, and they are what leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tacenda.app.intake import from_upload
from tacenda.app.service import Service
from tacenda.app.web.access import Access
from tests.waiting import until

from ..building import service
from .conftest import Site, painted, running, tab
from .selecting import drag, words_over
from .test_accessibility import NARROW, check_looks

pytestmark = pytest.mark.browser
pytest.importorskip("reportlab")
pypdfium2 = pytest.importorskip("pypdfium2")
np = pytest.importorskip("numpy")

from tacenda.documents.pdf.setting import render  # noqa: E402

TEXT = (
    "Ada Byron wrote to Ben Cole on 12 March 1994 from Kentville.\fThe mother of Ada Byron did not."
)
_PLACES = """(kind) => [...document.querySelectorAll(`#pages .box[data-kind="${kind}"]`)]
  .filter((box) => box.checkVisibility())
  .map((box) => [Number(box.closest("figure").id.split("-")[1]), ...box.dataset.box.split(" ").map(Number)])"""


@pytest.fixture
def paged(tmp_path: Path) -> Iterator[Site]:
    """Return a site with a PDF of two pages."""
    made: Service = service(tmp_path)
    made.add_project("Office", from_upload("scan.pdf", render(TEXT, ""), ()), owner="Ann")
    with running(made, Access("Ann")) as found:
        until(lambda: not made.store.documents.waiting(1))
        yield found
    made.store.close()


@pytest.fixture
def page(chromium: Any, paged: Site) -> Iterator[Any]:
    """Return a tab with the PDF open at its pages."""
    with tab(chromium, paged, paged.at("/documents/1")) as found:
        found.wait_for_selector("#pages .box.m")
        found.wait_for_selector("#page-1.fitted")
        yield found


def test_the_bar_of_a_pdf_takes_two_lines(page: Any) -> None:
    """With all five views, before and after the document is reviewed; *More* unfolds the rest."""
    for is_reviewed in (False, True):
        if is_reviewed:
            page.set_viewport_size({"width": 1400, "height": 800})
            page.locator('#undo-redo [data-value="yes"]').click()
            page.locator("#unfinished [value=anyway]").click()
            page.wait_for_selector('#figures[data-done="1"]')
        for width in (720, 768, 900, 1024, 1200, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            painted(page)
            tops = page.evaluate(
                """() => [...document.querySelectorAll(".review-bar :is(h1, button, a.button, summary)")]
                  .filter((item) => item.checkVisibility()).map((item) => item.getBoundingClientRect())
                  .map((box) => Math.round((box.top + box.height / 2) / 20))"""
            )
            assert len(set(tops)) <= 2, width
            assert not page.get_by_text("Log out").is_visible()
    page.locator("#bar-toggle").click()
    assert page.get_by_text("Log out").is_visible()


def _saved(page: Any) -> bytes:
    page.locator("summary", has_text="Save").click()
    with page.expect_download() as download:
        page.locator(".sheet a, .menu a", has_text="In its own format (PDF)").click()
    return Path(download.value.path()).read_bytes()


def test_a_decision_is_made_on_the_page(page: Any) -> None:
    """A click on a box chooses what lies under it; the box says what happens, also after a key."""
    box = page.locator("#pages .box.m.doubtful").first
    assert "12 March 1994" in box.get_attribute("aria-label")
    # The words of the line lie over it.
    place = box.bounding_box()
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.wait_for_selector('#why h2:text-is("12 March 1994")')
    page.keyboard.press("m")
    page.wait_for_selector('#figures[data-revision="1"]')
    page.wait_for_selector("#pages .box.m.masked.hand")
    page.wait_for_selector('#why h2:text-is("Kentville")')
    until(lambda: page.evaluate("() => document.activeElement.dataset.s") == "50-59")
    assert page.evaluate("() => document.activeElement.matches('.box.m')")


def test_boxes_of_what_leaves_are_black_in_the_file(page: Any) -> None:
    """Each box shown as leaving is black in the file that is saved, and nothing else became black."""
    page.locator('button[data-view="leaving"]').click()
    shown = page.evaluate(_PLACES, "r")
    assert {place[0] for place in shown} == {1, 2}
    labels = page.locator("#pages .box.r").all_inner_texts()
    assert "PERSON 1" in labels
    before, after = (pypdfium2.PdfDocument(data) for data in (render(TEXT, ""), _saved(page)))
    covered = 0
    for number in (1, 2):
        old, new = (
            np.asarray(pdf[number - 1].render(scale=3).to_pil().convert("L"))
            for pdf in (before, after)
        )
        high, wide = new.shape
        boxes = np.zeros(new.shape, dtype=bool)
        for at, left, top, width, height in shown:
            if at == number:
                # The edges of a box fall between dots.
                rows = slice(int(top * high / 100), int((top + height) * high / 100) + 1)
                boxes[rows, int(left * wide / 100) : int((left + width) * wide / 100) + 1] = True
        black = (new < 40) & (old > 200)
        covered += np.count_nonzero(black)
        assert not np.any(black & ~boxes)
    assert covered > 1000


def test_what_is_selected_on_a_page_is_masked(page: Any) -> None:
    """The words under the pointer are those of the text, and a box comes over them."""
    line = page.locator("#page-2 .line").first
    line.scroll_into_view_if_needed()
    page.wait_for_selector("#page-2.fitted")
    painted(page)
    assert line.inner_text().startswith("The mother")
    box = line.bounding_box()
    middle = box["y"] + box["height"] / 2
    words = page.evaluate(
        """() => { const line = document.querySelector("#page-2 .line"); const range = document.createRange();
          range.setStart(line.firstChild, 4); range.setEnd(line.firstChild, 10);
          const found = range.getBoundingClientRect(); return [found.left, found.right]; }"""
    )
    page.mouse.move(words[0] + 1, middle)
    page.mouse.down()
    page.mouse.move(words[1] - 1, middle, steps=5)
    page.mouse.up()
    page.wait_for_selector("#adder:not([hidden])")
    page.locator("#adder-add").click()
    page.wait_for_selector('#figures[data-revision="1"]')
    until(
        lambda: (
            "mother"
            in " ".join(
                box.get_attribute("aria-label") or ""
                for box in page.locator("#page-2 .box.m").all()
            )
        )
    )


def test_words_of_a_page_are_selected_whole_unless_alt_is_held(page: Any) -> None:
    """Whoever stops a letter short masks no piece of a word."""
    line, text = "#page-2 .line", TEXT.partition("\f")[2]
    page.locator(line).first.scroll_into_view_if_needed()
    page.wait_for_selector("#page-2.fitted")
    for start, end in ((4, 9), (6, 10), (1, 6), (9, 2)):
        first, last = sorted((start, end))
        assert drag(page, line, start, end) == words_over(text, first, last)
        page.keyboard.press("Escape")
        page.keyboard.down("Alt")
        assert drag(page, line, start, end) == text[first:last]
        page.keyboard.up("Alt")
        page.keyboard.press("Escape")


def test_a_drag_over_boxes_selects_the_words_below(page: Any) -> None:
    """Wherever it begins and ends: on a box, between two, or on words without one."""
    text = TEXT.partition("\f")[0]
    assert page.locator("#page-1 .box.m").count() == 4
    for first, last in (("Ada", "wrote"), ("wrote", "Ben"), ("Cole", "March"), ("March", "Byron")):
        start, end = (text.index(word) + 1 for word in (first, last))
        selected = drag(page, "#page-1 .line", start, end)
        assert selected == words_over(text, *sorted((start, end)))
        page.keyboard.press("Escape")


def test_the_words_of_a_page_lie_on_its_picture(page: Any) -> None:
    """What is selected is what is seen: each line is as wide as the letters that it stands for."""
    painted(page)
    found = page.evaluate(
        """() => { const line = document.querySelector("#page-1 .line");
          const paper = line.closest(".paper").getBoundingClientRect();
          const place = line.getBoundingClientRect(); const share = line.dataset.box.split(" ").map(Number);
          return [100 * (place.left - paper.left) / paper.width - share[0],
            100 * place.width / paper.width - share[2]]; }"""
    )
    assert max(map(abs, found)) < 0.5


def test_words_are_found_on_the_page(page: Any) -> None:
    """Each place is lit on its line, the next one more than the others, in every view; then it is selected."""
    found = """() => ["found", "found-here"].map((name) => [...CSS.highlights.get(name)]
      .map((range) => [range.startContainer.parentElement.className, range.toString()]))"""
    page.keyboard.press("f")
    page.keyboard.type("ada")
    page.wait_for_function("() => document.getElementById('found').textContent === '2 places'")
    page.locator("#find-next").click()
    lit, here = page.evaluate(found)
    assert lit == [["original line", "Ada"]] * 2
    assert here == [["original line", "Ada"]]
    page.locator("#find-next").click()
    assert page.locator("#found").inner_text() == "2 of 2"
    page.wait_for_function("""() => { const { top, bottom } = document.querySelector("#page-2 .line").getBoundingClientRect();
      return top > 0 && bottom < innerHeight; }""")
    assert page.evaluate("() => getSelection().toString()") == "Ada"
    page.locator('button[data-view="both"]').click()
    lit, here = page.evaluate(found)
    assert len(lit) == 2
    assert here[0][1] == "Ada"
    page.locator('button[data-view="result"]').click()
    assert page.evaluate(found)[1] == [["row", "The mother of [PERSON 1] did not."]]
    page.locator("#find").press("Escape")
    assert page.evaluate("() => CSS.highlights.size") == 0


def test_words_across_two_lines_of_a_page_are_found(chromium: Any, tmp_path: Path) -> None:
    """Both their parts are lit."""
    made: Service = service(tmp_path)
    text = " ".join(f"word{number}" for number in range(60))
    made.add_project("Office", from_upload("scan.pdf", render(text, ""), ()), owner="Ann")
    with running(made, Access("Ann")) as site, tab(chromium, site) as page:
        until(lambda: not made.store.documents.waiting(1))
        page.goto(site.at("/documents/1"))
        page.wait_for_selector("#pages .line")
        page.wait_for_function("() => document.querySelectorAll('#pages .line').length > 1")
        first, second = page.locator("#pages .line").all_inner_texts()[:2]
        page.keyboard.press("f")
        page.keyboard.type(f"{first.split()[-1]} {second.split()[0]}")
        found = "() => [...CSS.highlights.get('found')].map(String)"
        page.wait_for_function("() => document.getElementById('found').textContent === '1 place'")
        assert page.evaluate(found) == [first.split()[-1], second.split()[0]]
    made.store.close()


def test_the_view_is_remembered_and_goes_by_key(page: Any) -> None:
    """V leads through all views; what is not paged has two fewer."""
    views = [page.evaluate("() => document.getElementById('review').dataset.view")]
    for _ in range(4):
        page.keyboard.press("v")
        views.append(page.evaluate("() => document.getElementById('review').dataset.view"))
    assert views == ["pages", "leaving", "both", "original", "result"]
    page.reload()
    assert page.locator("#rows").is_visible()
    assert not page.locator("#pages").is_visible()


def test_pages_of_a_pdf_have_no_violations(chromium: Any, paged: Site) -> None:
    """As they came and as they leave; axe takes no letters of a picture into account.

    A page is legible in a narrow window too: it keeps a width, and scrolls within its frame; the window does not.
    """
    with tab(chromium, paged, paged.at("/documents/1"), **NARROW) as page:
        page.wait_for_selector("#pages .box.m")
        assert page.locator("#page-1 .paper").bounding_box()["width"] > 640
        check_looks(page)
        page.keyboard.press("v")
        check_looks(page)


def test_without_its_pages_a_pdf_is_shown_as_text(chromium: Any, paged: Site) -> None:
    """A file that is gone is said, and the text stays usable."""
    (new,) = from_upload("scan.pdf", render("Another text.", ""), ())
    paged.service.store.files.bring(1, [new.file])
    with tab(chromium, paged, paged.at("/documents/1")) as page:
        page.wait_for_selector("#notice.warning")
        assert page.locator("#rows").is_visible()
