"""The review application in a browser: keys for a project of documents, and time from an action to its paint.

    python benchmarks/review_app.py [--documents 200] [--pages 38]

Documents are made up (letters and reports of people, places, dates, diagnoses); they are analysed by the shipped
recognizer. The reviewer uses the keyboard alone: j leads to the first decision that needs a person, Enter or k or m
settles it and leads to the next, Ctrl+Enter finishes and opens the next document. Then again, by name: Enter on each
name of the project's decisions, and Ctrl+Enter in each document. *Paint* is the time from the key to the second frame
after it, in the page. Needs Chromium and playwright.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from signal import SIGTERM
from threading import Thread
from time import perf_counter
from typing import Any

import uvicorn
from playwright.sync_api import sync_playwright

import tacenda
from tacenda.app.listening import address, listen
from tacenda.app.server import server
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.documents import NewDocument
from tacenda.app.web.access import Access
from tacenda.document import Document
from tacenda.pipeline import Analysis

_FIRST = "Anna Bram Carla Dirk Elin Femke Goran Hanna Ivo Jelena Karim Lotte Marek Nadia Omar Petra".split()
_LAST = "Aalberg Bakker Cerny Dahl Eriksen Fontaine Gruber Holm Ivanov Jansen Kowal Lind Moreau Novak".split()
_TOWNS = "Utrecht Bergen Brno Ghent Lund Graz Zadar Leiden Aarhus Kaunas Varna Porto".split()
_WORK = "a nurse, a carpenter, a teacher, an accountant, a baker, a bus driver".split(", ")
_PAINT = """(key) => new Promise((resolve) => {
  const begun = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
})"""
_SLIDE = """(step) => new Promise((resolve) => {
  const slider = document.getElementById("bound");
  const begun = performance.now();
  slider.value = Number(slider.value) + step;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
})"""


def text_of(random: Random, paragraphs: int) -> str:
    """Return a made-up report."""
    person = f"{random.choice(_FIRST)} {random.choice(_LAST)}"
    parts = []
    for number in range(paragraphs):
        other = f"{random.choice(_FIRST)} {random.choice(_LAST)}"
        day = f"{random.randrange(1, 29)} {random.choice(('March', 'June', 'October'))} {random.randrange(1990, 2024)}"
        parts.append(
            f"{number + 1}. {person}, {random.choice(_WORK)} from {random.choice(_TOWNS)}, met {other} on {day}. "
            f"They spoke for {random.randrange(2, 50)} minutes about the flat in {random.choice(_TOWNS)}, for which "
            f"{random.randrange(3, 90)},000 euros were asked. {other} did not agree, and left for the "
            f"{random.choice(_TOWNS)} District Court."
        )
    return "\n\n".join(parts)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--pages", type=int, default=38)
    arguments = parser.parse_args()
    random = Random(0)
    small = [text_of(random, random.randrange(3, 12)) for _ in range(arguments.documents)]
    pages = text_of(random, 8 * arguments.pages)
    long = text_of(random, 1000)[:300_000]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        made = Service(Store(Path(folder) / "projects.db"), tacenda.load())
        project, again = add(made, "small", small), add(made, "small, by name", small)
        big = add(made, "big", [pages, long])
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        access = Access("Ann")
        with listen("127.0.0.1", 0) as listener:
            running: uvicorn.Server = server(made.store, access, (), made)
            thread = Thread(target=running.run, args=([listener],))
            thread.start()
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.set_default_timeout(60_000)
            url = address(listener, token=access.token)
            page.goto(url)
            root = url.split("/?")[0].rstrip("/")
            keys(made, page, root, project)
            by_name(made, page, root, again)
            keys(made, page, root, again)
            for row in made.store.documents.of(big):
                paints(page, f"{root}/documents/{row.handle}")
            running.handle_exit(SIGTERM, None)
            thread.join()
        browser.close()


def add(made: Service, name: str, texts: list[str]) -> int:
    """Return the number of a new project with these texts, analysed."""
    documents = [NewDocument(Document(f"{n:04}.txt", text)) for n, text in enumerate(texts)]
    project = made.add_project(name, documents)
    for row in made.store.documents.of(project.id):
        made.analysed(row.id, analysis(made, made.store.documents.text(row.id)))
    return project.id


@cache
def analysis(made: Service, document: Document) -> Analysis:
    """Return the analysis of a document, which may be in two projects."""
    return made.sanitizer.analyze(document)


def by_name(made: Service, page: Any, root: str, project: int) -> None:
    """Decide on all names of a project by keyboard, and print keys and times to the answer on the page."""
    address = f"{root}/projects/{made.store.projects.get(project).handle}/decisions"
    openings = []
    for _ in range(2):
        begun = perf_counter()
        page.goto(address)
        openings.append(perf_counter() - begun)
    places = page.locator("#open-heading").inner_text()
    times: list[float] = []
    while (left := int(page.locator("#names").inner_text())) > 0:
        # Where a name stays in some documents and is masked in others, m masks it in all.
        is_mixed = page.locator(".names > li.chosen").get_attribute("data-confirm") == ""
        begun = perf_counter()
        page.keyboard.press("m" if is_mixed else "Enter")
        page.wait_for_function(
            f"() => Number(document.getElementById('names').textContent) < {left}"
            " && !document.querySelector('main').inert"
        )
        times.append(perf_counter() - begun)
    print(
        f"{places}: decided with {len(times)} keys; page first {openings[0]:.1f} s, again "
        f"{openings[1]:.1f} s; key to answer median {statistics.median(times):.2f}, largest {max(times):.2f} s"
    )


def keys(made: Service, page: Any, root: str, project: int) -> None:
    """Finish all documents of a project by keyboard, and print how many keys it took."""
    rows = made.store.documents.of(project)
    pressed = 0
    page.goto(f"{root}/documents/{rows[0].handle}")
    page.wait_for_load_state()
    if page.locator("#to-decide").inner_text() != "0":
        page.keyboard.press("j")
        pressed += 1
    for _ in rows:
        while (left := int(page.locator("#to-decide").inner_text())) > 0:
            page.wait_for_selector("#why h2")
            page.keyboard.press("Enter")
            pressed += 1
            page.wait_for_function(
                f"() => Number(document.getElementById('to-decide').textContent) < {left}"
            )
        with page.expect_navigation():
            page.keyboard.press("Control+Enter")
        pressed += 1
        if "/projects/" in page.url:
            break
        page.wait_for_load_state()
    done = sum(row.summary.done for row in made.store.documents.of(project))
    entities = sum(row.summary.entities for row in rows)
    print(f"{done} of {len(rows)} documents ({entities:,} entities) reviewed with {pressed:,} keys")


def paints(page: Any, url: str) -> None:
    """Print how long actions in a large document take to be seen."""
    begun = page.goto(url)
    assert begun is not None
    first = page.evaluate(
        "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    entities = page.locator("#entities li").count()
    letters = page.evaluate("() => document.getElementById('rows').textContent.length / 2")
    page.evaluate(_PAINT, "j")
    page.wait_for_selector("#why h2")
    bytes_of: list[int] = []
    page.on(
        "response",
        lambda answer: bytes_of.append(len(answer.body())) if "/changes" in answer.url else None,
    )
    times = []
    for key in ("k", "j", "m", "j", "k", "j", "m", "n", "p", "n"):
        times.append(page.evaluate(_PAINT, key))
        page.wait_for_timeout(1500)
    slides = []
    for step in (1, 1, -1):
        slides.append(page.evaluate(_SLIDE, step))
        page.wait_for_timeout(4000)
    print(
        f"{letters / 1000:.0f} KB, {entities} entities: first view {first:.0f} ms; key to paint median "
        f"{statistics.median(times):.0f}, largest {max(times):.0f} ms; slider {max(slides):.0f} ms; answers median "
        f"{statistics.median(bytes_of) / 1000:.1f} KB"
    )


if __name__ == "__main__":
    main()
