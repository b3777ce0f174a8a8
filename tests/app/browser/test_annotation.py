"""People annotate a document, by mouse and by keyboard, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tacenda.app.annotation.adjudication import adjudicated
from tacenda.app.annotation.service import ADJUDICATOR, AnnotationProject
from tacenda.app.annotation.store import Flow
from tacenda.app.events import Event, EventKind
from tacenda.app.listening import address, listen
from tacenda.app.server import server

from ..annotation.building import (
    SUBMIT,
    TEXT,
    access,
    add,
    at,
    keys,
    make,
    project,
    replaced,
)
from .conftest import disconnect, follow, painted, reconnect, serving, tab
from .selecting import drag
from .test_accessibility import NARROW, check, check_looks

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Place:
    """A running project, the address by which somebody comes in, and that of their pages."""

    annotations: AnnotationProject
    url: str

    @property
    def root(self) -> str:
        """Return the address without path and key."""
        return self.url.split("/?")[0]


@contextmanager
def _running(annotations: AnnotationProject, person: str) -> Iterator[Place]:
    with listen("127.0.0.1", 0) as listener:
        running = server(annotations.store, access(annotations))
        path = f"/annotation/{annotations.project.handle}/"
        with serving(running, listener):
            yield Place(annotations, address(listener, path, keys(annotations)[person]))


@pytest.fixture
def annotations(tmp_path: Path) -> Iterator[AnnotationProject]:
    """Return a project of two annotators."""
    made = project(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def page(chromium: Any, annotations: AnnotationProject) -> Iterator[Any]:
    """Return Ann's tab with the judgment open."""
    with (
        _running(annotations, "ann") as place,
        tab(chromium, place, f"{place.root}/documents/1") as found,
    ):  # type: ignore[arg-type]
        yield found


def _wait(page: Any, revision: int) -> None:
    page.wait_for_selector(f'#figures[data-revision="{revision}"]')


def _select(page: Any, string: str, nth: int = 0) -> None:
    """Select an occurrence of a string in the text, as a mouse would."""
    page.evaluate(
        """([string, nth]) => {
          const walker = document.createTreeWalker(document.getElementById("rows"), NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (let start = node.data.indexOf(string); start >= 0; start = node.data.indexOf(string, start + 1)) {
              if (nth--) continue;
              document.getSelection().setBaseAndExtent(node, start, node, start + string.length);
              return;
            }
          }
          throw new Error("not there");
        }""",
        [string, nth],
    )


def _mentions(
    annotations: AnnotationProject, person: str = "ann"
) -> list[tuple[str, str, str | None]]:
    view = annotations.open(1, person)
    return [
        (item.span.of(view.source.text), str(item.type), item.identifier)
        for item in view.annotation.mentions
    ]


def test_selected_words_are_marked_wherever_they_are(
    page: Any, annotations: AnnotationProject
) -> None:
    """One selection and one button mark all places with the same words, at the right offsets."""
    _select(page, "Galip Yalman")
    page.locator('[data-value="PERSON"]').click()
    _wait(page, 1)
    spans = [item.span for item in annotations.open(1, "ann").annotation.mentions]
    assert spans == [at("Galip Yalman"), at("Galip Yalman", nth=1)]
    assert page.locator("#rows .m").all_inner_texts() == ["Galip Yalman", "Galip Yalman"]


@pytest.mark.parametrize(("alt", "marked"), [(False, "Galip Yalman"), (True, "alip Yal")])
def test_words_are_marked_whole_unless_alt_is_held(
    page: Any, annotations: AnnotationProject, alt: bool, marked: str
) -> None:
    """What is selected in part of its words, by the mouse, is marked by a button."""
    if alt:
        page.keyboard.down("Alt")
    drag(page, "#rows .original", 4, 12)
    if alt:
        page.keyboard.up("Alt")
    page.locator('#why [data-value="PERSON"]').click()
    _wait(page, 1)
    assert _mentions(annotations)[0] == (marked, "PERSON", None)


