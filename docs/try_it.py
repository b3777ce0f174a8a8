"""Draw pictures of the review application.

docs/try-it.png is the first page with a sample, docs/new-project.png files before a project, docs/project.png,
docs/decisions.png and docs/release.png a project, its decisions and its checklist, docs/doubts.png a list of small doubts.

python docs/try_it.py (needs playwright, Pillow and a Chromium).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

DOCS = Path(__file__).parent
_TABLE = b"id,note,ward\n1,Anna Berg came in with her son,B\n2,He was seen by Dr Ruiz today,C\n"
EXAMPLES = ("letter.txt", "judgment.txt", "biography.txt", "discharge.txt")
_LETTER = (DOCS.parent / "examples" / "discharge.txt").read_bytes()
_FILES = (("visits.csv", _TABLE), ("plan.gif", b"GIF89a"), ("discharge.txt", _LETTER))


def main() -> None:
    """Take the pictures."""
    with sync_playwright() as playwright:
        browser = browser_of(playwright)
        for draw, files in ((draw_first, ()), (draw_project, EXAMPLES)):
            page = browser.new_page(viewport={"width": 1200, "height": 780}, color_scheme="light")
            with started(*(str(DOCS.parent / "examples" / name) for name in files)) as url:
                draw(page, url)
        browser.close()


def browser_of(playwright: Playwright) -> Browser:
    """The Chromium of this machine."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


@contextmanager
def started(*files: str) -> Iterator[str]:
    """The address of the application with projects of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tacenda", "review", *files, "--no-browser", "--as", "Ann"]
        command += ["--store", f"{folder}/projects.db"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r"http\S+", process.stdout.readline())
            if found is None:
                raise SystemExit("the application did not start")
            yield found[0]
        finally:
            process.terminate()
            process.wait()


def draw_first(page: Page, url: str) -> None:
    """Take the pictures of the first page."""
    page.goto(url)
    page.get_by_role("button", name="a judgment").click()
    page.wait_for_selector("#summary:has-text('left')")
    page.locator("input[value=generalise]").check()
    page.wait_for_selector("#result:has-text('city in Poland')")
    save(page, "try-it.png")
    page.locator("#to-new").click()
    files = [{"name": name, "mimeType": "x/x", "buffer": content} for name, content in _FILES]
    page.locator("#files").set_input_files(files)
    page.wait_for_selector("#begin:enabled")
    page.evaluate("() => scrollTo(0, 0)")
    save(page, "new-project.png")


def draw_project(page: Page, url: str) -> None:
    """Take the pictures of a project's pages."""
    page.goto(url)
    page.wait_for_selector("#queue:has-text('reviewed'):not(:has-text('still to be'))")
    project = page.url.split("?")[0]
    save(page, "project.png")
    page.goto(f"{project}/decisions")
    page.wait_for_selector(".names > li")
    save(page, "decisions.png")
    page.goto(f"{project}/release")
    save(page, "release.png")
    page.goto(project)
    page.get_by_role("link", name="letter.txt", exact=True).click()
    page.wait_for_selector("#rows")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("j")
    page.wait_for_selector("#together h2")
    page.wait_for_timeout(500)
    save(page, "doubts.png")


def save(page: Page, name: str) -> None:
    """Save what the window shows, in few colours."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(64, dither=Image.Dither.NONE).save(DOCS / name, optimize=True)


if __name__ == "__main__":
    main()
