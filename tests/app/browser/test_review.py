"""A person reviews a document, by mouse and by keyboard, in a real browser."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tacenda.app.events import Event, EventKind
from tacenda.document import Span
from tests.waiting import until

from ..building import LETTER, documents
from .conftest import Site, disconnect, follow, painted, reconnect, settled, tab
from .selecting import drag, words_over

pytestmark = pytest.mark.browser


def _result(page: Any) -> str:
    return "\n".join(page.locator(".row .result").all_text_contents())


def _wait(page: Any, revision: int) -> None:
    page.wait_for_selector(f'#figures[data-revision="{revision}"]')


def _choose(page: Any, label: str) -> None:
    page.locator("#entities .entity", has_text=label).click()
    page.wait_for_selector(f'#why h2:text-is("{label}")')


def _go_to(page: Any, words: str, label: str) -> None:
    """Search the list, and open the first that is found."""
    page.keyboard.press("/")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.wait_for_selector(f'#why h2:text-is("{label}")')
    page.wait_for_function("() => document.activeElement.matches('.m')")


def test_a_click_on_a_mention_masks_it_everywhere(page: Any, site: Site) -> None:
    """Click a mention, then Mask: the result, the list and the numbers follow."""
    page.locator(".original .m", has_text="Kentville").click()
    page.locator("#why button", has_text="Mask").first.click()
    _wait(page, 1)
    assert "lives in [PLACE 1];" in _result(page)
    assert "masked" in page.locator('#entities li[data-hand="1"]').inner_text()
    assert page.locator("#decided").inner_text() == "1"
    assert site.service.store.log.entries(1)[0].person == "Ann"


def test_everything_goes_by_keyboard(page: Any) -> None:
    """n, k, m, u, U, p: choose, keep, mask, undo, redo, go back."""
    page.keyboard.press("n")
    page.wait_for_selector('#why h2:text-is("Ada Byron")')
    page.keyboard.press("k")
    _wait(page, 1)
    assert "Ada Byron wrote to [PERSON 2]" in _result(page)
    page.keyboard.press("n")
    page.wait_for_selector('#why h2:text-is("Ben Cole")')
    page.keyboard.press("m")
    _wait(page, 2)
    page.keyboard.press("u")
    page.keyboard.press("u")
    _wait(page, 4)
    assert "[PERSON 1] wrote" in _result(page)
    page.keyboard.press("Shift+U")
    _wait(page, 5)
    assert "Ada Byron wrote" in _result(page)
    page.keyboard.press("p")
    page.wait_for_selector('#why h2:text-is("Kentville")')


def test_only_what_is_doubtful_needs_a_person(page: Any, site: Site) -> None:
    """The most doubtful first; Enter leaves it as it is, and on it goes by itself to the next document."""
    page.keyboard.press("j")
    page.wait_for_selector('#why h2:text-is("12 March 1994")')
    assert page.locator("#to-decide").inner_text() == "2"
    page.keyboard.press("Control+Enter")
    until(lambda: "2 decisions need you first" in page.locator("#notice").inner_text())
    page.wait_for_selector('#why h2:text-is("Kentville")')
    page.keyboard.press("Shift+J")
    page.wait_for_selector('#why h2:text-is("12 March 1994")')
    page.keyboard.press("Enter")
    page.wait_for_selector('#why h2:text-is("Kentville")')
    page.keyboard.press("m")
    _wait(page, 2)
    assert page.locator("#to-decide").inner_text() == "0"
    assert "Nothing is left to decide" in page.locator("#announcement").inner_text()
    page.wait_for_selector('#why:has-text("Nothing is left to decide. Read the result.")')
    with page.expect_navigation(url="**/documents/*"):
        page.keyboard.press("Control+Enter")
    page.wait_for_selector('#why h2:text-is("Kentville")')  # the only doubt of the memo
    assert page.locator("h1").inner_text() == "d2.txt"
    page.keyboard.press("k")
    _wait(page, 1)
    with page.expect_navigation(url="**/projects/*"):
        page.keyboard.press("Control+Enter")
    assert all(row.summary.done for row in site.service.store.documents.of(1))
    actions = [entry.event.value for entry in site.service.store.log.entries(1) if entry.event]
    assert actions == ["keep", "mask", "yes"]


def test_the_keyboard_stays_with_the_next_decision(page: Any, site: Site) -> None:
    """Two doubts in one paragraph: the answer to the first replaces it, and the focus is on the second."""
    made = site.service
    project = made.add_project("Notes", documents("Ada Byron, in Kentville on 12 March 1994."))
    (row,) = made.store.documents.of(project.id)
    made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    page.goto(site.at(f"/documents/{row.id}#decide"))
    page.wait_for_selector('#why h2:text-is("12 March 1994")')
    page.keyboard.press("Enter")
    _wait(page, 1)
    until(lambda: page.evaluate("() => document.activeElement.textContent") == "Kentville")
    page.keyboard.press("Enter")
    _wait(page, 2)
    assert page.locator("#to-decide").inner_text() == "0"


def test_words_are_found_and_masked_wherever_they_stand(page: Any) -> None:
    """By f: whole words, in any case, in the original; the number of places is said before."""
    page.keyboard.press("f")
    page.keyboard.type("SO DOES")
    until(lambda: page.locator("#found").inner_text() == "1 place")
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert "& [ITEM 1] [PERSON 1]." in _result(page)
    page.keyboard.press("f")
    page.locator("#find").fill("entvill")
    until(lambda: page.locator("#found").inner_text() == "0 places")


def test_missed_words_are_selected_by_keyboard(page: Any) -> None:
    """Shift and arrows take words from the mention on; a adds them."""
    page.locator(".original .m", has_text="Kentville").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("a")
    page.locator("#adder:not([hidden])").wait_for()
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert "lives in" not in _result(page)


def test_a_span_is_widened_over_its_neighbours(page: Any) -> None:
    """Ctrl, Shift and an arrow take the mention and words beside it, without white space at the ends."""
    _go_to(page, "march", "12 March 1994")
    page.keyboard.press("Control+Shift+ArrowLeft")
    assert page.evaluate("() => getSelection().toString()").strip() == "on 12 March 1994"
    page.keyboard.press("a")
    page.wait_for_function("() => document.activeElement.id === 'adder-type'")
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert page.locator('.m[data-s="28-44"]').count() == 1
    assert page.locator('.m[data-s="31-44"]').count() == 0
    _go_to(page, "kent", "Kentville")
    page.keyboard.press("Control+Shift+ArrowRight")
    page.keyboard.press("Control+Shift+ArrowRight")
    assert page.evaluate("() => getSelection().toString()").startswith("Kentville")


def test_a_click_right_after_an_answer_is_about_what_is_shown_then(page: Any, site: Site) -> None:
    """An answer is in force at once: a button of its panel decides on its entity, not on the one before."""
    second = LETTER.rindex("Ada Byron")
    page.locator(f'.original .m[data-s="{second}-{second + 9}"]').click()
    page.wait_for_selector('#why h2:text-is("Ada Byron")')
    page.evaluate(
        """() => { let isDone = false; document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
          if (isDone || detail.target.id !== "why") return;
          isDone = true;
          setTimeout(() => document.querySelector('#why [data-value="keep"]').click());
        }); }"""
    )
    page.keyboard.press("x")
    _wait(page, 2)
    last = site.service.store.log.entries(1)[-1].event
    assert last is not None
    assert (last.value, last.spans) == ("keep", (Span(second, second + 9),))


def test_an_answer_is_small(page: Any) -> None:
    """What did not change is not sent again: not the list, not the rows."""
    _choose(page, "Kentville")
    with page.expect_response("**/changes") as answer:
        page.keyboard.press("m")
    body = answer.value.text()
    assert body.count("<li id=") == 1
    assert body.count('class="row') == 0
    assert len(body) < 5_000
    _wait(page, 1)
    page.locator('#entities ul[data-group="masked"] .entity', has_text="Kentville").wait_for()
    assert page.locator("#entities h2 span").first.inner_text() == "1"


def test_fast_keys_are_all_kept(page: Any, site: Site) -> None:
    """Twenty decisions as fast as keys come are twenty lines in the log, in order."""
    page.keyboard.press("n")
    page.wait_for_selector('#why h2:text-is("Ada Byron")')
    for _ in range(10):
        page.keyboard.press("k")
        page.keyboard.press("m")
    _wait(page, 20)
    actions = [entry.event.value for entry in site.service.store.log.entries(1) if entry.event]
    assert actions == ["keep", "mask"] * 10


def test_the_chosen_mention_has_a_visible_focus(page: Any) -> None:
    """After n the focus is on the mention, and is drawn."""
    page.keyboard.press("n")
    page.wait_for_selector("#why h2")
    style = page.evaluate(
        "() => { const e = document.activeElement; const s = getComputedStyle(e);"
        " return [e.dataset.s, s.outlineStyle, parseFloat(s.outlineWidth)]; }"
    )
    assert style[0] == "0-9"
    assert style[1] == "solid"
    assert style[2] >= 2
    page.keyboard.press("k")
    _wait(page, 1)
    until(lambda: page.evaluate("() => document.activeElement.dataset.s") == "0-9")


def test_a_generalisation_is_chosen_from_the_chips(page: Any) -> None:
    """Each says what it still fits, from few to many, and the risk left; the one taken stands in the result."""
    _choose(page, "12 March 1994")
    options = page.locator("#options .option").all_inner_texts()
    assert options[-1] == "*** could be anyone or anything · risk 0 %"
    pattern = re.compile(r"one of ([\d,]+) · risk (\d+) %")
    figures = [match for text in options[:-1] if (match := pattern.search(text))]
    numbers = [int(figure[1].replace(",", "")) for figure in figures]
    risks = [int(figure[2]) for figure in figures]
    assert risks == sorted(risks, reverse=True)
    assert len(numbers) >= 2
    assert numbers == sorted(numbers)
    page.locator('#options [data-value="date in the 1990s"]').click()
    _wait(page, 1)
    assert "[date in the 1990s]" in _result(page)


def test_own_words_are_written_by_keyboard(page: Any) -> None:
    """W leads to the field, Enter writes, and the next decision opens; words that name somebody are refused."""
    page.keyboard.press("j")
    page.wait_for_selector('#why h2:text-is("12 March 1994")')
    page.keyboard.press("w")
    page.keyboard.type("the  day of the ball")
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert "on [the day of the ball]." in _result(page)
    page.wait_for_selector('#why h2:text-is("Kentville")')
    page.keyboard.press("w")
    page.keyboard.type("the town of Ada Byron")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice.warning")
    assert "name something that is masked" in page.locator("#notice").inner_text()
    assert "lives in Kentville" in _result(page)
    page.wait_for_function("() => document.activeElement.id === 'own'")
    assert page.locator("#own").input_value() == "the town of Ada Byron"
    assert page.locator("#why h2").inner_text() == "Kentville"
    page.locator("summary", has_text="Save").click()  # The warning covers nothing of the menu.
    page.locator(".menu .sheet a").first.click(trial=True)
    page.locator("summary", has_text="Save").click()
    page.locator("#own").fill("a town")
    page.locator("#own").press("Enter")
    _wait(page, 2)
    assert "lives in [a town]" in _result(page)
    _choose(page, "12 March 1994")
    assert page.locator("#own").input_value() == "the day of the ball"


def test_g_leads_to_the_options(page: Any) -> None:
    """Arrows go from one to the next, and Enter takes it."""
    _choose(page, "12 March 1994")
    page.keyboard.press("g")
    first = page.evaluate("() => document.activeElement.dataset.value")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("() => document.activeElement.dataset.value")
    options = page.locator("#options .option").evaluate_all(
        "all => all.map((one) => one.dataset.value)"
    )
    assert [first, second] == options[:2]
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert f"{second}]" in _result(page)


def test_colours_say_what_happens(page: Any) -> None:
    """Masked, kept and to be decided differ in colour and shape; a letter says the type, a tick who decided."""
    looks = """(span) => { const look = getComputedStyle(document.querySelector(`.m[data-s="${span}"]`));
      const letter = getComputedStyle(document.querySelector(`.m[data-s="${span}"]`), "::before");
      return [look.backgroundColor, look.boxShadow, look.textDecorationStyle, letter.content]; }"""
    masked, doubtful = page.evaluate(looks, "0-9"), page.evaluate(looks, "31-44")
    assert masked[3].startswith('"P"')
    assert doubtful[3].startswith('"D"')
    _choose(page, "12 March 1994")
    page.keyboard.press("k")
    _wait(page, 1)
    kept = page.evaluate(looks, "31-44")
    assert "✓" in kept[3]
    assert len({tuple(look[:3]) for look in (masked, doubtful, kept)}) == 3
    assert page.locator(".m.doubtful").count() < page.locator(".m").count()


def test_the_slider_decides_live_and_leaves_hands_alone(page: Any, site: Site) -> None:
    """Moving it shows the document at once; what was kept by hand stays."""
    _choose(page, "Ben Cole")
    page.keyboard.press("k")
    _wait(page, 1)
    before = int(page.locator("#masked-words").inner_text())
    page.locator("#bound").focus()
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelector('#rows').innerText.includes('[PLACE 1]')")
    _wait(page, 2)
    assert "Ben Cole" in _result(page)
    assert int(page.locator("#masked-words").inner_text()) > before
    assert float(page.locator("#residual").get_attribute("data-residual") or "nan") < 0.7
    assert site.service.open(1).reviewed.bound == 0.0
    page.keyboard.press("Home")
    _wait(page, 3)
    assert "Ada Byron" in _result(page)


# As by keys, but as fast as a person can be.
_MOVE = """(steps) => {
  const slider = document.getElementById("bound");
  slider.focus();
  for (let step = 0; step < steps; step += 1) {
    slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    slider.stepDown();
    for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
  }
}"""


def test_a_move_of_the_slider_by_keys_is_one_change(page: Any, site: Site) -> None:
    """It is sent when the keys rest, or before anything else that is done; undone as one."""
    before = page.locator("#strictness").inner_text()
    page.evaluate(_MOVE, 3)
    _wait(page, 1)
    page.evaluate(_MOVE, 2)
    page.keyboard.press("u")
    page.keyboard.press("u")
    _wait(page, 4)
    until(lambda: page.locator("#strictness").inner_text() == before)
    events = [entry.event.kind for entry in site.service.store.log.entries(1) if entry.event]
    assert events[:2] == [EventKind.BOUND] * 2


def test_a_dragged_slider_ends_where_it_is_let_go(page: Any, site: Site) -> None:
    """Previews on the way are overtaken by the decision, and the next change is not stale."""
    painted(page)
    box = page.locator("#bound").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for share in range(10):
        page.mouse.move(box["x"] + box["width"] * (0.5 + share / 20), middle)
    page.mouse.move(box["x"] + box["width"] + 5, middle)
    page.mouse.up()
    _wait(page, 1)
    assert site.service.open(1).reviewed.bound == 0.0
    _choose(page, "Kentville")
    page.keyboard.press("k")
    _wait(page, 2)
    assert "lives in Kentville" in _result(page)
    assert "[PERSON 1] wrote" in _result(page)


def test_missed_words_have_the_type_that_they_are_read_as(page: Any) -> None:
    """What no mention is over is suggested by its words, not as a person."""
    place = LETTER.index("so does") - LETTER.index("Ben Cole lives")
    drag(page, "#row-2 .original", place, place + len("so does"))
    page.wait_for_selector("#adder:not([hidden])")
    page.wait_for_function("() => document.getElementById('adder-type').value === 'MISC'")


def test_words_are_selected_whole_unless_alt_is_held(page: Any) -> None:
    """Wherever in a word the mouse begins and ends, forward or back, also over mentions."""
    row, line = "#rows .original", LETTER.partition("\n")[0]
    for start, end in ((1, 2), (6, 9), (17, 12), (4, 14), (44, 33)):
        first, last = sorted((start, end))
        assert drag(page, row, start, end) == words_over(line, first, last)
        assert page.locator("#adder").is_visible()
        page.keyboard.press("Escape")
        page.keyboard.down("Alt")
        assert drag(page, row, start, end) == line[first:last]
        page.keyboard.up("Alt")
        page.keyboard.press("Escape")


def test_words_are_selected_whole_by_keyboard_from_the_middle_of_one(page: Any) -> None:
    """Shift and arrows take the words, with Alt letters."""
    page.evaluate(
        """() => getSelection().collapse(document.querySelector("#rows .original .m").nextSibling, 3)"""
    )
    page.keyboard.press("Alt+Shift+ArrowRight")
    assert page.evaluate("() => getSelection().toString()") == "o"
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("() => getSelection().toString()").strip() == "wrote"


def test_words_that_were_missed_are_masked_wherever_else_they_are(page: Any, site: Site) -> None:
    """The page says in which other documents, and M masks them there."""
    page.keyboard.press("f")
    page.keyboard.type("IN")
    until(lambda: page.locator("#found").inner_text() == "1 place")
    page.keyboard.press("Enter")
    notice = "“in” is in 1 other document, too: d2.txt. Press M to mask it in all of them."
    page.wait_for_selector(f"#notice:text-is('{notice}')")
    assert "was in Kentville" in site.service.open(2).reviewed.sanitized.text
    page.keyboard.press("M")
    page.wait_for_selector(
        "#notice:has-text('always masked in this project; 1 document changed (d2.txt)')"
    )
    assert "was [ITEM 1] Kentville" in site.service.open(2).reviewed.sanitized.text


def test_words_are_found_as_what_the_program_knows_of_them(page: Any) -> None:
    """Part of a name is a person's; what nobody knows is an item; a choice of one's own stays."""
    page.keyboard.press("f")
    for words, type in (("byron", "PERSON"), ("Kentville", "LOC"), ("so does", "MISC")):
        page.locator("#find").fill(words)
        assert page.locator("#find-type").input_value() == type
    page.locator("#find-type").select_option("ORG")
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert "[ORGANISATION 1]" in _result(page)


def test_the_chosen_mention_is_outlined_unlike_the_others(page: Any) -> None:
    """All mentions of the entity have a thin line; the one that is clicked has a thick one, and so after n."""
    outlines = """() => [...document.querySelectorAll(".original .m.chosen")].map(
      (part) => parseFloat(getComputedStyle(part).outlineWidth) * (getComputedStyle(part).outlineStyle !== "none"))"""
    mentions = page.locator(".original .m", has_text="Ben Cole")
    for number in (1, 0):
        mentions.nth(number).click()
        page.wait_for_selector('#why h2:text-is("Ben Cole")')
        page.locator("#why h2").focus()
        widths = page.evaluate(outlines)
        assert widths[number] >= 3
        assert widths[1 - number] == 0


def test_this_is_not_a_mention_is_about_one(page: Any, site: Site) -> None:
    """The others stay masked, the page warns, and what was taken away is listed as kept and can be masked again."""
    page.locator(".original .m", has_text="Ben Cole").nth(1).click()
    page.wait_for_selector('#why h2:text-is("Ben Cole")')
    page.locator("#what summary").click()
    page.locator("#why button", has_text="This is not a mention").click()
    _wait(page, 1)
    assert "[PERSON 2] on" in _result(page)
    assert "Ben Cole lives" in _result(page)
    assert "1 masked string still shown" in page.locator("#figures").inner_text()
    taken = page.locator('#entities ul[data-group="kept"] .taken')
    assert "Ben Cole" in taken.inner_text()
    page.reload()
    assert "Ben Cole" in taken.inner_text()
    taken.locator("button").click()
    _wait(page, 2)
    until(lambda: taken.count() == 0)
    assert "Ben Cole" not in _result(page)


def test_all_are_no_mentions_where_a_person_says_so(page: Any, site: Site) -> None:
    """By a button of its own, and only where all of them are the same words."""
    page.locator(".original .m", has_text="Ben Cole").first.click()
    page.wait_for_selector('#why h2:text-is("Ben Cole")')
    page.locator("#what summary").click()
    page.locator("#why button", has_text="None of the 2 is a mention").click()
    _wait(page, 1)
    assert _result(page).count("Ben Cole") == 2
    assert page.locator("#entities .taken").count() == 2
    made = site.service
    project = made.add_project("Titles", documents("Ben Cole called. Then Mr Cole left."))
    (row,) = made.store.documents.of(project.id)
    analysis = made.sanitizer.analyze(made.store.documents.text(row.id))
    title = replace(analysis.mentions[0], span=Span(22, 29))
    made.analysed(row.id, replace(analysis, mentions=(*analysis.mentions, title)))
    page.goto(site.at(f"/documents/{row.id}"))
    page.locator(".original .m", has_text="Mr Cole").click()
    page.wait_for_selector('#why h2:text-is("Ben Cole")')
    assert "2 mentions" in page.locator("#why").inner_text()
    page.locator("#what summary").click()
    assert page.locator('#why button[data-kind="remove"]').count() == 1


def test_what_can_still_be_read_is_found_and_masked(page: Any) -> None:
    """The warning leads there, and one button masks all of it, as what it is."""
    page.locator(".original .m", has_text="Ben Cole").nth(1).click()
    page.wait_for_selector('#why h2:text-is("Ben Cole")')
    page.keyboard.press("i")
    page.keyboard.press("k")
    _wait(page, 1)
    page.locator("[data-leaks]").click()
    assert "Still shown: 1 of 1" in page.locator("#leaking").inner_text()
    page.keyboard.press("l")
    assert page.locator("#leaking").is_visible()
    page.locator("#leaking-all").click()
    _wait(page, 2)
    assert "Ben Cole" not in _result(page)
    assert page.locator("[data-leaks]").count() == 0
    assert not page.locator("#leaking").is_visible()


def test_what_is_not_a_leak_stays_with_a_reason(page: Any) -> None:
    """The warning ends, the reason is asked for, and undo brings the warning back."""
    page.locator(".original .m", has_text="Ben Cole").nth(1).click()
    page.wait_for_selector('#why h2:text-is("Ben Cole")')
    page.keyboard.press("i")
    page.keyboard.press("k")
    _wait(page, 1)
    page.locator("[data-leaks]").click()
    page.locator("#leaking-accept").click()
    assert "“Ben Cole”" in page.locator("#no-leak").inner_text()
    page.keyboard.press("Enter")  # there is no reason yet
    page.locator("#no-leak-why").fill("another man of that name")
    page.keyboard.press("Enter")
    _wait(page, 2)
    assert page.locator("[data-leaks]").count() == 0
    assert "1 still shown that is not a leak" in page.locator("#figures").inner_text()
    page.locator('[data-step="undo"]').click()
    _wait(page, 3)
    assert page.locator("[data-leaks]").count() == 1


def test_a_choice_by_keys_waits_for_enter(page: Any) -> None:
    """Stepping through a list changes nothing; Enter takes, once, and what is left is as it was."""
    _choose(page, "Ben Cole")
    page.keyboard.press("o")
    until(lambda: page.locator("#merge-with option").count() > 1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    until(lambda: "Enter applies it" in page.locator("#notice").inner_text())
    page.keyboard.press("Escape")
    assert page.locator("#notice").inner_text() == ""
    assert page.locator("#merge-with").input_value() == ""
    page.keyboard.press("t")
    until(lambda: page.evaluate("() => document.activeElement.id") == "set-type")
    page.keyboard.press("o")
    assert page.locator("#figures").get_attribute("data-revision") == "0"
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert "[ORGANISATION 1] lives" in _result(page)
    assert page.locator("#entities [data-hand='1']").count() == 0


def test_everything_is_done_by_keyboard(page: Any) -> None:
    """Two names made one and parted again, a type, this mention alone, strictness, and a file."""
    _choose(page, "Ben Cole")
    page.keyboard.press("o")
    until(lambda: page.evaluate("() => document.activeElement.id") == "merge-with")
    until(lambda: page.locator("#merge-with option").count() > 1)
    page.keyboard.press("A")
    page.keyboard.press("Enter")
    _wait(page, 1)
    assert "[PERSON 1] wrote to [PERSON 1]" in _result(page)
    page.keyboard.press("u")
    _wait(page, 2)
    _choose(page, "Ben Cole")
    page.keyboard.press("t")
    until(lambda: page.evaluate("() => document.activeElement.id") == "set-type")
    page.keyboard.press("o")
    page.keyboard.press("Enter")
    _wait(page, 3)
    assert "[ORGANISATION 1] lives" in _result(page)
    page.locator(".original .m", has_text="Ben Cole").nth(1).focus()
    page.keyboard.press("Space")
    page.wait_for_selector('#why h2:text-is("Ben Cole")')
    page.keyboard.press("x")
    _wait(page, 4)
    assert page.locator("#entities .entity", has_text="Ben Cole").count() == 2
    page.keyboard.press("b")
    page.keyboard.press("Home")
    _wait(page, 5)
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    assert page.evaluate("() => document.activeElement.textContent") == "Text"
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.textContent") == "Save"
    assert not page.locator(".menu .sheet").is_visible()


def test_the_panel_is_of_what_was_chosen_last(page: Any) -> None:
    """Who chooses faster than the program answers is shown the last choice, not one on the way to it."""
    page.evaluate(
        "() => { const send = XMLHttpRequest.prototype.send;"
        " XMLHttpRequest.prototype.send = function (...body) { setTimeout(() => send.apply(this, body), 500); }; }"
    )
    page.locator("#entities .entity", has_text="Ben Cole").click()
    page.locator("#entities .entity", has_text="Ada Byron").click()
    _choose(page, "Kentville")


def test_an_undone_merge_asks_for_no_panel(page: Any) -> None:
    """The answer has the panel of the mention that is chosen still, whichever entity it is of."""
    _choose(page, "Ben Cole")
    page.keyboard.press("o")
    until(lambda: page.locator("#merge-with option").count() > 1)
    page.locator("#merge-with").select_option(label="Ada Byron")
    _wait(page, 1)
    settled(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("[data-step=undo]").click()
    _wait(page, 2)
    settled(page)
    assert page.locator("#why h2").inner_text() == "Ben Cole"
    assert not [url for url in asked if "/entity?" in url]


_CHOOSE_AT_ONCE = """() => {
  const isThere = () => document.getElementById("figures").dataset.revision === "2";
  new MutationObserver((_, observer) => {
    if (!isThere()) return;
    observer.disconnect();
    [...document.querySelectorAll("#entities .entity")].find((one) => one.textContent.includes("Ben Cole")).click();
  }).observe(document.body, { childList: true, subtree: true });
  document.querySelector("[data-step=undo]").click();
}"""


def test_a_panel_in_use_stays(page: Any) -> None:
    """Chosen before an answer has settled, an entity is asked for once: what is open then stays open."""
    _choose(page, "Ada Byron")
    page.keyboard.press("k")
    _wait(page, 1)
    page.evaluate(_CHOOSE_AT_ONCE)
    page.wait_for_selector('#why h2:text-is("Ben Cole")')
    page.keyboard.press("t")
    page.wait_for_function("() => document.activeElement.id === 'set-type'")
    settled(page)
    assert page.evaluate("() => document.activeElement.id") == "set-type"


def test_who_comes_back_sees_what_others_did(page: Any, site: Site) -> None:
    """What is chosen stays so; a warning that nobody has read yet stays, too, where nothing happened."""
    _choose(page, "Kentville")
    page.keyboard.press("w")
    page.keyboard.type("the town of Ada Byron")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice.warning")
    with page.expect_response("**/latest?*") as answer:
        page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    assert answer.value.status == 204
    page.wait_for_selector("#notice.warning")
    kept = Event(EventKind.DECIDE, (Span(0, 9),), "keep")
    site.service.change(1, "Ben", 0, kept)
    page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    _wait(page, 1)
    assert "In the meantime Ben decided on an entity." in page.locator("#notice").inner_text()
    assert "Ada Byron wrote to [PERSON 2]" in _result(page)
    assert page.locator("#why h2").inner_text() == "Kentville"
    page.locator("#why button", has_text="Mask").first.click()
    _wait(page, 2)


def test_what_an_entity_is_can_be_changed(page: Any) -> None:
    """Type, identifier type, split, merge, and no mention at all."""
    _choose(page, "Ben Cole")
    page.locator("#why summary", has_text="Change what it is").click()
    page.locator("#set-type").select_option("ORG")
    _wait(page, 1)
    assert "[ORGANISATION 1] lives" in _result(page)
    page.keyboard.press("u")
    _wait(page, 2)
    page.locator("#why summary", has_text="Change what it is").click()
    page.locator("#set-identifier").select_option("NO_MASK")
    _wait(page, 3)
    assert "Ben Cole lives" in _result(page)
    page.keyboard.press("u")
    _wait(page, 4)
    page.locator("#why summary", has_text="Change what it is").click()
    page.locator("#merge-with").select_option(label="Ada Byron")
    _wait(page, 5)
    assert "[PERSON 1] wrote to [PERSON 1]" in _result(page)
    page.locator("#why summary", has_text="Change what it is").click()
    page.locator("#why button", has_text="someone else").click()
    _wait(page, 6)
    assert "[PERSON 2]" in _result(page)
    _choose(page, "Kentville")
    page.locator("#why summary", has_text="Change what it is").click()
    page.locator("#why button", has_text="not a mention").click()
    _wait(page, 7)
    assert page.locator("#entities .entity", has_text="Kentville").count() == 0


def test_comments_of_several_people_are_on_the_page(page: Any, site: Site) -> None:
    """Ben's and Ann's stand side by side with their names; she changes hers by keyboard, and deletes it."""
    site.service.change(1, "Ben", 0, Event(EventKind.NOTE, (Span(65, 74),), "a village <here>?"))
    page.reload()
    assert "a village <here>?" in page.locator("#comments").inner_text()
    page.locator("#comments button", has_text="Kentville").click()
    page.wait_for_selector('#why h2:text-is("Kentville")')
    assert "Ben" in page.locator("#why .comment").inner_text()
    for revision, words in ((2, "ask Eve"), (3, "ask Eve and Ada"), (4, "")):
        page.locator(".original .m", has_text="Kentville").focus()
        page.keyboard.press("c")
        page.locator("#note").fill(words)
        page.keyboard.press("Control+Enter")
        _wait(page, revision)
        until(lambda words=words: page.locator("#note").input_value() == words)
        assert (page.locator("#comments").inner_text().count("ask Eve")) == bool(words)
    assert "1 comment" in page.locator("#comments").inner_text()


def test_search_and_filters_narrow_the_list(page: Any) -> None:
    """By words, by type, by decision; they stay while decisions are made."""
    shown = page.locator("#entities li:not([hidden])")
    assert shown.count() == 4
    page.keyboard.press("/")
    page.keyboard.type("byron")
    until(lambda: shown.count() == 1)
    page.locator("#search").fill("")
    page.locator("#filter-type").select_option("PERSON")
    until(lambda: shown.count() == 2)
    page.locator("#filter-state").select_option("undecided")
    _choose(page, "Ada Byron")
    page.keyboard.press("m")
    _wait(page, 1)
    until(lambda: shown.count() == 1)


def test_whoever_is_late_is_told(page: Any, site: Site) -> None:
    """Ben was faster: Ann's change is not made, and she sees what he did."""
    _choose(page, "Ada Byron")
    site.service.change(1, "Ben", 0, Event(EventKind.DECIDE, (Span(19, 27),), "keep"))
    page.keyboard.press("k")
    page.wait_for_selector("#notice.warning")
    assert "Ben decided on an entity" in page.locator("#notice").inner_text()
    assert "[PERSON 1] wrote to Ben Cole" in _result(page)
    page.keyboard.press("k")
    _wait(page, 2)
    assert "Ada Byron wrote to Ben Cole" in _result(page)