def test_everything_by_keyboard(page: Any, annotations: AnnotationProject) -> None:
    """Words are selected, marked, decided, connected, undone and submitted without a mouse."""
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("1")
    _wait(page, 1)
    assert _mentions(annotations) == [("Galip Yalman", "PERSON", None)] * 2
    page.keyboard.press("u")
    _wait(page, 2)
    assert _mentions(annotations) == []
    page.keyboard.press("U")
    _wait(page, 3)
    page.keyboard.press("]")
    page.wait_for_selector('#figures[data-step="2"]')
    page.keyboard.press("j")
    page.keyboard.press("d")
    _wait(page, 5)
    assert _mentions(annotations) == [("Galip Yalman", "PERSON", "DIRECT")] * 2
    page.keyboard.press("]")
    page.wait_for_selector('#figures[data-step="3"]')
    page.keyboard.press("n")
    page.keyboard.press("5")
    _wait(page, 7)
    assert {item.status for item in annotations.open(1, "ann").annotation.mentions} == {"HEALTH"}
    page.keyboard.press("]")
    page.wait_for_selector('#figures[data-step="4"]')
    page.keyboard.press("n")
    page.keyboard.press("x")
    _wait(page, 9)
    assert len(annotations.open(1, "ann").annotation.entities()) == 2
    page.keyboard.press("o")
    page.keyboard.press("G")
    page.keyboard.press("Enter")
    _wait(page, 10)
    assert len(annotations.open(1, "ann").annotation.entities()) == 1
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#notice:has-text('The last step submits')")
    page.keyboard.press("]")
    page.wait_for_selector('#figures[data-step="5"]')
    assert page.locator("#rows .r").all_inner_texts() == ["***** ******"] * 2
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/documents/2")
    assert annotations.open(1, "ann").annotation.submitted


def test_a_change_in_another_window_is_seen(page: Any, annotations: AnnotationProject) -> None:
    """Nothing is overwritten: the page shows the latest state and says so."""
    make(annotations, "ann", add("Ankara", "LOC"))
    _select(page, "journalist")
    page.locator('[data-value="DEM"]').click()
    page.wait_for_selector("#notice.warning")
    assert "another window" in page.locator("#notice").inner_text()
    assert page.locator("#rows .m").all_inner_texts() == ["Ankara"]
    assert _mentions(annotations) == [("Ankara", "LOC", None)]


def test_replacements_are_chosen_and_read_again(chromium: Any, tmp_path: Path) -> None:
    """Read, choose by number or from the list, read again, submit and next."""
    made = project(tmp_path, [replaced("one"), replaced("two")], ["ann"], flow=Flow.REPLACEMENT)
    with _running(made, "ann") as place, tab(chromium, place, f"{place.root}/documents/1") as page:  # type: ignore[arg-type]
        page.keyboard.press("]")
        page.wait_for_selector('#figures[data-step="2"]')
        page.keyboard.press("n")
        page.keyboard.press("1")
        _wait(page, 2)
        page.wait_for_selector('#chosen:has-text("4 May 1815")')
        options = page.locator("#options .option")
        assert options.all_inner_texts() == ["1815 1", "date in the 1810s 2", "*** 3"]
        options.nth(1).click()
        _wait(page, 3)
        page.keyboard.press("]")
        page.wait_for_selector('#figures[data-step="3"]')
        text = page.evaluate("() => document.querySelector('#rows .result').textContent")
        assert text == "[PERSON 1] was born on [date in the 1810s] in London."
        page.locator("[data-submit]").click()
        page.wait_for_url("**/documents/2")
    made.store.close()


def test_a_mention_is_moved_to_what_is_selected(page: Any, annotations: AnnotationProject) -> None:
    """The mention keeps what was said of it; the offsets are those of the selection."""
    make(annotations, "ann", add("Ankara", "LOC"))
    page.reload()
    page.keyboard.press("n")
    page.evaluate(
        """() => {
          const before = document.querySelector("#rows .m").previousSibling;
          const inside = document.querySelector("#rows .m").firstChild;
          document.getSelection().setBaseAndExtent(before, before.length - 3, inside, 6);
        }"""
    )
    page.keyboard.press("b")
    _wait(page, 2)
    assert _mentions(annotations) == [("in Ankara", "LOC", None)]
    assert (
        page.evaluate("() => document.querySelector('#rows .m.chosen').textContent") == "in Ankara"
    )


