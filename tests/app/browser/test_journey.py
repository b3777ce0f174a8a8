"""A document from the first look to the next one, and back again later, by the keyboard alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.waiting import until

from .conftest import Site

pytestmark = pytest.mark.browser


def _wait(page: Any, revision: int) -> None:
    page.wait_for_selector(f'#figures[data-revision="{revision}"]')


def _result(page: Any) -> str:
    return "\n".join(page.locator(".row .result").all_text_contents())


def _go_to(page: Any, words: str, label: str) -> None:
    """Search the list, and open the first that is found."""
    page.keyboard.press("/")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.wait_for_selector(f'#why h2:text-is("{label}")')
    page.wait_for_function("() => document.activeElement.matches('.m')")


def test_a_document_is_finished_by_keyboard_alone(page: Any, site: Site) -> None:
    """A missed name, a wider span, one with another, undo, strictness, other words, all documents, a comment."""
    page.keyboard.press("f")
    page.keyboard.type("so does")
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert "& [ITEM 1] [PERSON 1]." in _result(page)
    _go_to(page, "kent", "Kentville")
    page.keyboard.press("Control+Shift+ArrowLeft")
    page.keyboard.press("a")
    page.wait_for_function("() => document.activeElement.id === 'adder-type'")
    assert page.locator("#adder-type").input_value() == "LOC"
    page.keyboard.press("Enter")
    _wait(page, 2)
    assert "Ben Cole" not in _result(page)
    assert "lives [PLACE 1];" in _result(page)
    _go_to(page, "ben", "Ben Cole")
    page.keyboard.press("o")
    page.wait_for_function("() => document.getElementById('merge-with').length > 1")
    page.wait_for_function("() => document.activeElement.id === 'merge-with'")
    page.keyboard.press("A")
    page.keyboard.press("Enter")
    _wait(page, 3)
    assert "[PERSON 1] wrote to [PERSON 1]" in _result(page)
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    _wait(page, 4)
    assert "[PERSON 1] wrote to [PERSON 2]" in _result(page)
    page.keyboard.press("b")
    page.keyboard.press("ArrowLeft")
    _wait(page, 5)
    _go_to(page, "march", "12 March 1994")
    page.keyboard.press("g")
    page.keyboard.press("Enter")
    _wait(page, 6)
    assert "on a [date in March 1994]" in _result(page)
    _go_to(page, "in kent", "in Kentville")
    page.keyboard.press("w")
    page.keyboard.type("in a village")
    page.keyboard.press("Enter")
    _wait(page, 7)
    assert "lives [in a village];" in _result(page)
    _go_to(page, "ben", "Ben Cole")
    page.keyboard.press("Shift+K")
    page.wait_for_function(
        "() => document.getElementById('notice').textContent.includes('never masked')"
    )
    assert "Ben Cole was" in site.service.open(2).reviewed.sanitized.text
    _go_to(page, "ada", "Ada Byron")
    page.keyboard.press("c")
    page.wait_for_function("() => document.activeElement.id === 'note'")
    page.keyboard.type("ask her")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#comments :text('ask her')")
    page.keyboard.press("j")
    while int(page.locator("#to-decide").inner_text()):
        left = page.locator("#to-decide").inner_text()
        page.keyboard.press("Enter")
        page.wait_for_function(
            f"() => document.getElementById('to-decide').textContent !== '{left}'"
        )
    shown = _result(page)
    with page.expect_navigation(url="**/documents/*"):
        page.keyboard.press("Control+Enter")
    assert page.locator("h1").inner_text() == "d2.txt"
    page.goto(site.at("/documents/1"))
    assert "reviewed by Ann" in page.locator("#stage").inner_text()
    assert _result(page) == shown
    assert "ask her" in page.locator("#comments").inner_text()
    page.keyboard.press("u")
    until(lambda: "reviewed by" not in page.locator("#stage").inner_text())


def test_a_span_is_widened_over_its_neighbours(page: Any) -> None:
    """Ctrl, Shift and an arrow take the mention and words beside it, without white space at the ends."""
    _go_to(page, "march", "12 March 1994")
    page.keyboard.press("Control+Shift+ArrowLeft")
    assert page.evaluate("() => getSelection().toString()").strip() == "on 12 March 1994"
    page.keyboard.press("a")
    page.wait_for_function("() => document.activeElement.id === 'adder-type'")
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert page.locator('.m[data-s="28-44"]').count() == 1
    assert page.locator('.m[data-s="31-44"]').count() == 0
    _go_to(page, "kent", "Kentville")
    page.keyboard.press("Control+Shift+ArrowRight")
    page.keyboard.press("Control+Shift+ArrowRight")
    assert page.evaluate("() => getSelection().toString()").startswith("Kentville")