def test_a_lost_server_is_said(page: Any, site: Site, chromium: Any) -> None:
    """What could not be saved is never shown as done."""
    _choose(page, "Kentville")
    disconnect(page)
    page.keyboard.press("m")
    page.wait_for_selector('#notice.warning:has-text("not saved")')
    assert "Kentville" in _result(page)
    assert page.locator('#entities li[data-hand="1"]').count() == 0
    page.keyboard.press("k")  # Nothing else is done before that.
    reconnect(page)
    page.keyboard.press("r")
    _wait(page, 1)
    assert "Kentville" not in _result(page)
    assert len(site.service.store.log.entries(1)) == 1


def test_what_came_after_a_loss_is_saved_after_it(page: Any, site: Site) -> None:
    """Decisions made before anybody knew are tried again, in their order."""
    _choose(page, "Ben Cole")
    disconnect(page)
    page.evaluate("""() => ["k", "m", "k"].forEach((key) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true })))""")
    page.wait_for_selector("#notice.warning button")
    reconnect(page)
    page.locator("#retry").click()
    _wait(page, 3)
    actions = [entry.event.value for entry in site.service.store.log.entries(1) if entry.event]
    assert actions == ["keep", "mask", "keep"]


def test_a_warning_is_seen_whatever_the_width(page: Any, site: Site) -> None:
    """Nothing lies over any part of it, at the top of the page and below."""
    _choose(page, "Kentville")
    disconnect(page)
    page.keyboard.press("m")
    page.wait_for_selector("#notice.warning")
    for width, top in product((1024, 1280, 1440, 1920), (0, 400)):
        page.set_viewport_size({"width": width, "height": 600})
        page.evaluate(f"() => scrollTo(0, {top})")
        page.wait_for_function("""() => {
          const notice = document.getElementById("notice");
          const box = notice.getBoundingClientRect();
          const points = [[8, 2], [box.width / 2, box.height / 2], [box.width - 8, box.height - 2]];
          return points.every(([x, y]) => {
            const seen = document.elementFromPoint(box.left + x, box.top + y);
            return seen !== null && notice.contains(seen);
          });
        }""")


