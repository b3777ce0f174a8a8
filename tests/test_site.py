"""The site of the documentation: whole, by itself, and for everybody to read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tacenda import errors

from .app.browser.test_accessibility import CONTRAST, WIDE, show, violations

ROOT = Path(__file__).parents[1]
_KINDS = ("", "tutorials/hospital/", "integrations/guard/", "policies/", "404.html")
"""Pages with all that the site is made of: pictures, code, wide tables, lists, links."""
_FETCHED = re.compile(r"<(?:script|img|link rel=\"?(?:stylesheet|icon|preload))[^>]*https?:[^>]*>")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site; a link, an anchor or a page without a place is a fault."""
    folder = tmp_path_factory.mktemp("site")
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return folder


def test_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    """No script, style, font or picture."""
    pages = list(site.rglob("*.html"))
    assert len(pages) > 25
    assert {tag for page in pages for tag in _FETCHED.findall(page.read_text("utf-8"))} == set()


def test_the_search_finds_what_a_reader_calls_things(site: Path) -> None:
    """A section has all words of what is searched for, in its title."""
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    titles = [entry["title"].lower() for entry in index["docs"]]
    for words in ("second reviewer", "webhooks", "keyboard", "label studio", "install"):
        assert any(words in title for title in titles), words


def test_the_site_is_built_in_an_environment_of_its_own() -> None:
    """`make docs` leaves `.venv` alone, in which tacenda may be running."""
    run = subprocess.run(["make", "-n", "docs"], cwd=ROOT, capture_output=True, text=True)
    assert "mkdocs build" in run.stdout
    assert ".venv" not in run.stdout


def test_the_menu_has_short_nouns(site: Path) -> None:
    """Each entry is a name of three words at most, none a question or a sentence."""
    page = (site / "index.html").read_text("utf-8")
    entries = re.findall(r'class="?md-ellipsis"?[^>]*>(.*?)</span>', page, re.S)
    names = {re.sub(r"<[^>]+>", "", entry).strip() for entry in entries}
    assert len(names) > 40
    assert {name for name in names if len(name.split()) > 3 or "?" in name} == set()


def test_llms_txt_lists_each_page_with_its_summary(site: Path) -> None:
    """Each address is a page of the site."""
    lines = re.findall(r"^- \[.+?\]\((.+?)\)(: .+)?$", (site / "llms.txt").read_text("utf-8"), re.M)
    assert len(lines) == len(list(site.rglob("*.html"))) - 1  # but 404.html
    assert all((site / address).exists() for address, _ in lines)


def test_the_reference_is_of_the_code(site: Path) -> None:
    """A command with its option, a field of a policy, a class with a method."""
    for page, words in {
        "cli": "--threshold",
        "policy": "length_penalty",
        "python": "tacenda.pipeline.Sanitizer.sanitize",
        "licences": "GeoNames",
    }.items():
        assert words in (site / "reference" / page / "index.html").read_text("utf-8")


def test_each_error_has_a_remedy() -> None:
    """Every class of the tree but its base is on the page."""
    kinds = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.TacendaError)
    } - {"TacendaError"}
    page = (ROOT / "docs" / "errors.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.M)) == kinds


def test_the_page_of_licences_has_each_model_and_list(site: Path) -> None:
    """With a licence, in the words of its card."""
    page = (site / "reference" / "licences" / "index.html").read_text("utf-8")
    shipped = ROOT / "src" / "tacenda"
    names = {path.parent.name for path in shipped.glob("models/*/*") if path.name == "digests.json"}
    names |= {path.name for path in (shipped / "data").glob("*.gz")}
    sections = dict(
        re.findall(r'<h2 id="[^"]+">([^<]+)<.*?</h2>(.*?)(?=<h2|</article>)', page, re.S)
    )
    assert names <= set(sections)
    for name in names:
        assert re.search(r"CC0|CC BY|Apache|MIT|WORDNET-LICENCE", sections[name]), name


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.mark.browser
def test_pages_of_the_site_have_no_violations(chromium: Any, site: Path) -> None:
    """By axe-core, a page of each kind, light and dark."""
    faults = []
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = chromium.new_page()
        page.set_default_timeout(60_000)
        for place in _KINDS:
            show(page, WIDE)
            page.goto(f"http://127.0.0.1:{server.server_port}/{place}")
            faults += [f"/{place} light {each}" for each in violations(page)]
            show(page, WIDE | {"color_scheme": "dark"})
            faults += [f"/{place} dark {each}" for each in violations(page, CONTRAST)]
        page.close()
        server.shutdown()
    assert faults == []
