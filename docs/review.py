"""Draw docs/review.png, docs/pages.png and docs/review.webp: the review page with an example judgment.

The first shows it as text, the second as a PDF, the third how some of its doubts are decided, as a moving picture.

python docs/review.py (needs playwright and a Chromium).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from tacenda.documents.pdf.setting import render

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Open the judgment in both forms, and save the pictures."""
    judgment = ROOT / "examples" / "judgment.txt"
    show(judgment, decisions)
    show(judgment, moving)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "judgment.pdf"
        file.write_bytes(render(judgment.read_text("utf-8"), ""))
        show(file, pages)


def show(file: Path, draw: Callable[[Any], None]) -> None:
    """Open a file in the application, and draw its page."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tacenda", "review", str(file), "--no-browser"]
        command += ["--store", f"{folder}/projects.db", "--as", "Ann"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r"http\S+", process.stdout.readline())
            if found is None:
                raise SystemExit("the application did not start")
            with sync_playwright() as playwright:
                names = ("chromium", "chromium-browser", "google-chrome")
                path = next(filter(None, map(shutil.which, names)))
                browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
                size = {"width": 1360, "height": 850}
                page = browser.new_page(viewport=size, color_scheme="light")
                page.goto(found[0])
                page.get_by_role("link", name=file.name, exact=True).click()
                page.wait_for_selector("#rows")
                page.wait_for_load_state("networkidle")
                draw(page)
                browser.close()
        finally:
            process.terminate()
            process.wait()


def decisions(page: Any) -> None:
    """Decide on four entities."""
    for label, key in (("Harehills", "k"), ("Chapeltown", "k"), ("Leeds", "m")):
        page.locator("#entities .entity", has_text=label).first.click()
        page.wait_for_selector("#why h2")
        page.keyboard.press(key)
        page.wait_for_function(_IS_SAVED)
    page.locator("#entities .entity", has_text="13 February 1980").first.click()
    page.wait_for_selector('#why h2:text-is("13 February 1980")')
    page.locator("#options .option").nth(1).click()
    page.wait_for_selector('#options .option[aria-pressed="true"]')
    page.wait_for_function(_IS_SAVED)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(128, dither=Image.Dither.NONE).save(
        ROOT / "docs" / "review.png", optimize=True
    )


def moving(page: Any) -> None:
    """Decide some doubts with the keyboard; each key is named in its frame."""
    frames: list[tuple[Image.Image, int]] = []

    def frame(words: str, milliseconds: int = 1800) -> None:
        page.evaluate(_CAPTION, words)
        page.wait_for_function(_IS_SAVED)
        page.wait_for_function(_IS_ASKED)
        page.wait_for_timeout(500)
        picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
        size = (1020, round(1020 * picture.height / picture.width))
        frames.append((picture.resize(size, Image.Resampling.LANCZOS), milliseconds))

    frame("A judgment: the original, what others will read, and what to decide", 2500)
    for key, words in _KEYS:
        page.keyboard.press(key)
        page.wait_for_load_state("networkidle")
        frame(words)
    first, *others = (picture for picture, _ in frames)
    durations = [milliseconds for _, milliseconds in frames]
    options = {"append_images": others, "duration": durations, "quality": 55, "method": 6}
    first.save(ROOT / "docs" / "review.webp", save_all=True, loop=0, **options)


_KEYS = (
    ("j", "j: the doubt that matters most"),
    ("k", "k: keep it. Small doubts come together"),
    ("1", "1: the first of them is to be masked"),
    ("Enter", "Enter: the others are right as shown"),
    ("Enter", "Enter: these are right, too"),
    ("Enter", "Enter: nothing is left to decide"),
)
_IS_SAVED = "() => !document.querySelector('.pending, .htmx-request')"
_IS_ASKED = """() => {
  const chosen = document.querySelector(".entity.chosen");
  return !chosen || !document.getElementById("together").hidden || document.getElementById("why").dataset.e === chosen.dataset.e;
}"""
_CAPTION = """(words) => {
  let caption = document.getElementById("caption");
  if (!caption) {
    caption = document.body.appendChild(document.createElement("p"));
    caption.id = "caption";
    caption.style.cssText = "position:fixed;left:24px;bottom:8px;margin:0;padding:.5rem 1rem;z-index:99;"
      + "border-radius:.5rem;background:#1f5fbf;color:#fff;font:600 22px system-ui,sans-serif";
  }
  caption.textContent = words;
}"""


def pages(page: Any) -> None:
    """Draw a page as it came and as it leaves, side by side."""
    page.wait_for_selector("#pages .box.m")
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for view in ("pages", "leaving"):
            page.locator(f'button[data-view="{view}"]').click()
            page.wait_for_timeout(1000)
            path = Path(folder) / f"{view}.png"
            clip = {"x": 60, "y": 116, "width": 880, "height": 734}
            page.screenshot(path=path, clip=clip)
            parts.append(Image.open(path).resize((660, 550)))
        both = Image.new("RGB", (1320, 550), "white")
        for place, part in enumerate(parts):
            both.paste(part, (660 * place, 0))
        both.quantize(64).save(ROOT / "docs" / "pages.png")


if __name__ == "__main__":
    main()
