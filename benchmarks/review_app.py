"""The review application in a browser: keys for a project of documents, and time from an action to its paint.

    python -m benchmarks review_app [--documents 200] [--pages 38]
    python -m benchmarks review_app --large [--pages 38]
    python -m benchmarks review_app --lists [--store FILE]
    python -m benchmarks review_app --release
    python -m benchmarks review_app --try

Documents are made up (letters and reports of people, places, dates, diagnoses); they are analysed by the shipped
recognizer. The reviewer uses the keyboard alone: j leads to the first decision that needs a person, Enter or k or m
settles it and leads to the next, Ctrl+Enter finishes and opens the next document. Then again, by name: Enter on each
name of the project's decisions, and Ctrl+Enter in each document. *Paint* is the time from the key to the second frame
after it, in the page. Needs Chromium and playwright.

With ``--large``, the two large documents alone. With ``--lists``, without a browser: how long the server works on the pages
of a project of 1,000 reports and of one of 2,000 rows of a table, and how large they are. The store is made if it is not
there, and changed. With ``--release``: the release page of 1,000 Word files of a paragraph and a picture each, a decision
on a picture, and the record. With ``--try``: the first page, from the last key in a page of text to the result that is seen.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
from dataclasses import replace
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from random import Random
from signal import SIGTERM
from threading import Thread
from time import perf_counter
from typing import Any
from zipfile import ZipFile

import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright
from starlette.testclient import TestClient

import tacenda
from tacenda.app.intake import from_upload
from tacenda.app.listening import address, listen
from tacenda.app.server import server
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.documents import NewDocument, NewFile
from tacenda.app.web.access import Access
from tacenda.app.web.application import application
from tacenda.deciding import Analysis
from tacenda.document import Document

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


_TRY = """(value) => new Promise((resolve) => {
  const text = document.getElementById("text");
  const begun = performance.now();
  new MutationObserver((_, watcher) => {
    watcher.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
  }).observe(document.getElementById("result"), { childList: true });
  text.value = value;
  text.dispatchEvent(new Event("input", { bubbles: true }));
})"""
_PAGE = 3000
"""Characters of a page of text."""


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


def main(parser: argparse.ArgumentParser) -> None:
    """Measure and print."""
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--pages", type=int, default=38)
    parser.add_argument("--large", action="store_true", help="measure large documents alone")
    parser.add_argument("--lists", action="store_true", help="measure pages of large projects")
    parser.add_argument("--store", type=Path, help="file with the large projects; made if missing")
    parser.add_argument("--release", action="store_true", help="measure the release of Word files")
    parser.add_argument("--try", dest="trial", action="store_true", help="measure the first page")
    arguments = parser.parse_args()
    if arguments.release:
        with tempfile.TemporaryDirectory() as folder:
            release(Path(folder) / "release.db")
        return
    if arguments.lists:
        with tempfile.TemporaryDirectory() as folder:
            lists(arguments.store or Path(folder) / "lists.db")
        return
    random = Random(0)
    small = [text_of(random, random.randrange(3, 12)) for _ in range(arguments.documents)]
    pages = text_of(random, 8 * arguments.pages)
    long = text_of(random, 1400)[:300_000]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        made = Service(Store(Path(folder) / "projects.db"), tacenda.load())
        is_whole = not (arguments.large or arguments.trial)
        if is_whole:
            project, again = add(made, "small", small), add(made, "small, by name", small)
        big = 0 if arguments.trial else add(made, "big", [pages, long])
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
            if arguments.trial:
                trial(page, random)
            if is_whole:
                keys(made, page, root, project)
                by_name(made, page, root, again)
                keys(made, page, root, again)
            for row in made.store.documents.of(big) if big else ():
                paints(page, f"{root}/documents/{row.handle}")
            running.handle_exit(SIGTERM, None)
            thread.join()
        browser.close()


def lists(path: Path) -> None:
    """Print times and sizes of the pages of large projects."""
    made = Service(Store(path), tacenda.load())
    if not made.store.projects.all():
        random = Random(0)
        add(made, "reports", [text_of(random, random.randrange(3, 12)) for _ in range(1000)])
        table = "text\n" + "".join(f'"{text_of(random, 1)}"\n' for _ in range(2000))
        fill(made, "table", from_upload("table.csv", table.encode(), ()))
    client = entered(made)
    timed(client, "home", "/")
    for project in reversed(made.store.projects.all()):
        place = f"/projects/{project.handle}"
        shown = timed(client, f"{project.name}: list", place).text
        version = (re.findall(r'data-version="([0-9]+)"', shown) or ["0"])[0]
        timed(
            client,
            f"{project.name}: asked again, nothing changed",
            f"{place}/queue?since={version}",
        )
        first, *_ = made.store.documents.of(project.id)
        made.store.documents.assign(project.id, [first.handle], "Ann")
        timed(
            client,
            f"{project.name}: asked again, one row changed",
            f"{place}/queue?since={version}",
        )
        for table in made.store.lists.tables(project.id):
            for page in (1, 10_000):
                for side in ("leaves", "came"):
                    label = f"{project.name}: page {page} of the table as it {side}"
                    timed(client, label, f"{place}/tables/{table.id}?view={side}&page={page}")
        timed(client, f"{project.name}: first document", f"/documents/{first.handle}")
        timed(client, f"{project.name}: checklist of the release", f"{place}/release")
        timed(client, f"{project.name}: next document", f"/documents/{first.handle}/next", 303)
        begun, requests = perf_counter(), 1
        names = client.get(f"{place}/decisions").text
        while 'id="reading"' in names:
            names = client.get(f"{place}/decisions/names").text
            requests += 1
        print(
            f"{project.name}: decisions first, {requests} requests: {perf_counter() - begun:.2f} s"
        )
        timed(client, f"{project.name}: decisions again", f"{place}/decisions")
        groups = re.findall(
            r'data-name="([^"]+)".*?· ([0-9]+) places? in ([0-9]+) document', names, re.DOTALL
        )
        name, _, documents = max(groups, key=lambda group: int(group[2]))
        begun = perf_counter()
        form = {"names": f"[{unescape(name)}]", "action": "mask"}
        answer = client.post(f"{place}/decisions", data=form)
        assert answer.status_code == 200, answer.text
        print(
            f"{project.name}: a name in {documents} documents masked: {perf_counter() - begun:.1f} s, "
            f"{len(answer.content) / 1000:.0f} KB"
        )


def entered(made: Service) -> TestClient:
    """Return a client that came in."""
    access = Access("Ann")
    client = TestClient(application(made.store, access, service=made), "http://127.0.0.1")
    client.get(f"/?token={access.token}")
    client.headers["X-Tacenda-Proof"] = re.findall(
        r'"X-Tacenda-Proof": "([^"]+)"', client.get("/").text
    )[0]
    return client


_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def word(text: str, number: int) -> bytes:
    """Return a small Word file of a paragraph and a picture."""
    picture, stream = BytesIO(), BytesIO()
    Image.new("RGB", (40, 20), (number % 256, number // 256, 0)).save(picture, "PNG")
    tie = '<Relationships xmlns="%s/relationships"><Relationship Id="r1" Type="%s/%s" Target="%s"/></Relationships>'
    entries = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_WORD}"/></Types>',
        "_rels/.rels": tie % (_PACKAGE, _OFFICE, "officeDocument", "word/document.xml"),
        "word/_rels/document.xml.rels": tie % (_PACKAGE, _OFFICE, "image", "media/one.png"),
        "word/document.xml": '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        f'xmlns:r="{_OFFICE}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><w:body><w:p><w:r>'
        f'<w:t>{text}</w:t></w:r><w:r><w:drawing><a:blip r:embed="r1"/></w:drawing></w:r></w:p></w:body></w:document>',
        "word/media/one.png": picture.getvalue(),
    }
    with ZipFile(stream, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return stream.getvalue()


def release(path: Path, count: int = 1000) -> None:
    """Print times and sizes of the release page of many Word files, with twenty texts among them."""
    made, random = Service(Store(path), tacenda.load()), Random(0)
    read = [
        item
        for number in range(20)
        for item in from_upload("letter.docx", word(text_of(random, 1), number))
    ]
    files = [
        replace(
            read[number % len(read)],
            document=replace(read[number % len(read)].document, id=f"{number:04}.docx"),
            file=NewFile(
                f"{number:04}.docx", "docx", "utf-8", read[number % len(read)].file.content
            ),
        )
        for number in range(count)
    ]
    project = made.add_project("words", files)
    found: dict[str, Analysis] = {}
    with made.store.database.transaction():
        for row in made.store.documents.of(project.id):
            document = made.store.documents.text(row.id)
            if document.text not in found:
                found[document.text] = made.sanitizer.analyze(document)
            made.analysed(row.id, replace(found[document.text], document=document))
    client = entered(made)
    place = f"/projects/{project.handle}/release"
    begun, requests = perf_counter(), 1
    while 'id="reading"' in (shown := client.get(place).text):
        requests += 1
    print(f"{count} files looked at, {requests} requests: {perf_counter() - begun:.1f} s")
    timed(client, "release page", place)
    places = re.findall(r'data-place="(/documents/[^"]+)" data-revision="([0-9]+)"', shown)
    times = []
    for part, revision in places[:20]:
        begun = perf_counter()
        answer = client.post(part, data={"revision": revision, "treatment": "keep"})
        assert answer.status_code == 200, answer.text
        times.append(perf_counter() - begun)
    print(
        f"a decision on a picture: median {1000 * statistics.median(times):.0f} ms, "
        f"{len(answer.content) / 1000:.1f} KB"
    )
    for format in ("html", "json"):
        begun = perf_counter()
        answer = client.get(f"/projects/{project.handle}/audit?format={format}")
        print(
            f"record as {format}: {perf_counter() - begun:.1f} s, {len(answer.content) / 1000:.0f} KB"
        )


def timed(client: TestClient, label: str, path: str, status: int | None = None) -> Any:
    """Print the median of five answers and the size; return the last."""
    times = []
    for _ in range(5):
        begun = perf_counter()
        answer = client.get(path, follow_redirects=False)
        times.append(perf_counter() - begun)
    assert answer.status_code in ((200, 204) if status is None else (status,)), answer.text
    print(
        f"{label}: first {1000 * times[0]:.0f} ms, median {1000 * statistics.median(times):.0f} ms, "
        f"{len(answer.content) / 1000:.1f} KB",
        flush=True,
    )
    return answer


def add(made: Service, name: str, texts: list[str]) -> int:
    """Return the number of a new project with these texts, analysed."""
    return fill(
        made, name, [NewDocument(Document(f"{n:04}.txt", text)) for n, text in enumerate(texts)]
    )


def fill(made: Service, name: str, documents: list[NewDocument]) -> int:
    """Return the number of a new project with these documents, analysed."""
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


def trial(page: Any, random: Random, count: int = 30) -> None:
    """Print how long it takes from the last key in a page of text to the result on the first page."""
    texts = [text_of(random, 12)[:_PAGE] for _ in range(count)]
    # The first loads what the recognizer needs.
    first, *times = [page.evaluate(_TRY, text) for text in texts]
    ordered = sorted(times)
    print(
        f"a page of {_PAGE:,} characters tried, {len(times)} times: from the last key to the result median "
        f"{statistics.median(ordered):.0f} ms, p95 {ordered[int(0.95 * len(ordered))]:.0f}, largest "
        f"{ordered[-1]:.0f}; the first {first:.0f}"
    )


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
