"""The release page in a real browser: boxes by mouse and keyboard, and warnings that are seen."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from tacenda.app.events import Event, EventKind
from tacenda.app.intake import from_upload
from tacenda.app.parts import parts
from tacenda.app.web import routes_release
from tacenda.documents.ocr.tesseract import is_installed, settings
from tacenda.documents.parts import PartTreatment as Treatment
from tests.waiting import until

from ...documents.test_parts import letter
from .conftest import Site, disconnect, painted, tab
from .test_accessibility import NARROW, check_looks

pytestmark = pytest.mark.browser


@pytest.fixture
def release(chromium: Any, site: Site) -> Iterator[Any]:
    """Return the release page of a project with a picture, a comment and hidden text; number 2."""
    made = site.service
    project = made.add_project("Letters", from_upload("letter.docx", letter()))
    (row,) = made.store.documents.of(project.id)
    made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    with tab(chromium, site, site.at(f"/projects/{project.id}/release")) as page:
        page.wait_for_selector(".part")
        yield page


def _decided(site: Site) -> dict[str, Any]:
    items = parts(site.service, site.service.open(3))
    return {item.part.kind: item.decided for item in items}


def test_a_box_is_drawn_by_mouse(release: Any, site: Site) -> None:
    """Drag over the picture, then keep it with its boxes: the server has the box."""
    picture = release.locator(".canvas svg")
    picture.scroll_into_view_if_needed()
    release.wait_for_function("() => document.querySelector('.canvas img').naturalWidth > 0")
    picture.scroll_into_view_if_needed()
    painted(release)
    area = picture.bounding_box()
    release.mouse.move(area["x"] + 2, area["y"] + 2)
    release.mouse.down()
    release.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2, steps=3)
    release.mouse.up()
    assert release.locator(".canvas rect").count() == 1
    release.get_by_role("button", name="Keep with these boxes").click()
    until(lambda: _decided(site)["picture"] is not None)
    (box,) = _decided(site)["picture"].boxes
    assert abs(box.right - 5000) < 300
    assert abs(box.bottom - 5000) < 300
    release.wait_for_selector(".part .done")
    # The answer draws its boxes anew once it is in the page.
    release.wait_for_function("() => document.querySelectorAll('.canvas rect').length === 1")


def test_everything_goes_by_keyboard_in_one_journey(release: Any, site: Site) -> None:
    """A box in the picture, then part after part, each said; at the end the release, and nothing begun anew."""
    keys = release.keyboard
    settled = Event(EventKind.BOUND, value="0"), Event(EventKind.DONE, value="yes")
    for change in settled[:1]:
        site.service.change(3, "Ann", site.service.store.documents.get(3).revision, change)
    release.reload()
    keys.press("j")
    release.wait_for_function("() => document.activeElement.matches('.part:has(.canvas)')")
    assert release.locator(".part:focus h3").inner_text() == "letter.docx: picture, picture 1"
    while not release.locator(".canvas svg:focus").count():
        keys.press("Tab")
    for key in ("Enter", "ArrowLeft", "Shift+ArrowRight", "Enter", "Delete"):
        keys.press(key)
    assert "Box 1 of 1" in release.locator('.canvas [role="status"]').inner_text()
    expected = (
        ("k", "picture 1: kept, 1 black box. 2 to decide.", "hidden text"),
        ("r", "hidden text, paragraph 4: removed. 1 to decide.", "comment"),
        ("b", "comment 1: left blank. Every picture", ""),
    )
    for key, said, following in expected:
        keys.press(key)
        release.wait_for_function(
            "said => document.getElementById('announcement').textContent.includes(said)", arg=said
        )
        release.wait_for_function(
            "kind => (document.activeElement.matches('.part') && kind ? document.activeElement"
            " : document.getElementById('checks-heading')).textContent.includes(kind)",
            arg=following,
        )
        assert release.evaluate("document.activeElement !== document.body")
    decided = _decided(site)
    assert decided["picture"].boxes == ((3900, 4500, 6000, 5500),)
    assert decided["hidden text"].treatment is Treatment.REMOVE
    assert decided["comment"].treatment is Treatment.BLANK
    made = site.service
    made.change(3, "Ann", made.store.documents.get(3).revision, settled[1])
    release.reload()
    while not release.locator("#release-button:focus").count():
        keys.press("Tab")
    with release.expect_navigation():
        keys.press("Enter")
    with release.expect_download() as download:
        release.get_by_role("link", name="documents to publish (ZIP)").click()
    assert download.value.suggested_filename.startswith("released-")


def test_enter_keeps_one_part_after_the_other(release: Any, site: Site) -> None:
    """Enter on a part keeps it and leads to the next; held down, it decides on nothing more."""
    release.keyboard.press("j")
    for left in (2, 1, 0):
        release.wait_for_function("() => document.activeElement.matches('.part')")
        release.keyboard.down("Enter")
        release.keyboard.down("Enter")
        release.keyboard.up("Enter")
        release.wait_for_function(
            "left => document.getElementById('checks').dataset.open === String(left)"
            " && !document.activeElement.matches('[data-decided=\"1\"]')",
            arg=left,
        )
    assert {item.treatment for item in _decided(site).values()} == {Treatment.KEEP}


def test_the_next_ones_follow_when_a_page_is_done(
    release: Any, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the last of a page a button has the focus; Enter on it shows the next ones to decide."""
    monkeypatch.setattr(routes_release, "_SHOWN", 2)
    release.reload()
    assert release.locator(".part").count() == 2
    release.keyboard.press("j")
    for left in (2, 1):
        release.wait_for_function("() => document.activeElement.matches('.part')")
        release.keyboard.press("Enter")
        release.wait_for_function(
            "left => document.getElementById('checks').dataset.open === String(left)", arg=left
        )
    release.wait_for_function("() => document.activeElement.closest('#more')")
    release.keyboard.press("Enter")
    release.wait_for_function("() => document.activeElement.matches('.part[data-decided=\"0\"]')")
    assert "comment" in release.locator(".part:focus h3").inner_text()
    release.keyboard.press("r")
    release.wait_for_function("() => document.activeElement.id === 'checks-heading'")
    assert _decided(site)["comment"].treatment is Treatment.REMOVE


