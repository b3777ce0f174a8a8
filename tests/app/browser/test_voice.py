"""What those who don't see the page are told, and where their keys go after what they did."""

from __future__ import annotations

from typing import Any

import pytest

from tacenda.app.events import Event, EventKind
from tacenda.document import Span

from .conftest import Site, disconnect, reconnect

pytestmark = pytest.mark.browser


def _says(page: Any, words: str) -> None:
    """The live region comes to say it."""
    page.wait_for_function(
        "(words) => document.getElementById('announcement').textContent.includes(words)", arg=words
    )


def _has_focus(page: Any, selector: str) -> None:
    page.wait_for_function("(selector) => document.activeElement.matches(selector)", arg=selector)


def _choose(page: Any, label: str) -> None:
    page.locator("#entities .entity", has_text=label).click()
    page.wait_for_selector(f'#why h2:text-is("{label}")')


def test_each_key_says_what_it_did(page: Any) -> None:
    """A decision, one mention, undo and redo, a type, one with another, apart, and none of it left."""
    page.keyboard.press("u")
    _says(page, "You have nothing to undo.")
    _choose(page, "Ben Cole")
    page.keyboard.press("k")
    _says(page, "Ben Cole: stays. 2 to decide.")
    page.keyboard.press("i")
    _says(page, "about this mention only")
    page.keyboard.press("m")
    _says(page, "This mention only, Ben Cole: masked.")
    page.wait_for_selector('#figures[data-revision="2"]')
    page.keyboard.press("u")
    _says(page, "Undone.")
    page.keyboard.press("Shift+U")
    _says(page, "Done again.")
    page.keyboard.press("u")
    page.wait_for_selector('#figures[data-revision="5"]')
    page.keyboard.press("o")
    page.locator("#merge-with").select_option(label="Kentville")
    _says(page, "Ben Cole and Kentville are the same now.")
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    _says(page, "View: Original.")


def test_what_was_added_is_said_and_has_the_focus(page: Any) -> None:
    """By selection and by search: the words become a mention, and the keys go on from there."""
    page.locator(".original .m", has_text="Kentville").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("a")
    _has_focus(page, "#adder-type")
    page.keyboard.press("Enter")
    _says(page, "Added as other.")
    _has_focus(page, '.m[data-s="56-64"]')
    page.keyboard.press("f")
    page.keyboard.type("so does")
    page.keyboard.press("Enter")
    _says(page, "Masked as other in 1 place.")
    _has_focus(page, ".m")
    page.keyboard.press("f")
    page.keyboard.press("Escape")
    _has_focus(page, ".m")


def test_a_stage_is_said_when_it_comes_and_when_it_is_lost(page: Any) -> None:
    """Reviewed all the same leaves the focus on the button beside; a change opens the document again."""
    page.locator("#undo-redo button", has_text="Done").click()
    page.locator("#unfinished button", has_text="all the same").click()
    _says(page, "reviewed by Ann")
    _has_focus(page, '#undo-redo [data-value="no"]')
    _choose(page, "Kentville")
    page.keyboard.press("k")
    _says(page, "changed by Ann after it was reviewed")


def test_a_loss_is_an_alert(page: Any, site: Site) -> None:
    """What others did meanwhile, and what is not saved, is read at once; all else waits for its turn."""
    assert page.locator("#notice").get_attribute("role") == "status"
    _choose(page, "Ada Byron")
    site.service.change(1, "Ben", 0, Event(EventKind.DECIDE, (Span(19, 27),), "keep"))
    page.keyboard.press("k")
    page.wait_for_selector('#notice.warning[role="alert"]')
    disconnect(page)
    page.keyboard.press("k")
    page.wait_for_selector("#retry")
    assert page.locator("#notice").get_attribute("role") == "alert"
    _has_focus(page, "#retry")
    reconnect(page)
    page.keyboard.press("r")
    page.wait_for_selector('#figures[data-revision="2"]')
    assert page.locator("#notice").get_attribute("role") == "status"


def test_the_keys_are_read_from_the_top(page: Any) -> None:
    """The help begins at its heading, which has the focus; Close is at its end."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("?")
    _has_focus(page, "#help-heading")
    assert page.evaluate("() => document.getElementById('help').scrollTop") == 0
    assert page.locator("#help dt").first.is_visible()


def test_a_search_without_a_hit_says_so(page: Any) -> None:
    """In a sentence, and without headings over nothing; what is found is counted."""
    page.keyboard.press("/")
    page.keyboard.type("zebra")
    page.wait_for_selector("#no-entity:has-text('Nothing is found')")
    assert page.locator("#entities h2:visible").count() == 0
    page.locator("#search").fill("byron")
    page.wait_for_function("() => document.getElementById('no-entity').textContent === ''")
    assert page.locator("#entities h2:visible span").all_inner_texts() == ["1 of 2"]
