"""Every page passes axe-core, wide and narrow, light and dark; and is no wider than the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tacenda.app.service import Service
from tacenda.app.web.access import Access
from tacenda.app.web.keys import Key, Role

from ...keys import KEY, OTHER_KEY
from .conftest import Site, painted, running, tab

pytestmark = pytest.mark.browser

_AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CONTRAST = ["color-contrast"]
NARROW: dict[str, Any] = {"viewport": {"width": 400, "height": 800}, "color_scheme": "dark"}
WIDE: dict[str, Any] = {"viewport": {"width": 1400, "height": 800}, "color_scheme": "light"}


def violations(page: Any, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds by some of its rules, or by all that are standards."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_AXE)
    found = page.evaluate(
        "(rules) => axe.run(document, {runOnly: rules, resultTypes: ['violations']})",
        rules or _TAGS,
    )
    return [
        f"{item['id']}: {node['target']} {node['failureSummary'][:200]}"
        for item in found["violations"]
        for node in item["nodes"]
    ]


def check(page: Any, rules: list[str] | None = None) -> None:
    """No violation, and nothing is wider than the window."""
    assert violations(page, rules) == []
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def check_looks(page: Any) -> None:
    """The same of a narrow dark page, and of the same page wide and light, where only colours and widths differ."""
    check(page)
    show(page, WIDE)
    check(page, CONTRAST)
    show(page, NARROW)


def show(page: Any, look: dict[str, Any]) -> None:
    """Give the page another width and other colours."""
    page.set_viewport_size(look["viewport"])
    page.emulate_media(color_scheme=look["color_scheme"], reduced_motion="reduce")
    painted(page)


def test_pages_have_no_violations(chromium: Any, site: Site) -> None:
    """Projects, queue, document, panel, list, dialogs."""
    with tab(chromium, site, **NARROW) as page:
        check_looks(page)
        page.goto(site.at("/new"))
        check_looks(page)
        page.goto(site.at("/projects/1"))
        check_looks(page)
        page.goto(site.at("/projects/1/release"))
        check_looks(page)
        page.goto(site.at("/projects/1/decisions"))
        check_looks(page)
        page.goto(site.at("/documents/1"))
        check_looks(page)
        page.locator("#bar-toggle").click()
        check(page)
        page.keyboard.press("n")
        page.wait_for_selector("#why h2")
        page.keyboard.press("k")
        page.wait_for_selector('#figures[data-revision="1"]')
        for summary in page.locator("#why summary").all():
            summary.click()
        check_looks(page)
        page.keyboard.press("/")
        check_looks(page)
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        check_looks(page)
        page.keyboard.press("Escape")
        page.goto(site.at("/documents/99"))
        check_looks(page)


def test_pages_for_programs_and_owners_have_no_violations(chromium: Any, site: Site) -> None:
    """The interface for programs, each operation opened; people of a project, and the log of accesses."""
    access = Access("local", {"Ann": Key.of(KEY, Role.ADMIN), "Ben": Key.of(OTHER_KEY)})
    with running(site.service, access) as guarded, tab(chromium, guarded, **NARROW) as page:
        page.locator("#key").fill(KEY)
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Projects")
        page.goto(guarded.at("/docs"))
        check_looks(page)
        operations = page.locator("details.operation > summary")
        assert operations.count() > 10
        for summary in operations.all():
            summary.click()
        check_looks(page)
        page.goto(guarded.at("/access-log"))
        check_looks(page)
        page.goto(guarded.at("/projects/1"))
        page.locator("#members-heading").scroll_into_view_if_needed()
        check_looks(page)


def test_the_login_has_no_violations(chromium: Any, site: Site) -> None:
    """With a wrong key too; the right one leads in."""
    made: Service = site.service
    with (
        running(made, Access("local", {"Eve": Key.of(KEY)})) as other,
        tab(chromium, other, **NARROW) as page,
    ):
        check_looks(page)
        page.locator("#key").fill("wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector(".fault")
        check_looks(page)
        page.locator("#key").fill(KEY)
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Projects")
        assert page.locator(".person span").inner_text() == "Eve"


@pytest.mark.parametrize("width", [1400, 400])
def test_each_field_of_the_login_is_beside_its_label(chromium: Any, site: Site, width: int) -> None:
    """Wide or narrow, a label is read with the field that follows it."""
    access = Access("local", {"ann": Key.of(KEY)})
    options = {"viewport": {"width": width, "height": 800}}
    with running(site.service, access) as guarded, tab(chromium, guarded, **options) as page:
        painted(page)
        for name in ("name", "key"):
            label = page.locator(f"label[for={name}]").bounding_box()
            field = page.locator(f"#{name}").bounding_box()
            assert field["x"] > label["x"]
            assert field["y"] < label["y"] + label["height"] / 2 < field["y"] + field["height"]
