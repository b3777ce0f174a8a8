"""A project on a phone: no keys, little room, and words that are selected with a finger."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .conftest import Site, follow, tab

pytestmark = pytest.mark.browser

_PHONE = {"width": 390, "height": 844}


def test_a_project_is_released_by_touch_alone(chromium: Any, site: Site) -> None:
    """What comes next is always in sight as a button, from the first question to the released archive."""
    project = site.service.store.projects.get(1).handle
    place = f"{site.root}/projects/{project}"
    with tab(chromium, site, place, viewport=_PHONE, is_touch=True) as page:
        page.locator("#next-document").tap()
        for name in ("d1.txt", "d2.txt"):
            page.wait_for_function(
                "name => document.querySelector('h1')?.textContent === name", arg=name
            )
            while left := int(page.locator("#to-decide").inner_text()):
                page.locator('#why [data-value="keep"]').first.tap()
                page.wait_for_function(
                    "left => Number(document.getElementById('to-decide').textContent) < left",
                    arg=left,
                )
            with page.expect_navigation():
                page.locator("#why").get_by_role("button", name=re.compile("^Done")).tap()
        page.wait_for_url(f"{place}*")
        follow(page, page.locator("#to-release"), "**/release")
        page.locator("#release-button").tap()
        page.get_by_role("link", name="archive with the record").wait_for()
    assert site.service.store.releases.of(1)


def test_words_selected_with_a_finger_can_be_added(chromium: Any, site: Site) -> None:
    """A long press and its handles end without a pointer that goes up; the words are taken whole."""
    place = site.at("/documents/1")
    with tab(chromium, site, place, viewport=_PHONE, is_touch=True) as page:
        page.locator(".row .original").first.tap(position={"x": 5, "y": 5})
        page.evaluate(
            """() => { const walker = document.createTreeWalker(document.getElementById("rows"), NodeFilter.SHOW_TEXT);
              while (!walker.nextNode().data.includes("lives"));
              const at = walker.currentNode.data.indexOf("lives");
              getSelection().setBaseAndExtent(walker.currentNode, at + 1, walker.currentNode, at + 3); }"""
        )
        page.wait_for_selector("#adder:not([hidden])")
        assert page.evaluate("() => getSelection().toString()") == "lives"
        page.locator("#adder-add").tap()
        page.wait_for_selector('#figures[data-revision="1"]')
    assert "lives" not in site.service.open(1).reviewed.sanitized.text


def test_the_header_leaves_a_phone_its_height(chromium: Any, site: Site) -> None:
    """It keeps the next step, and unfolds the rest; keys are hinted at where there are any."""
    place = site.at("/documents/1")
    with tab(chromium, site, place, viewport=_PHONE, is_touch=True) as page:
        assert page.locator(".review-bar").bounding_box()["height"] <= 80
        assert page.locator("[data-go=decide]").first.is_visible()
        assert not page.locator("kbd:visible").count()
        views = page.get_by_role("group", name="View")
        assert not views.is_visible()
        page.locator("#bar-toggle").tap()
        assert views.is_visible()
        assert page.get_by_text("Log out").is_visible()
