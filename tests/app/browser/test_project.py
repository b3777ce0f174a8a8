"""The page of a project for two people with keys, in real browsers: who may what, and what is said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tacenda.app.events import Event, EventKind
from tacenda.app.store.projects import ProjectRole
from tacenda.app.web.access import Access
from tacenda.app.web.keys import Key

from ...keys import KEY
from .conftest import Site, disconnect, reconnect, running, tab

pytestmark = pytest.mark.browser
_KEYS = {"Eve": KEY, "Ben": KEY[1:] + KEY[:1]}


@pytest.fixture
def server(site: Site) -> Iterator[Site]:
    """Return a server for Eve, whose project it is, and Ben."""
    with site.service.store.database.transaction() as connection:
        connection.execute("UPDATE project SET owner = 'Eve'")
    with running(site.service, Access("local", {n: Key.of(k) for n, k in _KEYS.items()})) as found:
        yield found


@pytest.fixture
def people(chromium: Any, server: Site) -> Iterator[dict[str, Any]]:
    """Return a tab of each, who has come in."""
    with ExitStack() as stack:
        tabs = {}
        for name, key in _KEYS.items():
            tabs[name] = stack.enter_context(tab(chromium, server))
            tabs[name].locator("#key").fill(key)
            with tabs[name].expect_navigation():
                tabs[name].keyboard.press("Enter")
        yield tabs


def _said(page: Any, sentence: str) -> None:
    page.wait_for_selector(f"#notice:has-text({sentence!r})")


def test_a_project_is_shared_and_its_documents_given(people: dict[str, Any], server: Site) -> None:
    """It is said what was done, the focus stays, and a name without a key is refused."""
    eve = people["Eve"]
    eve.goto(server.at("/projects/1"))
    eve.locator("#members").fill("Benn")
    eve.locator("#share").focus()
    eve.keyboard.press("Enter")
    _said(eve, "no key is named 'Benn'")
    assert server.service.store.projects.parts(1) == {}
    eve.locator("#members").fill("Ben")
    eve.locator("#share").focus()
    eve.keyboard.press("Enter")
    _said(eve, "Shared with Ben (reviewer).")
    eve.wait_for_function("() => document.activeElement.id === 'share'")
    eve.select_option("#assignee", "Ben")
    eve.locator("#assign button", has_text="Give").click()
    _said(eve, "Tick documents first")
    eve.locator("#documents input").first.check()
    eve.locator("#assign button", has_text="Give").click()
    _said(eve, "1 document is assigned to Ben.")
    eve.wait_for_selector("#documents tr:first-child:has-text('Ben')")
    ben = people["Ben"]
    ben.goto(server.at("/projects/1?state=mine"))
    assert ben.locator("#documents tbody tr").count() == 1


def test_a_lost_server_is_said_at_any_form(people: dict[str, Any], server: Site) -> None:
    """However far down the form is, the loss is in the window."""
    eve = people["Eve"]
    eve.set_viewport_size({"width": 400, "height": 600})
    eve.goto(server.at("/projects/1"))
    disconnect(eve)
    for button in ("#share", "#assign button:has-text('Give')"):
        eve.evaluate("() => { document.getElementById('notice').textContent = '' }")
        eve.locator("#documents input").first.check()
        eve.locator(button).click()
        _said(eve, "Nothing was changed: the program does not answer")
        eve.wait_for_function("""() => {
          const { top, bottom } = document.getElementById("notice").getBoundingClientRect();
          return top >= 0 && bottom < innerHeight; }""")
    reconnect(eve)


def test_only_owners_share_and_delete(people: dict[str, Any], server: Site) -> None:
    """A reviewer sees neither form; an owner deletes after a question."""
    server.service.share(1, {"Ben": ProjectRole.REVIEWER}, False)
    ben, eve = people["Ben"], people["Eve"]
    ben.goto(server.at("/projects/1"))
    assert ben.locator("#delete-project, #members, #webhook, #annotators").count() == 0
    assert ben.locator("#assignee option").all_inner_texts() == ["Ben", "no one"]
    eve.goto(server.at("/projects/1"))
    eve.locator("summary", has_text="Delete the project").click()
    eve.evaluate("() => { window.confirm = () => true }")
    with eve.expect_navigation(url="**/"):
        eve.locator("#delete-project").click()
    assert server.service.store.projects.all() == []


def test_a_second_person_approves(people: dict[str, Any], server: Site) -> None:
    """With two pairs of eyes who reviewed doesn't approve, and a change of the other resets it all."""
    server.service.share(1, {"Ben": ProjectRole.APPROVER}, True)
    server.service.change(1, "Eve", 0, Event(EventKind.DONE, value="yes"))
    eve, ben = people["Eve"], people["Ben"]
    eve.goto(server.at("/projects/1"))
    eve.wait_for_selector("#documents tr:first-child .stage:has-text('reviewed by Eve')")
    eve.goto(server.at("/documents/1"))
    eve.wait_for_selector("#no-approval:has-text('another person')")
    assert eve.locator('button[data-kind="approve"]').count() == 0
    ben.goto(server.at("/documents/1"))
    ben.locator('button[data-kind="approve"]').click()
    ben.wait_for_selector('#figures[data-revision="2"]')
    eve.goto(server.at("/projects/1"))
    eve.wait_for_selector("#documents tr:first-child .stage:has-text('approved by Ben')")
    ben.locator("#entities .entity", has_text="Ben Cole").click()
    ben.wait_for_selector('#why h2:text-is("Ben Cole")')
    ben.keyboard.press("k")
    ben.wait_for_selector('#figures[data-revision="3"]')
    eve.goto(server.at("/projects/1"))
    eve.wait_for_selector("#documents tr:first-child .fault:has-text('Ben')")
    assert "reviewed by" not in eve.locator("#documents tbody tr").first.inner_text()
    assert "0 of 2 reviewed" in eve.locator("#queue").inner_text()
