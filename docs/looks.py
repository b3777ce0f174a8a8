"""Draw docs/dark.png and docs/phone.png: the main pages of the review application in the dark, and on a phone.

Each has the first page with a sample, the decisions of a project, a document with an entity chosen, and the
checklist of the release.

python docs/looks.py (needs playwright, Pillow and a Chromium).
"""

from __future__ import annotations

from io import BytesIO
from itertools import product

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from try_it import DOCS, EXAMPLES, browser_of, started

_GAP = 16
_DARK, _LIGHT = (24, 26, 30), (255, 255, 255)


def main() -> None:
    """Take the pictures."""
    files = [str(DOCS.parent / "examples" / name) for name in EXAMPLES]
    with sync_playwright() as playwright:
        browser = browser_of(playwright)
        for name, scheme, size, columns, scale in (
            ("dark.png", "dark", (1200, 780), 2, 0.6),
            ("phone.png", "light", (390, 844), 4, 1.0),
        ):
            with started(*files) as url:
                pictures = pages(browser, url, scheme, size)
            background = _DARK if scheme == "dark" else _LIGHT
            sheet = together([scaled(item, scale) for item in pictures], columns, background)
            # The few coloured dots count as much as the many dark ones.
            few = sheet.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            few.save(DOCS / name, optimize=True)
        browser.close()


def pages(browser: Browser, url: str, scheme: str, size: tuple[int, int]) -> list[Image.Image]:
    """The pictures of the pages, in a window of this size."""
    window = {"width": size[0], "height": size[1]}
    page = browser.new_page(viewport=window, color_scheme=scheme)
    page.goto(url)
    page.wait_for_selector("#queue:has-text('reviewed'):not(:has-text('still to be'))")
    project = page.url.split("?")[0]
    document = page.get_by_role("link", name="judgment.txt", exact=True).get_attribute("href")
    pictures = []
    for draw, place in (
        (first, "/"),
        (decisions, f"{project}/decisions"),
        (chosen, document),
        (release, f"{project}/release"),
    ):
        page.goto(place if place.startswith("http") else project.split("/projects")[0] + place)
        draw(page)
        pictures.append(Image.open(BytesIO(page.screenshot())).convert("RGB"))
    page.close()
    return pictures


def first(page: Page) -> None:
    """The first page with the result of a sample."""
    page.get_by_role("button", name="a judgment").click()
    page.wait_for_selector("#summary:has-text('left')")
    if page.viewport_size["width"] < page.viewport_size["height"]:
        page.locator("#result-heading").scroll_into_view_if_needed()
        page.evaluate("() => document.getElementById('result-heading').scrollIntoView()")


def decisions(page: Page) -> None:
    """The names of a project."""
    page.wait_for_selector(".names > li")


def chosen(page: Page) -> None:
    """A document with an entity chosen."""
    page.wait_for_selector("#rows")
    page.keyboard.press("j")
    page.wait_for_selector("#why h2")
    page.wait_for_timeout(500)


def release(page: Page) -> None:
    """The checklist."""
    page.wait_for_selector("#release-button")


def scaled(picture: Image.Image, scale: float) -> Image.Image:
    """A picture in another size."""
    size = (round(picture.width * scale), round(picture.height * scale))
    return picture if scale == 1 else picture.resize(size, Image.Resampling.LANCZOS)


def together(
    pictures: list[Image.Image], columns: int, background: tuple[int, int, int]
) -> Image.Image:
    """Pictures of one size on a sheet, in rows."""
    width, height = pictures[0].size
    rows = -(-len(pictures) // columns)
    size = (columns * (width + _GAP) + _GAP, rows * (height + _GAP) + _GAP)
    sheet = Image.new("RGB", size, background)
    for picture, (row, column) in zip(pictures, product(range(rows), range(columns)), strict=True):
        sheet.paste(picture, (_GAP + column * (width + _GAP), _GAP + row * (height + _GAP)))
    return sheet


if __name__ == "__main__":
    main()
