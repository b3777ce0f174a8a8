"""How much of a window the text has, and what its colours are to those who see fewer."""

from __future__ import annotations

import re
from itertools import combinations, product
from typing import Any

import pytest

from .conftest import Site, disconnect, painted, tab

pytestmark = pytest.mark.browser

_HIGH = "(selector) => document.querySelector(selector).getBoundingClientRect().height"
# Machado, Oliveira and Fernandes 2009, severity 1, of linear RGB.
_SIGHTS = {
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}
_LOOKS = """() => [...document.querySelectorAll("#help .outcome")].map((sign) => {
  const look = getComputedStyle(sign);
  const paper = getComputedStyle(document.getElementById("help")).backgroundColor;
  const isFilled = look.backgroundColor !== "rgba(0, 0, 0, 0)";
  return { ink: look.color, back: isFilled ? look.backgroundColor : paper, frame: look.boxShadow !== "none",
    line: look.textDecorationLine === "none" ? "" : look.textDecorationStyle, filled: isFilled };
})"""


def test_bar_list_and_reasons_share_a_laptop(page: Any) -> None:
    """At 1280 by 800 the bar is one row, and under what is chosen four entities are seen."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("j")
    page.wait_for_selector("#why h2")
    painted(page)
    assert page.evaluate(_HIGH, ".review-bar") < 75
    entry = page.evaluate(_HIGH, "#entities li")
    assert page.evaluate(_HIGH, "#entities") >= 4 * entry
    above, below = (page.locator(part).bounding_box() for part in ("#why", "#entities"))
    assert above["y"] + above["height"] <= below["y"]


@pytest.mark.parametrize(("width", "height"), [(400, 800), (640, 400)])
def test_the_panel_is_folded_away_in_a_small_window(
    chromium: Any, site: Site, width: int, height: int
) -> None:
    """Only its handle is seen; a choice unfolds a third at most, and the handle the rest."""
    with tab(
        chromium, site, site.at("/documents/1"), viewport={"width": width, "height": height}
    ) as page:
        handle = page.locator("#sheet-toggle")
        page.wait_for_selector('#sheet-toggle[aria-expanded="false"]')
        assert page.evaluate(_HIGH, "aside") < 45
        page.keyboard.press("j")
        page.wait_for_selector("#why h2")
        painted(page)
        assert page.evaluate(_HIGH, "aside") <= max(0.3 * height + 45, 0.25 * height)
        assert page.locator("#why [data-value=mask]").first.is_visible()
        assert handle.get_attribute("aria-expanded") == "true"
        handle.click()
        handle.click()
        assert page.locator("#entities").is_visible()
        assert page.locator("#bound").is_visible()
        handle.click()
        assert page.evaluate(_HIGH, "aside") < 45


def test_a_warning_covers_no_field(page: Any) -> None:
    """At 1280 the panel begins below it, wherever the page is scrolled to."""
    page.set_viewport_size({"width": 1280, "height": 500})
    page.locator("#entities .entity", has_text="Kentville").click()
    page.wait_for_selector("#why h2")
    disconnect(page)
    page.keyboard.press("m")
    page.wait_for_selector("#retry")
    for top in (0, 300):
        page.evaluate("(top) => scrollTo({ top, behavior: 'instant' })", top)
        page.wait_for_function("""() => document.getElementById("notice").getBoundingClientRect().bottom
          <= document.querySelector(".strict").getBoundingClientRect().top + 1""")


def test_outcomes_are_told_apart_without_red_or_green(page: Any) -> None:
    """Each has a shape of its own, and its words stay readable to who is colour-blind."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.reload()
        page.keyboard.press("?")
        looks = page.evaluate(_LOOKS)
        assert len(looks) == 4
        for one, other in combinations(looks, 2):
            assert any(one[part] != other[part] for part in ("frame", "line", "filled"))
        for matrix, look in product(_SIGHTS.values(), looks):
            ink, back = (_brightness(_seen(look[part], matrix)) for part in ("ink", "back"))
            assert (max(ink, back) + 0.05) / (min(ink, back) + 0.05) >= 4.5


def _seen(colour: str, matrix: tuple[tuple[float, ...], ...]) -> list[float]:
    """A colour of CSS as linear RGB, by somebody's sight."""
    shares = [int(number) / 255 for number in re.findall(r"\d+", colour)[:3]]
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    ]
    return [
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, linear, strict=True))))
        for row in matrix
    ]


def _brightness(linear: list[float]) -> float:
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
