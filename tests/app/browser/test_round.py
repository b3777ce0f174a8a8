"""A whole round of documents by keys alone, whenever the program answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from tacenda.document import SemanticType, Span
from tests.waiting import until

from ..building import documents
from .conftest import Site, tab

pytestmark = pytest.mark.browser

_TEXT = "Ada Byron, in Kentville on 12 March 1994; case {}."
_DOCUMENTS = 6


@pytest.fixture
def handles(site: Site) -> list[str]:
    """Return the handles of documents that each have two questions."""
    made = site.service
    texts = [_TEXT.format(number) for number in range(_DOCUMENTS)]
    project = made.add_project("Round", documents(*texts))
    rows = made.store.documents.of(project.id)
    for row in rows:
        made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    return [row.handle for row in rows]


@pytest.fixture
def gate(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Return what lets the program save; nothing is saved while it is not set."""
    found = Event()
    found.set()
    save = site.service.change

    def late(*arguments: Any) -> Any:
        found.wait(60)
        return save(*arguments)

    monkeypatch.setattr(site.service, "change", late)
    yield found
    found.set()


# In the narrow window the panel is closed at first.
@pytest.mark.parametrize(
    ("late", "width", "start", "is_closed"),
    [
        ((False, False), 1400, "", False),
        ((True, True), 390, "", False),
        ((True, True), 1400, "#decide", False),
        ((False, True), 390, "#decide", True),
    ],
    ids=["early", "late-narrow", "late-decide", "alternating-closed"],
)
def test_a_round_of_documents_goes_by_keys(
    chromium: Any,
    site: Site,
    handles: list[str],
    gate: Event,
    late: tuple[bool, bool],
    width: int,
    start: str,
    is_closed: bool,
) -> None:
    """Enter, Enter, Ctrl+Enter in each: with every answer before the next key, or all of them after the last.

    So in documents of even and of odd places. Where the panel is closed, Enter leads back to the first question.
    """
    window = {"width": width, "height": 800}
    place_of_first = f"{site.root}/documents/{handles[0]}{start}"
    with tab(chromium, site, place_of_first, viewport=window) as page:
        page.wait_for_selector("#review[data-sheet]")
        if not start:
            page.keyboard.press("j")
        for place, handle in enumerate(handles):
            is_late = late[place % 2]
            page.wait_for_function("handle => location.pathname.endsWith(handle)", arg=handle)
            page.wait_for_selector(".m.chosen:text-is('12 March 1994')")
            if is_closed:
                page.keyboard.press("Escape")
                page.wait_for_selector("#review[data-sheet=closed]")
                page.wait_for_selector(".m.chosen", state="detached")
                page.keyboard.press("Enter")
                page.wait_for_selector(".m.chosen:text-is('12 March 1994')")
            if is_late:
                gate.clear()
            page.keyboard.press("Enter")
            page.wait_for_selector(".m.chosen:text-is('Kentville')")
            if not is_late:
                page.wait_for_selector('#figures[data-revision="1"]')
            page.keyboard.press("Enter")
            if not is_late:
                page.wait_for_selector('#figures[data-revision="2"]')
            last = place + 1 == len(handles)
            with page.expect_navigation(url="**/projects/*" if last else "**/documents/*"):
                page.keyboard.press("Control+Enter")
                gate.set()
    rows = [row for row in site.service.store.documents.of(2) if row.handle in handles]
    assert [row.summary.done for row in rows] == [True] * _DOCUMENTS
    assert {row.summary.decided for row in rows} == {2}


def test_keys_pressed_while_a_page_loads_are_not_lost(
    page: Any, site: Site, handles: list[str]
) -> None:
    """They do what they mean as soon as the page listens."""
    held: list[Any] = []
    page.route("**/static/review.js", lambda route: held.append(route))
    page.goto(f"{site.root}/documents/{handles[0]}#decide", wait_until="commit")
    page.wait_for_selector(".m")
    until(lambda: page.locator(".m").count() and held)
    page.keyboard.press("Enter")
    page.keyboard.press("m")
    assert page.locator("#figures").get_attribute("data-revision") == "0"
    held[0].continue_()
    page.wait_for_selector('#figures[data-revision="2"]')
    page.unroute("**/static/review.js")
    actions = [entry.event.value for entry in site.service.store.log.entries(3) if entry.event]
    assert actions == ["keep", "mask"]


def test_a_key_held_down_decides_once(page: Any, site: Site) -> None:
    """Nothing that nobody has seen is decided by a key that repeats."""
    page.keyboard.press("j")
    page.wait_for_selector(".m.chosen:text-is('12 March 1994')")
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")
    page.wait_for_selector('#figures[data-revision="1"]')
    page.keyboard.up("Enter")
    page.keyboard.press("m")
    page.wait_for_selector('#figures[data-revision="2"]')
    actions = [entry.event.value for entry in site.service.store.log.entries(1) if entry.event]
    assert actions == ["keep", "mask"]


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("by_click", [False, True])
def test_small_doubts_of_a_type_are_decided_together(
    page: Any, site: Site, width: int, by_click: bool
) -> None:
    """A list in the panel, seen whole; a digit or a click takes one out, Enter confirms all, and that is two changes."""
    page.set_viewport_size({"width": width, "height": 844})
    made = site.service
    towns = "In Kentville it rained. On 12 March 1994 too, and 12 March 1994."
    project = made.add_project("Towns", documents(towns.replace("12 March 1994.", "13 May 1994.")))
    (row,) = made.store.documents.of(project.id)
    analysis = made.sanitizer.analyze(made.store.documents.text(row.id))
    other = analysis.mentions[-1]
    start = analysis.document.text.index("13 May 1994")
    second = replace(other, span=Span(start, start + 11), type=SemanticType.DATETIME, p_mask=0.4)
    made.analysed(row.id, replace(analysis, mentions=(*analysis.mentions, second)))
    page.goto(f"{site.root}/documents/{row.handle}#decide")
    page.wait_for_selector("#together:visible")
    assert page.locator("#to-decide").inner_text() == "2"
    assert page.locator("#together h2").inner_text().startswith("2 ×")
    last, buttons = (page.locator(f"#together {part}") for part in ("li:last-child", ".buttons"))
    bottom = last.bounding_box()["y"] + last.bounding_box()["height"]
    assert bottom <= buttons.bounding_box()["y"] < 844
    if by_click:
        page.locator("#together [data-turn]").nth(1).click()
        page.keyboard.press("Space")
        page.keyboard.press("Space")
    else:
        page.keyboard.press("2")
    assert page.locator("#together li").nth(1).locator(".outcome").inner_text() == "mask"
    page.keyboard.press("Enter")
    page.wait_for_selector('#figures[data-revision="2"]')
    page.wait_for_selector(".m.chosen:text-is('Kentville')")
    assert page.locator("#together").is_hidden()
    assert "On 12 March 1994 too, and [DATE 1]" in made.open(row.id).reviewed.sanitized.text
