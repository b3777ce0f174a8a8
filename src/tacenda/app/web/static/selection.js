// Words are selected by keyboard, from where the selection is, or from a place.
export function move(root, place, forward, extend, unit) {
  const selection = document.getSelection();
  if (!selection.rangeCount || !root.contains(selection.focusNode)) {
    const range = document.createRange();
    if (place) range.selectNodeContents(place);
    else range.setStart(root, 0);
    range.collapse(!forward || !place);
    selection.removeAllRanges();
    selection.addRange(range);
  } else if (!extend) {
    if (forward) selection.collapseToEnd(); else selection.collapseToStart();
  }
  selection.modify("extend", forward ? "forward" : "backward", unit);
  if (!root.contains(selection.focusNode)) selection.collapseToStart();
  const box = selection.getRangeAt(0).getBoundingClientRect();
  if (box.bottom > window.innerHeight - 40 || box.top < 120) window.scrollBy(0, box.top - window.innerHeight / 2);
}
