"""After any decisions the page shows what it would show if it were loaded again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ..building import documents
from .conftest import Site, settled, tab

pytestmark = pytest.mark.browser

TEXT = (
    "Ada Byron wrote to Ben Cole on 12 March 1994. 😀 Ada Byron, of Kentville, was not Eve Byron.\n"
    "Ben Cole, Ben Cole and Ada Byron lived in Kentville; <b>Ben Cole</b> & 12 March 1994\r\n"
    "\n"
    "Kentville, on 12 March 1994: Eve Byron & Ada Byron called. The flat of Ben Cole is empty.\n"
    "Nobody was there\x0con that day, and the flat was empty.\n"
    "Eve Byron, Kentville. \U0001d4d0da is no name; Ada Byron is one, and Mr Cole another."
)
ACTS = ("m", "k", "m", "k", "u", "U", "im", "ik", "x", "remove", "add", "type", "slide", "slide")

# Elements with their attributes in order, apart from what the person has chosen just now.
_SHOWN = """(selector) => [...document.querySelectorAll(selector)].map(function show(node) {
  if (node.nodeType === Node.TEXT_NODE) return JSON.stringify(node.data);
  const classes = [...node.classList].filter((name) => !["chosen", "here", "pending"].includes(name) && !name.startsWith("htmx"));
  const attributes = [...node.attributes].map(({ name, value }) => `${name}=${value}`)
    .filter((pair) => !/^(class|hidden|hx-swap-oob)=/.test(pair)).sort();
  return `<${node.localName} ${classes.sort().join(" ")} ${attributes.join(" ")}>`
    + `${[...node.childNodes].map(show).join("")}</${node.localName}>`;
})"""
_SETTLED = """async () => {
  const [changes, bound] = await Promise.all([import("/static/changes.js"), import("/static/bound.js")]);
  bound.settle();
  await bound.previews();
  await changes.saved();
}"""
_SELECTED = """(select, value) => {
  select.value = value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}"""


def _opened(page: Any, site: Site) -> str:
    """Open a new document, and return its address."""
    made = site.service
    project = made.add_project("Notes", documents(TEXT))
    (row,) = made.store.documents.of(project.id)
    made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    address = site.at(f"/documents/{row.id}")
    page.goto(address)
    return address


def _choose(page: Any, random: Random) -> None:
    """Click any mention, and wait for its reasons."""
    marks = page.locator("#rows .m")
    mark = marks.nth(random.randrange(marks.count()))
    entity = mark.get_attribute("data-e")
    mark.click()
    page.wait_for_selector(f'#why[data-e="{entity}"] h2')


def _act(page: Any, random: Random) -> str:
    """Do anything with what is chosen, and return what was done."""
    act = random.choice(ACTS)
    if act == "remove":
        buttons = page.locator('#why button[data-kind="remove"]')
        buttons.nth(random.randrange(buttons.count())).evaluate("(button) => button.click()")
    elif act == "add":
        page.keyboard.press("f")
        page.locator("#find").fill(
            random.choice(("that day", "flat", "Mr Cole", "was not", "called"))
        )
        page.keyboard.press("Enter")
    elif act == "type":
        page.locator("#set-type").evaluate(_SELECTED, random.choice(("PERSON", "LOC", "MISC")))
    elif act == "slide":
        page.locator("#bound").focus()
        for _ in range(random.randrange(1, 6)):
            page.keyboard.press(random.choice(("ArrowLeft", "ArrowRight")))
    else:
        for key in act:
            page.keyboard.press(key)
    return act


def test_the_page_is_what_a_reload_would_show(page: Any, chromium: Any, site: Site) -> None:
    """Decisions, undoing, single mentions, new and removed ones, types, the slider: rows, list and figures."""
    address = _opened(page, site)
    random, acts = Random(1), []
    rows = page.query_selector("#rows")
    with tab(chromium, site) as other:
        for _ in range(10):
            _choose(page, random)
            acts.append(_act(page, random))
            page.evaluate(_SETTLED)
            settled(page)
            other.goto(address)
            for selector in ("#rows", "#figures", "#undo-redo", "#curve"):
                assert page.evaluate(_SHOWN, selector) == other.evaluate(_SHOWN, selector), acts
            lines, others = (sorted(at.evaluate(_SHOWN, "#entities li")) for at in (page, other))
            assert lines == others, acts
    assert len(set(acts)) > 5
    assert rows.evaluate("(element) => element.isConnected")  # never sent whole
