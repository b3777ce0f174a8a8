"""Draw docs/review.png: the review page with an example judgment, as a person sees it.

python docs/review.py (needs playwright and a Chromium).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Open the page, decide on three entities, and save the picture."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "tacenda",
            "review",
            str(ROOT / "examples" / "judgment.txt"),
            "--no-browser",
        ]
        command += ["--store", f"{folder}/projects.db", "--as", "Ann"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r"http\S+", process.stdout.readline())
            if found is None:
                raise SystemExit("the application did not start")
            draw(found[0])
        finally:
            process.terminate()
            process.wait()


def draw(url: str) -> None:
    """Take the picture."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1360, "height": 850}, color_scheme="light")
        page.goto(url)
        page.get_by_role("link", name="judgment.txt", exact=True).click()
        page.wait_for_selector("#rows")
        for label, key in (("Harehills", "k"), ("Chapeltown", "k"), ("Leeds", "m")):
            page.locator("#entities .entity", has_text=label).first.click()
            page.wait_for_selector("#why h2")
            page.keyboard.press(key)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(500)
        page.locator("#entities .entity", has_text="13 February 1980").first.click()
        page.wait_for_selector('#why h2:text-is("13 February 1980")')
        page.locator("#option").select_option(index=2)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)
        page.screenshot(path=ROOT / "docs" / "review.png")
        browser.close()


if __name__ == "__main__":
    main()
