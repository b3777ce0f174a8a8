"""The release page in a real browser: boxes by mouse and keyboard, and warnings that are seen."""

from __future__ import annotations

from typing import Any

import pytest

from tacenda.app.intake import from_upload
from tacenda.app.release import parts
from tacenda.app.review.events import ReviewEvent, ReviewKind
from tacenda.documents.beside import Treatment

from ...documents.test_beside import letter
from ..building import until
from .conftest import Site

pytestmark = pytest.mark.browser


@pytest.fixture
def release(page: Any, site: Site) -> Any:
    """Return the release page of a project with a picture, a comment and hidden text; number 2."""
    made = site.service
    project = made.add_project("Letters", from_upload("letter.docx", letter()))
    (row,) = made.store.documents.of(project.id)
    made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    page.goto(site.at(f"/projects/{project.id}/release"))
    return page


def _decided(site: Site) -> dict[str, Any]:
    items = parts(site.service, site.service.open(3))
    return {item.part.kind: item.decided for item in items}


def test_a_box_is_drawn_by_mouse(release: Any, site: Site) -> None:
    """Drag over the picture, then keep it with its boxes: the server has the box."""
    picture = release.locator(".canvas svg")
    picture.scroll_into_view_if_needed()
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
    release.wait_for_function("document.querySelectorAll('.canvas rect').length === 1")


def test_everything_goes_by_keyboard(release: Any, site: Site) -> None:
    """A box with Enter, moved and resized by arrows, said to screen readers; then every part and the release."""
    release.locator(".canvas svg").focus()
    keys = ("Enter", "ArrowLeft", "Shift+ArrowRight", "Enter", "Delete")
    for key in keys:
        release.keyboard.press(key)
    assert "Box 1 of 1" in release.locator('.canvas [role="status"]').inner_text()
    for number, name in enumerate(("Keep with these boxes", "Remove", "Leave blank"), start=1):
        button = release.locator("form.part").nth(number - 1).get_by_role("button", name=name)
        button.focus()
        release.keyboard.press("Enter")
        release.wait_for_function(
            "n => document.querySelectorAll('.part .done').length === n"
            " && !document.querySelector('.htmx-added')",
            arg=number,
        )
    decided = _decided(site)
    assert decided["picture"].boxes == ((3900, 4500, 6000, 5500),)
    assert decided["hidden text"].treatment is Treatment.REMOVE
    assert decided["comment"].treatment is Treatment.BLANK
    made = site.service
    done = ReviewEvent(ReviewKind.DONE, value="yes")
    made.change(3, "Ann", made.store.documents.get(3).revision, done)
    release.reload()
    release.locator("#release-button").focus()
    with release.expect_navigation():
        release.keyboard.press("Enter")
    with release.expect_download() as download:
        release.get_by_role("link", name="archive with the record (ZIP)").click()
    assert download.value.suggested_filename.startswith("released-")


WIDTHS = {
    "phone": (360, 740),
    "zoom of 200 %": (640, 450),
    "small": (1024, 700),
    "large": (1920, 1080),
}


@pytest.mark.parametrize("width", WIDTHS)
def test_a_warning_is_seen_and_said(release: Any, site: Site, width: str) -> None:
    """A change that came too late: the sentence is on the screen, uncovered, as an alert."""
    release.set_viewport_size(dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    made = site.service
    made.change(
        3, "Ben", made.store.documents.get(3).revision, ReviewEvent(ReviewKind.BOUND, value="0.9")
    )
    release.get_by_role("button", name="Leave blank").last.click()
    notice = release.locator("#notice.warning")
    notice.wait_for()
    assert notice.get_attribute("role") == "alert"
    assert "Not done" in notice.inner_text()
    seen = notice.evaluate(
        "e => { const r = e.getBoundingClientRect(); const x = r.left + r.width / 2;"
        " const y = r.top + r.height / 2;"
        " return r.top >= 0 && r.bottom <= innerHeight && r.right <= innerWidth + 1"
        " && e.contains(document.elementFromPoint(x, y)); }"
    )
    assert seen


@pytest.mark.parametrize("width", ["phone", "zoom of 200 %"])
def test_what_is_not_saved_is_seen_in_a_narrow_window(page: Any, width: str) -> None:
    """On the document page nothing lies over the warning, and it is read out."""
    page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    page.keyboard.press("n")
    page.wait_for_selector("#why h2")
    page.context.set_offline(True)
    page.keyboard.press("m")
    page.wait_for_selector("#notice.warning")
    notice = page.locator("#notice")
    assert "not saved" in notice.inner_text()
    assert notice.get_attribute("role") == "alert"
    for top in (0, 400):
        page.evaluate(f"() => scrollTo(0, {top})")
        assert notice.evaluate(
            "e => { const r = e.getBoundingClientRect();"
            " return e.contains(document.elementFromPoint(r.left + 8, r.top + r.height / 2)); }"
        )
    page.context.set_offline(False)