def test_a_peer_says_whether_the_person_is_protected(
    chromium: Any, annotations: AnnotationProject
) -> None:
    """The verdict and the remark are shown once they are saved."""
    make(annotations, "ann", SUBMIT)
    make(annotations, "ben", SUBMIT)
    with _running(annotations, "ann") as place, tab(chromium, place) as page:  # type: ignore[arg-type]
        follow(page, page.locator("text=Review ben"), "**/documents/1/**")
        page.locator("#note").fill("The name is there.")
        page.locator("text=Can be identified").click()
        page.wait_for_selector("aside >> text=The name is there.")
        check = (annotations.open(1, "ben").annotation.checks or {})["ann"]
        assert (check.value, check.holds) == ("exposed", True)


def test_pages_of_replacement_have_no_violations(chromium: Any, tmp_path: Path) -> None:
    """Each step passes axe-core and fits a narrow window."""
    made = project(tmp_path, [replaced()], ["ann"], flow=Flow.REPLACEMENT)
    with _running(made, "ann") as place, tab(chromium, place, **NARROW) as page:  # type: ignore[arg-type]
        for step in range(1, 4):
            make(made, "ann", Event(EventKind.STEP, value=str(step)))
            page.goto(f"{place.root}/documents/1")
            page.keyboard.press("n")
            check_looks(page)
    made.store.close()


def test_pages_have_no_violations(chromium: Any, annotations: AnnotationProject) -> None:
    """Each page of annotation mode passes axe-core and fits its window."""
    direct = Event(EventKind.IDENTIFIER, (at("Ankara"),), "QUASI")
    make(annotations, "ben", add("Ankara", "LOC"), direct, SUBMIT)
    with _running(annotations, "ann") as place, tab(chromium, place, **NARROW) as page:  # type: ignore[arg-type]
        check_looks(page)
        make(annotations, "ann", add("Ankara", "ORG"), add("Galip Yalman"))
        for step in range(1, 5):
            make(annotations, "ann", Event(EventKind.STEP, value=str(step)))
            page.goto(f"{place.root}/documents/1")
            page.keyboard.press("n")
            check_looks(page)
        page.keyboard.press("?")
        check_looks(page)
        spans = (at("Ankara"), at("Galip Yalman"))
        make(
            annotations,
            "ann",
            Event(EventKind.IDENTIFIER, spans, "DIRECT"),
            Event(EventKind.STEP, value="5"),
        )
        page.goto(f"{place.root}/documents/1")
        assert TEXT[:3] in page.locator("#rows .result").first.inner_text()
        check_looks(page)
        make(annotations, "ann", SUBMIT)
        for path in (
            "",
            "documents/1",
            "documents/1/review/ben",
            "documents/1/differences",
            "agreement",
        ):
            page.goto(f"{place.root}/{path}")
            check_looks(page)


def test_an_adjudicator_decides_by_keys(chromium: Any, annotations: AnnotationProject) -> None:
    """Go on by j, take an annotator's by 1 and 2, mark one's own by 3, take back by u."""
    name, town = add("Galip Yalman"), add("Ankara", "LOC")
    decide = Event(EventKind.IDENTIFIER, (at("Ankara"),), "QUASI")
    person = Event(EventKind.IDENTIFIER, (at("Galip Yalman"),), "DIRECT")
    make(annotations, "ann", town, decide, SUBMIT)
    make(annotations, "ben", name, person, add("Ankara", "ORG"), decide, SUBMIT)
    with (
        _running(annotations, ADJUDICATOR) as place,
        tab(chromium, place, f"{place.root}/documents/1/differences") as page,
    ):
        check(page)
        page.keyboard.press("j")
        page.keyboard.press("2")
        page.wait_for_selector("#open:has-text('1 to decide')")
        page.keyboard.press("3")
        page.locator("#own-type").select_option("MISC")
        check(page)
        page.locator("#own button", has_text="Decide").click()
        page.wait_for_selector("#open:has-text('All is decided')")
        page.keyboard.press("u")
        page.wait_for_selector("#open:has-text('1 to decide')")
        page.keyboard.press("Shift+U")
        page.wait_for_selector("#open:has-text('All is decided')")
    (view,) = adjudicated(annotations)
    assert [str(mention.type) for mention in view.annotation.mentions] == ["PERSON", "MISC"]


