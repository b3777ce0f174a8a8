"""Draw docs/attack.png: the page of an attack on sanitized notes about invented people.

python docs/attack.py (needs playwright and a Chromium).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
NOTES, STAFF = ROOT / "examples" / "notes.jsonl", ROOT / "examples" / "staff.csv"


def main() -> None:
    """Sanitize, attack, and save the picture."""
    with tempfile.TemporaryDirectory() as folder:
        people, clean, page = (
            Path(folder) / name for name in ("people.db", "clean.jsonl", "a.html")
        )
        tacenda("index", "people", STAFF, "-o", people)
        tacenda("sanitize", NOTES, "--keep-columns", "id,person", "-o", clean)
        attack = ("--background", people, "--attacker", "bm25", "--k", 3, "--clues", 4)
        page.write_bytes(
            tacenda("attack", clean, *attack, "--original", NOTES, "--to", "html", "--reveal")
        )
        draw(page)


def tacenda(*arguments: object) -> bytes:
    """Run a command and return what it prints."""
    command = [sys.executable, "-m", "tacenda", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def draw(path: Path) -> None:
    """Take the picture."""
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1040, "height": 1000}, color_scheme="light")
        page.goto(path.as_uri())
        page.screenshot(path=ROOT / "docs" / "attack.png")
        browser.close()


if __name__ == "__main__":
    main()
