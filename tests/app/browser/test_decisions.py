"""A project's decisions by name, by keyboard alone, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tacenda.app.events import Event, EventKind
from tacenda.document import Mention, MentionSource, SemanticType, Span
from tests.waiting import until

from ..building import documents
from .conftest import Site, disconnect, painted, reconnect, tab

pytestmark = pytest.mark.browser


@pytest.fixture
def decisions(chromium: Any, site: Site) -> Iterator[Any]:
    """Return the page of decisions of the letter and the memo."""
    with tab(chromium, site, site.at("/projects/1/decisions")) as page:
        yield page


def _texts(site: Site) -> str:
    made = site.service
    return "\n".join(made.open(number).reviewed.sanitized.text for number in (1, 2))


def _say(page: Any, sentence: str) -> None:
    until(lambda: sentence in page.locator("#notice").inner_text())


def test_one_key_decides_in_all_documents_and_one_takes_it_back(decisions: Any, site: Site) -> None:
    """M masks the town in both, u undoes both; k keeps it, and it is gone from the list."""
    assert decisions.locator(".names .label").all_inner_texts() == ["Kentville", "12 March 1994"]
    assert "2 places in 2 documents" in decisions.locator(".names > li").first.inner_text()
    decisions.keyboard.press("m")
    _say(decisions, "“Kentville” is masked; 2 documents changed")
    assert "Kentville" not in _texts(site)
    assert "Always mask" in decisions.locator(".lists").inner_text()
    decisions.keyboard.press("u")
    _say(decisions, "Taken back; 2 documents changed")
    assert _texts(site).count("Kentville") == 2
    decisions.keyboard.press("k")
    _say(decisions, "“Kentville” stays")
    assert decisions.locator(".names .label").all_inner_texts() == ["12 March 1994"]
    assert decisions.evaluate("() => document.activeElement.textContent").strip().startswith("12 M")


def test_enter_keeps_no_name_in_a_whole_project(decisions: Any, site: Site) -> None:
    """What stays readable is asked for by a key of its own; what people proposed or what is masked is confirmed."""
    decisions.keyboard.press("Enter")
    _say(decisions, "k keeps it in all documents, m masks it")
    assert site.service.store.terms.of(1) == []
    decisions.evaluate("() => { document.querySelector('.names > li').dataset.confirm = 'mask'; }")
    decisions.keyboard.press("Enter")
    _say(decisions, "“Kentville” is masked; 2 documents changed")


def test_a_name_has_room_for_its_words(decisions: Any) -> None:
    """In a window of any width the words around it are a line or two, and the buttons are beside or below."""
    name = decisions.locator(".names > li").first
    for width in (390, 768, 800, 900, 1100, 1199, 1200, 1400):
        decisions.set_viewport_size({"width": width, "height": 800})
        painted(decisions)
        assert name.locator(".snippet").bounding_box()["width"] > 200
        assert name.locator(".what").bounding_box()["width"] > 200
        assert name.bounding_box()["height"] < 250


def test_several_names_are_decided_and_undone_at_once(decisions: Any, site: Site) -> None:
    """X ticks; one decision, one line on the list, one step back."""
    for key in ("x", "x", "m"):
        decisions.keyboard.press(key)
    _say(decisions, "2 names are masked; 2 documents changed")
    assert decisions.locator(".lists > li").count() == 1
    assert "Kentville" not in _texts(site)
    assert "1994" not in _texts(site)
    decisions.locator(".lists button").click()
    _say(decisions, "Taken back")
    assert "1994" in _texts(site)
    assert decisions.locator(".names > li").count() == 2


def test_a_list_is_begun_from_a_document(page: Any, site: Site) -> None:
    """K on the chosen name, M on selected words: both act in the other document as well."""
    page.locator("#entities .entity", has_text="Kentville").click()
    page.wait_for_selector('#why h2:text-is("Kentville")')
    page.keyboard.press("K")
    _say(page, "“Kentville” is never masked in this project; 2 documents changed")
    page.wait_for_selector('#figures[data-revision="1"]')
    page.locator(".original .m", has_text="Kentville").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("M")
    _say(page, "“lives in” is always masked in this project; 1 document changed")
    assert "lives in" not in _texts(site)
    terms = [(term.string, term.action) for term in site.service.store.terms.of(1)]
    assert terms == [("lives in", "mask"), ("Kentville", "keep")]


def test_always_masked_is_true_of_what_was_kept_by_hand_here(page: Any, site: Site) -> None:
    """Kept, then on the list: it is masked; kept by the list then, it stays, and one entry holds."""
    page.locator("#entities .entity", has_text="Ada Byron").click()
    page.wait_for_selector('#why h2:text-is("Ada Byron")')
    page.keyboard.press("k")
    page.wait_for_selector('#figures[data-revision="1"]')
    for key, words, count in (("M", "always", 0), ("K", "never", 3)):
        page.locator("#entities .entity", has_text="Ada Byron").click()
        page.wait_for_selector('#why h2:text-is("Ada Byron")')
        page.keyboard.press(key)
        _say(page, f"“Ada Byron” is {words} masked in this project; 2 documents changed")
        assert _texts(site).count("Ada Byron") == count
    assert [bool(term.withdrawn_by) for term in site.service.store.terms.of(1)] == [False, True]
    page.goto(site.at("/projects/1/decisions"))
    assert page.locator(".lists button").count() == 1
    assert "taken back by Ann" in page.locator(".lists > li").last.inner_text()


def test_what_was_kept_by_hand_elsewhere_is_said(decisions: Any, site: Site) -> None:
    """A list that doesn't reach a document says so."""
    place = site.service.store.documents.text(1).text.index("Kentville")
    kept = Event(EventKind.DECIDE, (Span(place, place + 9),), "keep")
    site.service.change(1, "Ben", 0, kept)
    decisions.keyboard.press("m")
    _say(
        decisions,
        "“Kentville” is masked; 1 document changed (d2.txt); kept by hand in 1 document, where that stays.",
    )