def test_what_the_mouse_selects_is_marked_from_beside_it(
    page: Any, annotations: AnnotationProject
) -> None:
    """As in a review: the words that are selected, their type, Add; here wherever they stand."""
    painted(page)
    box = page.locator("#rows .original").first.evaluate(
        """(row) => {
          const range = document.createRange();
          range.setStart(row.firstChild, "Mr ".length);
          range.setEnd(row.firstChild, "Mr Galip Yalman".length);
          const { left, right, top, bottom } = range.getBoundingClientRect();
          return { left: left + 1, right: right - 1, middle: (top + bottom) / 2 };
        }"""
    )
    page.mouse.move(box["left"], box["middle"])
    page.mouse.down()
    page.mouse.move(box["right"], box["middle"])
    page.mouse.up()
    page.locator("#adder-type").select_option("PERSON")
    page.locator("#adder-add").click()
    _wait(page, 1)
    assert _mentions(annotations) == [("Galip Yalman", "PERSON", None)] * 2
    assert page.locator("#adder").is_hidden()


def test_words_are_found_and_marked(page: Any, annotations: AnnotationProject) -> None:
    """All places of the words but those that are marked already."""
    make(annotations, "ann", add("Galip Yalman", "DEM"))
    page.reload()
    page.keyboard.press("f")
    page.keyboard.type("galip yalman")
    page.locator("#find-type").select_option("PERSON")
    page.keyboard.press("Enter")
    _wait(page, 2)
    types = [type for _, type, _ in _mentions(annotations)]
    assert types == ["DEM", "PERSON"]


def test_the_list_is_searched_and_the_views_change(
    page: Any, annotations: AnnotationProject
) -> None:
    """Search narrows the list; v shows what others would read, where a decision is seen at once."""
    decide = Event(EventKind.IDENTIFIER, (at("Ankara"),), "QUASI")
    make(annotations, "ann", add("Ankara", "LOC"), add("journalist", "DEM"), decide)
    page.reload()
    assert page.locator("#entities h2").all_inner_texts() == ["To decide 1", "Masked 1"]
    page.keyboard.press("/")
    page.keyboard.type("ank")
    assert page.locator("#entities li:visible").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector('#chosen:text-is("Ankara")')
    page.locator("#rows").click(position={"x": 2, "y": 2})
    page.keyboard.press("v")
    page.wait_for_selector("#rows .result:visible .r")
    assert page.locator("#rows .r").all_inner_texts() == ["******"]
    assert page.locator("#rows .m.doubtful").all_inner_texts() == ["journalist"]


def test_what_the_server_did_not_get_is_sent_again(
    page: Any, annotations: AnnotationProject
) -> None:
    """Until then nothing else is done, and nothing is shown as done."""
    _select(page, "Ankara")
    disconnect(page)
    page.keyboard.press("3")
    page.wait_for_selector('#notice.warning:has-text("not saved")')
    assert page.locator("#rows .m").count() == 0
    page.keyboard.press("]")
    reconnect(page)
    page.keyboard.press("r")
    _wait(page, 1)
    assert _mentions(annotations) == [("Ankara", "LOC", None)]


def test_a_mention_is_decided_alone(page: Any, annotations: AnnotationProject) -> None:
    """The decision after i is about this mention only; the next one is about all again."""
    make(annotations, "ann", add("Galip Yalman"), add("Galip Yalman", nth=1))
    make(annotations, "ann", Event(EventKind.STEP, value="2"))
    page.reload()
    page.keyboard.press("j")
    page.keyboard.press("i")
    page.keyboard.press("d")
    _wait(page, 4)
    assert [kind for _, _, kind in _mentions(annotations)] == ["DIRECT", None]
    page.keyboard.press("k")
    _wait(page, 5)
    assert [kind for _, _, kind in _mentions(annotations)] == ["NO_MASK", "NO_MASK"]
