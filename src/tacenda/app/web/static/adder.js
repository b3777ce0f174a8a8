// Text that is selected in the original becomes a mention.
import { refocus } from "./focus.js";
import { say } from "./notice.js";
import { offsetOf, takeWholeWords } from "./places.js";
import { typeAt } from "./queue.js";

const adder = document.getElementById("adder");
const type = document.getElementById("adder-type");
let selected = null;
let before = null;
let isChosen = false; // Whether somebody chose the type of what is selected.
let suggested = Promise.resolve();
let ask = async () => ""; // Who knows the type of words that no mention is over.

// Whether the rows from one to the other follow one another in the text, as they do on the page.
function isWhole(first, last) {
  if (!first || first === last) return true;
  const rows = [...document.querySelectorAll("#rows .row")];
  const number = (row) => Number(row.id.slice("row-".length));
  return rows.slice(rows.indexOf(first), rows.indexOf(last) + 1)
    .every((row, place) => number(row) === number(first) + place);
}

const row = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest(".row");

// The words that are selected, without the white space around them.
export function selectedSpan() {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  if (!isWhole(row(range.startContainer), row(range.endContainer))) return null;
  const [start, end] = [offsetOf(range.startContainer, range.startOffset), offsetOf(range.endContainer, range.endOffset)];
  const string = range.toString();
  if (start === null || end === null || start >= end || !string.trim()) return null;
  const first = start + string.length - string.trimStart().length;
  return `${first}-${end - (string.length - string.trimEnd().length)}`;
}

function close() {
  adder.hidden = true;
  selected = null;
}

function cancel() {
  close();
  before?.focus({ preventScroll: true });
  refocus(["#review"]);
}

// What is selected, and the type that is chosen for it; the selection ends.
export function take() {
  const place = selected ?? selectedSpan();
  getSelection().removeAllRanges();
  close();
  return { place, type };
}

// Until the type of what is selected is known.
export const typed = () => suggested;

// Words over a mention are of its type, others of the one that the program reads; unless the person says otherwise.
function suggest() {
  const [start, end] = selected.split("-").map(Number);
  const place = selected;
  const known = typeAt([{ start, end }]);
  isChosen = false;
  if (known) type.value = known;
  else suggested = ask(start, end).then((found) => {
    if (found && selected === place && !isChosen) type.value = found;
  });
}

export function openAdder() {
  selected = selectedSpan();
  adder.hidden = selected === null;
  if (!selected) return say("Select words first: press Shift and the arrow keys, starting at the mention.");
  before = document.activeElement;
  suggest();
  return type.focus();
}

// `add` marks what is selected: whole words, unless Alt is held.
function offer() {
  before = null;
  selected = selectedSpan();
  adder.hidden = selected === null;
  if (selected) suggest();
}

// A finger selects by a long press and by handles, of which the page hears nothing but what is selected then.
const STILL_MILLISECONDS = 200;

function followTouch(texts) {
  let isTouch = false;
  let timer = 0;
  addEventListener("pointerdown", ({ pointerType }) => { isTouch = pointerType === "touch"; }, true);
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    if (!isTouch || getSelection().isCollapsed || !texts.contains(getSelection().anchorNode)) return;
    timer = setTimeout(() => {
      takeWholeWords();
      offer();
    }, STILL_MILLISECONDS);
  });
}

export function startAdder(add, typeOf = ask) {
  ask = typeOf;
  type.addEventListener("change", () => { isChosen = true; });
  const texts = document.getElementById("rows").parentElement;
  texts.addEventListener("pointerup", ({ altKey }) => setTimeout(() => {
    if (!altKey) takeWholeWords();
    offer();
  }));
  followTouch(texts);
  document.getElementById("adder-add").addEventListener("click", add);
  document.getElementById("adder-cancel").addEventListener("click", cancel);
  adder.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
    if (event.key === "Enter" && event.target === type) add();
  });
}