def test_the_parts_have_no_violations(chromium: Any, site: Site, release: Any) -> None:
    """Undecided, decided, with words read, at either width."""
    with tab(chromium, site, release.url, **NARROW) as page:
        check_looks(page)
        page.keyboard.press("j")
        page.keyboard.press("k")
        page.wait_for_selector(".part .done")
        page.locator("[data-words]").click()
        page.wait_for_selector(".words:not([hidden])")
        check_looks(page)


_MARKUP = "<form action=evil> <b>Ward 7</b>"


def _written(words: str) -> bytes:
    """Return a picture of words."""
    image = pytest.importorskip("PIL.Image")
    draw = pytest.importorskip("PIL.ImageDraw")
    font = pytest.importorskip("PIL.ImageFont").load_default(48)
    canvas = image.new("RGB", (1200, 120), "white")
    draw.Draw(canvas).text((20, 25), words, fill="black", font=font)
    stream = io.BytesIO()
    canvas.save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.skipif(not is_installed() or not settings().languages, reason="no Tesseract")
def test_words_of_pictures_are_read_as_often_as_one_likes(chromium: Any, site: Site) -> None:
    """Each in its own place, as text: a picture that shows markup makes none."""
    made = site.service
    names = {"one.png": _MARKUP, "two.png": "Room 12 upstairs"}
    new = [item for name, words in names.items() for item in from_upload(name, _written(words))]
    project = made.add_project("Pictures", new)
    for row in made.store.documents.of(project.id):
        made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    with tab(chromium, site, site.at(f"/projects/{project.id}/release")) as page:
        page.wait_for_selector(".part")
        shown = page.locator(".part")
        for number in (0, 1, 0, 1, 1):
            part = shown.nth(number)
            part.locator("[data-words]").click()
            part.locator(".words:not([hidden])").wait_for()
        page.wait_for_function(
            "() => document.querySelectorAll('.words:not([hidden])').length === 2"
        )
        assert "form action" in shown.nth(0).locator(".words").inner_text()
        assert "Ward" in shown.nth(0).locator(".words").inner_text()
        assert "Room 12" in shown.nth(1).locator(".words").inner_text()
        assert page.locator(".words *").count() == 0
        assert page.locator("#parts form").count() == 0
        shown.nth(1).get_by_role("button", name="Remove").click()
        page.wait_for_selector(".part .done")
        shown.nth(0).locator("[data-words]").click()
        page.wait_for_function(
            "() => document.querySelector('.words:not([hidden])').textContent.includes('form')"
        )


WIDTHS = {
    "phone": (360, 740),
    "zoom of 200 %": (640, 450),
    "small": (1024, 700),
    "large": (1920, 1080),
}


def test_a_warning_is_seen_and_said(release: Any, site: Site) -> None:
    """A change that came too late: the sentence is on the screen, uncovered, as an alert."""
    made = site.service
    made.change(3, "Ben", made.store.documents.get(3).revision, Event(EventKind.BOUND, value="0.9"))
    release.get_by_role("button", name="Leave blank").last.click()
    notice = release.locator("#notice.warning")
    notice.wait_for()
    assert notice.get_attribute("role") == "alert"
    assert "Not done" in notice.inner_text()
    for width, height in WIDTHS.values():
        release.set_viewport_size({"width": width, "height": height})
        release.wait_for_function(
            "() => { const e = document.getElementById('notice');"
            " const r = e.getBoundingClientRect(); const x = r.left + r.width / 2;"
            " const y = r.top + r.height / 2;"
            " return r.top >= 0 && r.bottom <= innerHeight && r.right <= innerWidth + 1"
            " && e.contains(document.elementFromPoint(x, y)); }"
        )


def test_what_is_not_saved_is_seen_in_a_narrow_window(page: Any) -> None:
    """On the document page nothing lies over the warning, and it is read out."""
    page.keyboard.press("n")
    page.wait_for_selector("#why h2")
    disconnect(page)
    page.keyboard.press("m")
    page.wait_for_selector('#notice.warning:has-text("not saved")')
    notice = page.locator("#notice")
    assert notice.get_attribute("role") == "alert"
    for name, top in product(("phone", "zoom of 200 %"), (0, 400)):
        width, height = WIDTHS[name]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(f"() => scrollTo(0, {top})")
        page.wait_for_function(
            "() => { const e = document.getElementById('notice'); const r = e.getBoundingClientRect();"
            " return e.contains(document.elementFromPoint(r.left + 8, r.top + r.height / 2)); }"
        )
