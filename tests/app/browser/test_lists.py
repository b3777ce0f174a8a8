"""A project of more documents than a page shows, by keyboard, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from tacenda.app import terms
from tacenda.app.web.access import Access
from tacenda.app.web.keys import Key
from tests.waiting import until

from ...keys import KEY
from ..building import documents
from .conftest import Site, running, settled, tab

pytestmark = pytest.mark.browser


@pytest.fixture
def many(site: Site) -> int:
    """Return a project of 130 documents that wait, and that no worker takes."""
    made = site.service
    with made.store.database.transaction() as connection:
        texts = [f"Ada Byron saw Kentville on day {number}." for number in range(130)]
        id = made.add_project("Many", documents(*texts)).id
        connection.execute("UPDATE document SET claimed = 1e12 WHERE project = ?", (id,))
    return id


def _names(page: Any) -> list[str]:
    found: list[str] = page.locator("#documents tbody th").all_inner_texts()
    return [name.strip() for name in found]


def _analyse(site: Site, project: int, *places: int) -> None:
    made = site.service
    rows = made.store.documents.of(project)
    for place in places:
        text = made.store.documents.text(rows[place - 1].id)
        made.analysed(rows[place - 1].id, made.sanitizer.analyze(text))


@pytest.fixture
def clocked(chromium: Any, site: Site) -> Iterator[Any]:
    """Return a tab whose clock the test sets."""
    with tab(chromium, site, is_reused=False) as page:
        page.clock.install()
        yield page


def test_an_open_list_is_brought_what_changed(clocked: Any, site: Site, many: int) -> None:
    """Only the rows that changed come; what is chosen and focused stays so; nothing is asked when all is done."""
    answers: list[Any] = []
    requests: list[str] = []
    page = clocked
    page.goto(site.at(f"/projects/{many}"))
    page.on(
        "response",
        lambda answer: answers.append(answer) if "/queue?since" in answer.url else None,
    )
    page.on("request", lambda request: requests.append(request.url))
    assert "130 still to be analyzed" in page.locator("#queue").inner_text()
    page.keyboard.press("j")
    page.keyboard.press("j")
    _analyse(site, many, 1, 2, 120)
    page.wait_for_selector("#documents tr:nth-child(2) a")
    assert page.evaluate("() => document.activeElement.matches('tr.chosen:nth-child(2)')")
    # The list may have been brought while the three were analysed.
    page.wait_for_selector("#queue:has-text('127 still to be analyzed')")
    assert page.locator("#next-document").inner_text() == "Review next: d1.txt"
    page.wait_for_event("response", lambda answer: answer.status == 204)
    assert max(len(answer.body()) for answer in answers if answer.status == 200) < 3000
    with site.service.store.database.transaction() as connection:
        connection.execute("UPDATE document SET status = 'failed' WHERE status = 'waiting'")
    _assign = site.service.store.documents.assign
    _assign(many, [site.service.store.documents.of(many)[2].handle], "")
    page.wait_for_selector("#queue:not([data-waiting])")
    settled(page)
    requests.clear()
    page.clock.fast_forward(60_000)
    settled(page)
    assert [url for url in requests if "/queue" in url] == []
    page.keyboard.press("Enter")
    page.wait_for_url("**/documents/*")
    assert "d2.txt" in page.title()


def test_a_list_is_searched_and_leafed_through_by_keyboard(
    page: Any, site: Site, many: int
) -> None:
    """/ finds while one types, j goes on to the next page, and back leads to the page before."""
    page.goto(site.at(f"/projects/{many}"))
    assert _names(page)[99] == "d100.txt"
    for _ in range(101):
        page.keyboard.press("j")
    page.wait_for_selector("#documents tr.chosen:first-child >> text=d101.txt")
    assert len(_names(page)) == 30
    page.keyboard.press("J")
    page.wait_for_selector("#documents tr.chosen:last-child >> text=d100.txt")
    page.keyboard.press("/")
    page.keyboard.type("D12")
    page.wait_for_selector("#documents tr:first-child >> text=d12.txt")
    assert len(_names(page)) == 11
    assert page.evaluate("() => document.activeElement.id") == "find"
    page.select_option("#state", "open")
    page.wait_for_selector("text=No matching documents.")
    assert "find=D12&state=open" in page.evaluate("() => location.search")
    page.go_back()
    page.wait_for_selector("#documents tr:first-child >> text=d12.txt")


def test_documents_are_ticked_by_key(chromium: Any, site: Site, many: int) -> None:
    """X ticks and goes on; what is ticked stays so while its row changes, and is given to somebody."""
    made = site.service
    with (
        running(made, Access("local", {"Eve": Key.of(KEY)})) as other,
        tab(chromium, other) as page,
    ):
        with made.store.database.transaction() as connection:
            connection.execute("UPDATE project SET owner = 'Eve' WHERE id = ?", (many,))
        page.locator("#key").fill(KEY)
        page.keyboard.press("Enter")
        page.wait_for_selector(".cards")
        page.goto(other.at(f"/projects/{many}"))
        for key in ("j", "x", "x"):
            page.keyboard.press(key)
        _analyse(site, many, 1)
        page.wait_for_selector("#documents tr:first-child a")
        assert page.locator("#documents input:checked").count() == 2
        page.locator("#assign button", has_text="Give").click()
        page.wait_for_selector("#notice:has-text('2 documents are assigned to Eve.')")
        page.select_option("#state", "mine")
        until(lambda: _names(page) == ["d1.txt", "d2.txt"])
        page.locator("#tick-all").click()
        assert page.locator("#documents input:checked").count() == 2


def test_a_decision_shows_how_far_it_is(
    page: Any, site: Site, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of decisions counts the documents of a decision."""
    decided, is_shown = terms._decided, Event()

    def halted(*arguments: Any, **options: Any) -> Any:
        is_shown.wait(60)
        return decided(*arguments, **options)

    monkeypatch.setattr(terms, "_decided", halted)
    _analyse(site, many, *range(1, 131))
    page.goto(site.at(f"/projects/{many}/decisions"))
    page.wait_for_selector(".names > li.chosen >> text=Kentville")
    page.keyboard.press("m")
    page.wait_for_selector("#progress:has-text('of 130 documents')")
    is_shown.set()
    until(lambda: "130 documents changed" in page.locator("#notice").inner_text())
    assert page.locator("#progress").is_hidden()