@pytest.fixture
def long(chromium: Any, site: Site) -> Iterator[Any]:
    """Return the page of a project with many names to decide, taller than any window."""
    names = [f"Town{chr(65 + n // 26)}{chr(97 + n % 26)}" for n in range(60)]
    project = site.service.add_project("Many", documents(*(f"In {name}." for name in names)))
    for row, name in zip(site.service.store.documents.of(project.id), names, strict=True):
        document = site.service.store.documents.text(row.id)
        mention = Mention(Span(3, 3 + len(name)), SemanticType.LOC, 0.2, 0.0, MentionSource.NEURAL)
        analysis = site.service.sanitizer.analyze(document)
        site.service.analysed(row.id, replace(analysis, mentions=(mention,)))
    with tab(chromium, site, site.at(f"/projects/{project.id}/decisions")) as page:
        page.wait_for_selector(".names > li.chosen")
        yield page


def test_fast_keys_are_all_kept(long: Any, site: Site) -> None:
    """Five names at once are five decisions, in the order of the list; what is decided is faint at once."""
    labels = long.locator(".names .label").all_inner_texts()[:6]
    for label in labels[1:]:
        long.keyboard.press("k")
        long.wait_for_selector(f'.names .chosen .label:text-is("{label}")')
    long.wait_for_function("() => document.querySelectorAll('.names > li').length === 55")
    assert [term.string for term in reversed(site.service.store.terms.of(2))] == labels[:5]
    assert long.locator(".names .chosen .label").inner_text() == labels[5]


def test_a_fast_key_takes_back_what_came_just_before(long: Any, site: Site) -> None:
    """k, u, k: the first is taken back, and the second is not."""
    for key in ("k", "u", "k"):
        long.keyboard.press(key)
    until(lambda: len(site.service.store.terms.of(2)) == 2)
    long.wait_for_function("() => document.querySelectorAll('.names > li').length === 59")
    assert [bool(term.withdrawn_by) for term in site.service.store.terms.of(2)] == [False, True]


_IN_VIEW = """() => {
  const notice = document.getElementById("notice");
  const box = notice.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && notice.contains(top);
}"""


def test_a_loss_is_seen_and_stops_the_input(long: Any, site: Site) -> None:
    """However far down and wide: the warning is in the window, nothing else is done, and R saves it all."""
    for _ in range(30):
        long.keyboard.press("j")
    long.wait_for_function("() => scrollY > 500")
    disconnect(long)
    long.evaluate("""() => ["m", "k"].forEach((key) => document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true })))""")
    long.wait_for_selector("#notice.warning #retry")
    assert "is not saved" in long.locator("#notice").inner_text()
    assert long.locator("#notice").get_attribute("role") == "alert"
    for width, height in ((1024, 700), (1280, 800), (1920, 1000), (640, 400), (400, 800)):
        long.set_viewport_size({"width": width, "height": height})
        long.wait_for_function(_IN_VIEW)
    assert long.evaluate("() => document.activeElement.id") == "retry"
    assert long.locator(".names .held").count() == 0
    long.keyboard.press("m")
    assert site.service.store.terms.of(2) == []
    reconnect(long)
    long.keyboard.press("r")
    long.wait_for_function("() => document.querySelectorAll('.names > li').length === 58")
    assert [term.action for term in reversed(site.service.store.terms.of(2))] == ["mask", "keep"]
    assert long.locator("#notice").get_attribute("role") == "status"
    assert long.evaluate("() => document.activeElement.matches('.names > li.chosen')")
