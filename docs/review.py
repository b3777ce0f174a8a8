"""Draw docs/review.png and docs/pages.png: the review page with an example judgment, as text and as a PDF.

python docs/review.py (needs playwright and a Chromium).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
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
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(500)
    page.locator("#entities .entity", has_text="13 February 1980").first.click()
    page.wait_for_selector('#why h2:text-is("13 February 1980")')
    page.locator("#options .option").nth(1).click()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    page.screenshot(path=ROOT / "docs" / "review.png")


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
