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
_SCHEMES = ("light", "dark")


def _violations(page: Any) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_AXE)
    found = page.evaluate(
        "(tags) => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", _TAGS
    )
    return [
        f"{item['id']}: {node['target']} {node['failureSummary'][:200]}"
        for item in found["violations"]
        for node in item["nodes"]
    ]


def check(page: Any) -> None:
    """No violation, and nothing is wider than the window."""
    assert _violations(page) == []
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


@pytest.mark.parametrize("scheme", _SCHEMES)
@pytest.mark.parametrize("width", [390, 1400])
def test_pages_have_no_violations(chromium: Any, site: Site, width: int, scheme: str) -> None:
    """Projects, queue, document, panel, list, dialogs."""
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with tab(chromium, site, **options) as page:
        check(page)
        page.goto(site.at("/new"))
        check(page)
        page.goto(site.at("/projects/1"))
        check(page)
        page.goto(site.at("/projects/1/release"))
        check(page)
        page.goto(site.at("/projects/1/decisions"))
        check(page)
        page.goto(site.at("/documents/1"))
        check(page)
        if width < 400:
            page.locator("#bar-toggle").click()
            check(page)
        page.keyboard.press("n")
        page.wait_for_selector("#why h2")
        page.keyboard.press("k")
        page.wait_for_selector('#figures[data-revision="1"]')
        for summary in page.locator("#why summary").all():
            summary.click()
        check(page)
        page.keyboard.press("/")
        check(page)
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        check(page)
        page.keyboard.press("Escape")
        page.goto(site.at("/documents/99"))
        check(page)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1400, "light")])
def test_pages_for_programs_and_owners_have_no_violations(
    chromium: Any, site: Site, width: int, scheme: str
) -> None:
    """The interface for programs, each operation opened; people of a project, and the log of accesses."""
    access = Access("local", {"Ann": Key.of(KEY, Role.ADMIN), "Ben": Key.of(OTHER_KEY)})
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with running(site.service, access) as guarded, tab(chromium, guarded, **options) as page:
        page.locator("#key").fill(KEY)
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Projects")
        page.goto(guarded.at("/docs"))
        check(page)
        operations = page.locator("details.operation > summary")
        assert operations.count() > 10
        for summary in operations.all():
            summary.click()
        check(page)
        page.goto(guarded.at("/access-log"))
        check(page)
        page.goto(guarded.at("/projects/1"))
        page.locator("#members-heading").scroll_into_view_if_needed()
        check(page)


@pytest.mark.parametrize("scheme", _SCHEMES)
def test_the_login_has_no_violations(chromium: Any, site: Site, scheme: str) -> None:
    """With a wrong key too; the right one leads in."""
    made: Service = site.service
    with (
        running(made, Access("local", {"Eve": Key.of(KEY)})) as other,
        tab(chromium, other, color_scheme=scheme) as page,
    ):
        check(page)
        page.locator("#key").fill("wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector(".fault")
        check(page)
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
