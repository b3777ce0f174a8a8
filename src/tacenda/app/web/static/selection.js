// Words of the text are selected by keyboard.
import { root } from "./pages.js";
import { placer, takeWholeWords } from "./places.js";

// Arrows take the next word, from the mention that has the focus on, or from what is selected; with
// Shift the selection grows, with Ctrl by the mention, too, and with Alt by characters. Tells whether
// the key was one.
export function arrow(event) {
  if (!["ArrowLeft", "ArrowRight"].includes(event.key) || event.metaKey) return false;
  if (event.shiftKey ? event.target.matches("input[type=range]") : !isInText(event) || event.ctrlKey || event.altKey) return false;
  event.preventDefault();
  const forward = event.key === "ArrowRight";
  begin(event.ctrlKey, forward);
  move(forward, event.shiftKey, event.altKey ? "character" : "word");
  return true;
}

const isInText = ({ target }) => target.matches("body, main") || root().contains(target);

// The selection begins at an edge of the mention that has the focus, unless it is in the text already.
function begin(withMention, forward) {
  const selection = getSelection();
  const mention = document.activeElement.closest(".m")?.dataset.s;
  if (!mention || (!selection.isCollapsed && root().contains(selection.focusNode))) return;
  const [start, end] = mention.split("-").map(Number);
  const ranges = placer()(start, end);
  if (!ranges.length) return;
  const [first, last] = [ranges[0], ranges.at(-1)];
  const edges = [[first.startContainer, first.startOffset], [last.endContainer, last.endOffset]];
  const [anchor, focus] = forward ? edges : edges.reverse();
  selection.setBaseAndExtent(...(withMention ? anchor : focus), ...focus);
}

function move(forward, extend, unit) {
  const selection = getSelection();
  if (!selection.rangeCount || !root().contains(selection.focusNode)) selection.collapse(root(), 0);
  else if (!extend && !selection.isCollapsed) {
    if (forward) selection.collapseToEnd(); else selection.collapseToStart();
  }
  selection.modify("extend", forward ? "forward" : "backward", unit);
  if (!root().contains(selection.focusNode)) selection.collapseToStart();
  if (unit === "word") takeWholeWords();
  const box = selection.getRangeAt(0).getBoundingClientRect();
  if (box.bottom > window.innerHeight - 40 || box.top < 120) window.scrollBy(0, box.top - window.innerHeight / 2);
}
