// Text that is selected in the original becomes a mention.
import { change, mentionSpan, post, say } from "./review.js";

const adder = document.getElementById("adder");
const type = document.getElementById("adder-type");
let selected = null;

// Offsets are code points, as everywhere in the program; a browser counts UTF-16 units.
function offset(node, at) {
  const side = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest(".original[data-start]");
  if (!side) return null;
  const range = document.createRange();
  range.setStart(side, 0);
  range.setEnd(node, at);
  return Number(side.dataset.start) + [...range.toString()].length;
}

function span() {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  const start = offset(range.startContainer, range.startOffset);
  const end = offset(range.endContainer, range.endOffset);
  return start !== null && end !== null && start < end && selection.toString().trim() ? `${start}-${end}` : null;
}

function close() {
  adder.hidden = true;
  selected = null;
}

export function add() {
  if (!selected) return;
  change("add", [selected], type.value);
  getSelection().removeAllRanges();
  close();
}

// What is selected, else what is chosen, on a list of the project: never or always masked.
export function list(action) {
  const place = selected ?? span() ?? mentionSpan();
  if (!place) return say("Select or choose something first.");
  getSelection().removeAllRanges();
  close();
  return post("/terms", { span: place, action, type: type.value });
}

export function openAdder() {
  selected = span();
  adder.hidden = selected === null;
  if (selected) type.focus();
}

export function startAdder() {
  document.getElementById("rows").parentElement.addEventListener("pointerup", () => setTimeout(() => {
    selected = span();
    adder.hidden = selected === null;
  }));
  document.getElementById("adder-add").addEventListener("click", add);
  document.getElementById("adder-cancel").addEventListener("click", close);
  adder.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && event.target === type) add();
  });
}
