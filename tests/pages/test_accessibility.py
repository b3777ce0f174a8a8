"""Every page passes axe-core, narrow and light, wide and dark, and the browser refuses nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda.document import Assessment, Combination, Document, Evidence, IdentifierType, Span
from tacenda.pages import assess, evaluation
from tacenda.pages.record import page as record_page
from tacenda.pages.replacements import Pair, Place
from tacenda.pages.replacements import page as replacements_page
from tacenda.pages.result import page as result_page
from tacenda.result import Result
from tacenda.risk.search.indicator import SearchReport

from ..app.browser.test_accessibility import NARROW, check_looks
from ..audit.test_audit import write
from ..audit.test_record import made
from ..documents.conftest import mask_strings
from .building import run_of
from .test_attack import pages as attack_pages
from .test_criteria import html as criteria_page

pytestmark = pytest.mark.browser

_TEXT = "Anna Berg of Oslo, born 1950.\nShe left."


def _result() -> Result:
    return mask_strings(Document("letter", _TEXT), "Anna Berg", kept=("Oslo",))


def _assessed(_: Path) -> str:
    result = _result()
    evidence = (Evidence("masking_head", 0.9, "It is a name."),)
    assessments = [
        Assessment(entity, 0.9, IdentifierType.QUASI, evidence) for entity in result.entities
    ]
    together = Combination(tuple(entity.id for entity in result.entities), 0.5, evidence)
    report = SearchReport((), (together,), people=1)
    return assess.page([assess.section(result, assessments, report)])


_PAIR = Pair("LOC", Place.of(_TEXT, Span(13, 17)), Place.of("In a city.", Span(3, 9)), ["kept"])
PAGES: dict[str, Callable[[Path], str]] = {
    "result": lambda _: result_page(_result(), reveal=True),
    "assess": _assessed,
    "audit": lambda folder: write(folder / "a.html", _result()),
    "record": lambda folder: record_page(made(folder)),
    "attack": lambda folder: attack_pages(folder, originals=True)[1],
    "criteria": lambda _: criteria_page(reveal=True),
    "replacements": lambda _: replacements_page([("letter", [_PAIR])]),
    "one system": lambda _: evaluation.page(run_of(_TEXT, "Anna Berg", "born", bootstrap=5)),
    "two systems": lambda _: evaluation.page(run_of(_TEXT, "Anna Berg", names=["a", "b"])),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_the_browser_refuses_nothing(
    chromium: Any, name: str, tmp_path: Path
) -> None:
    """The style sheet applies, the script runs, nothing else is asked for; axe-core has no objection to what is open."""
    path = tmp_path / "page.html"
    path.write_text(PAGES[name](tmp_path), "utf-8")
    page = chromium.new_page(**NARROW)
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url))
    page.goto(path.as_uri())
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "15px"
    if "system" in name:
        assert page.locator("#controls").is_visible()
    assert faults == [path.as_uri()]
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    check_looks(page)
    page.close()