def test_views_and_help_are_by_key(page: Any) -> None:
    """V goes through the views, ? shows the keys, Escape closes."""
    for view in ("original", "result", "both"):
        page.keyboard.press("v")
        assert page.locator("#review").get_attribute("data-view") == view
    page.keyboard.press("?")
    assert page.locator("#help[open]").count() == 1
    page.keyboard.press("Escape")
    until(lambda: page.locator("#help[open]").count() == 0)


def test_a_script_in_a_document_is_text(page: Any) -> None:
    """It is shown, and nothing runs; the fixture fails on any dialog."""
    assert "<script>alert(1)</script>" in page.locator("#row-2 .original").inner_text()
    assert "<script>alert(1)</script>" in _result(page)
    page.reload()
    assert page.locator("#rows script").count() == 0


def test_from_upload_to_the_end(chromium: Any, site: Site) -> None:
    """Files are sent, analysed while the queue watches, reviewed and saved."""
    with tab(chromium, site) as page:
        page.locator("#to-new").click()
        page.locator("#name").fill("New letters")
        file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"Ada Byron and Kentville."}
        other = {"name": "b.txt", "mimeType": "text/plain", "buffer": b"Ben Cole."}
        page.locator("#files").set_input_files([file, other])
        page.locator("#begin:enabled").click()
        page.wait_for_selector("#next-document")
        page.wait_for_selector("#queue:not([data-waiting])")
        follow(page, page.locator("#next-document"))
        page.keyboard.press("n")
        page.wait_for_selector('#why h2:text-is("Ada Byron")')
        page.locator("#undo-redo button", has_text="Done").click()
        assert "1 decision needs you" in page.locator("#unfinished").inner_text()
        page.locator("#unfinished button", has_text="all the same").click()
        page.wait_for_selector('#undo-redo button:text-is("Reopen")')
        page.locator(".menu summary").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="Text", exact=True).click()
        assert download.value.suggested_filename == "draft-a.txt"
        assert download.value.path().read_text() == "[PERSON 1] and Kentville."
        page.locator(".brand").click()
        page.wait_for_selector("text=1 of 2 reviewed")
