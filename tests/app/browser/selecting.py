"""Letters of a line are selected with the mouse, as a person drags over them."""

from __future__ import annotations

from typing import Any

_PLACE = """([selector, at]) => {
  const walker = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (at > node.length) { at -= node.length; continue; }
    const range = document.createRange();
    range.setStart(node, at);
    const box = range.getBoundingClientRect();
    return [box.left, box.top + box.height / 2];
  }
}"""


def drag(page: Any, selector: str, start: int, end: int) -> str:
    """Drag over the letters from one to the other of the first such element; return what is selected."""
    page.evaluate("() => getSelection().removeAllRanges()")
    page.locator(selector).first.scroll_into_view_if_needed()
    page.mouse.move(*page.evaluate(_PLACE, [selector, start]))
    page.mouse.down()
    page.mouse.move(*page.evaluate(_PLACE, [selector, end]), steps=4)
    page.mouse.up()
    # The page looks at what is selected after its own listeners.
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    return str(page.evaluate("() => getSelection().toString()"))


def words_over(text: str, start: int, end: int) -> str:
    """Return the words that a stretch has letters of, whole."""
    while start and text[start - 1 : start + 1].isalnum():
        start -= 1
    while text[end - 1 : end + 1].isalnum() and end < len(text):
        end += 1
    return text[start:end]
