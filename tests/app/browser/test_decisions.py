"""A project's decisions by name, by keyboard alone, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from ..building import until
from .conftest import Site

pytestmark = pytest.mark.browser


@pytest.fixture
def decisions(page: Any, site: Site) -> Any:
    """Return the page of decisions of the letter and the memo."""
    page.goto(site.at("/projects/1/decisions"))
    return page


def _texts(site: Site) -> str:
    made = site.service
    return "\n".join(made.open(number).reviewed.sanitized.text for number in (1, 2))


def _say(page: Any, sentence: str) -> None:
    until(lambda: sentence in page.locator("#notice").inner_text())


def test_one_key_decides_in_all_documents_and_one_takes_it_back(decisions: Any, site: Site) -> None:
    """M masks the town in both, u undoes both; Enter leaves it as it is, and it is gone from the list."""
    assert decisions.locator(".names .label").all_inner_texts() == ["Kentville", "12 March 1994"]
    assert "2 places in 2 documents" in decisions.locator(".names > li").first.inner_text()
    decisions.keyboard.press("m")
    _say(decisions, "“Kentville” is masked; 2 documents changed")
    assert "Kentville" not in _texts(site)
    assert "Always mask" in decisions.locator(".lists").inner_text()
    decisions.keyboard.press("u")
    _say(decisions, "Taken back; 2 documents changed")
    assert _texts(site).count("Kentville") == 2
    decisions.keyboard.press("Enter")
    _say(decisions, "“Kentville” stays")
    assert decisions.locator(".names .label").all_inner_texts() == ["12 March 1994"]
    assert decisions.evaluate("() => document.activeElement.textContent").strip().startswith("12 M")


def test_several_names_are_decided_and_undone_at_once(decisions: Any, site: Site) -> None:
    """X ticks; one decision, one line on the list, one step back."""
    for key in ("x", "x", "m"):
        decisions.keyboard.press(key)
    _say(decisions, "2 names are masked; 2 documents changed")
    assert decisions.locator(".lists > li").count() == 1
    assert "Kentville" not in _texts(site)
    assert "1994" not in _texts(site)
    decisions.locator(".lists button").click()
    _say(decisions, "Taken back")
    assert "1994" in _texts(site)
    assert decisions.locator(".names > li").count() == 2


def test_a_list_is_begun_from_a_document(page: Any, site: Site) -> None:
    """K on the chosen name, M on selected words: both act in the other document as well."""
    page.locator("#entities .entity", has_text="Kentville").click()
    page.wait_for_selector('#why h2:text-is("Kentville")')
    page.keyboard.press("K")
    _say(page, "“Kentville” is never masked in this project; 2 documents changed")
    page.wait_for_selector('#figures[data-revision="1"]')
    page.locator(".original .m", has_text="Kentville").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("M")
    _say(page, "“lives in” is always masked in this project; 1 document changed")
    assert "lives in" not in _texts(site)
    terms = [(term.string, term.action) for term in site.service.store.terms.of(1)]
    assert terms == [("lives in", "mask"), ("Kentville", "keep")]
