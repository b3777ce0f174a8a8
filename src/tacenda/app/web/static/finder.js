// Find words in the original, and mark them wherever they stand.
import { counted } from "./counted.js";
import { refocus } from "./focus.js";
import { say } from "./notice.js";
import { elementOf, placer } from "./places.js";
import { typeAt } from "./queue.js";

const form = document.getElementById("finder");
const words = document.getElementById("find");
const found = document.getElementById("found");
const type = document.getElementById("find-type"); // None where nothing can be marked.
const unknown = type?.value;
let places = [];
let shown = -1;
let before = null;

// Whole words where the search begins or ends with a letter or digit; letter case plays no part, and
// a line may end between two words.
function pattern(string) {
  const literal = string.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "(?:[^\\S\\n]+|[^\\S\\n]*\\n[^\\S\\n]*)");
  const inside = /[\p{L}\p{N}]/u;
  const before = inside.test(string[0]) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = inside.test(string.at(-1)) ? "(?![\\p{L}\\p{N}])" : "";
  return new RegExp(before + literal + after, "giu");
}

// The words of the original, and the offset in the text of a place in them.
function original() {
  const sides = [...document.querySelectorAll("#rows .original[data-start]")]
    .map((side) => ({ start: Number(side.dataset.start), words: side.textContent }))
    .sort((one, other) => one.start - other.start);
  let length = 0;
  for (const side of sides) {
    side.at = length;
    length += side.words.length + 1;
  }
  const offset = (at) => {
    const side = sides.findLast((one) => one.at <= at);
    return side.start + [...side.words.slice(0, at - side.at)].length;
  };
  return { words: sides.map((side) => side.words).join("\n"), offset };
}

function search() {
  const string = words.value.trim();
  places = [];
  shown = -1;
  if (string) {
    const { words: all, offset } = original();
    places = [...all.matchAll(pattern(string))].map((match) => (
      { start: offset(match.index), end: offset(match.index + match[0].length) }));
  }
  light();
  if (type) type.value = typeAt(places) ?? unknown;
  found.textContent = string ? counted(places.length, "place") : "";
}

// The places as they stand on the page at hand: in the text, or on the lines of a page.
function light() {
  const at = placer();
  for (const place of places) place.ranges = at(place.start, place.end);
  const ranges = places.flatMap((place) => place.ranges);
  globalThis.CSS.highlights?.set("found", new Highlight(...ranges));
  const current = new Highlight(...(places[shown]?.ranges ?? []));
  current.priority = 1;
  globalThis.CSS.highlights?.set("found-here", current);
}

function next() {
  if (!places.length) return;
  shown = (shown + 1) % places.length;
  light();
  const { ranges } = places[shown];
  found.textContent = `${shown + 1} of ${places.length}${ranges.length ? "" : ", not shown on the page"}`;
  if (!ranges.length) return;
  const end = ranges.at(-1);
  getSelection().setBaseAndExtent(ranges[0].startContainer, ranges[0].startOffset, end.endContainer, end.endOffset);
  elementOf(ranges[0]).scrollIntoView({ block: "center" });
}

function close() {
  form.hidden = true;
  for (const name of ["found", "found-here"]) globalThis.CSS.highlights?.delete(name);
}

function leave() {
  close();
  before?.focus({ preventScroll: true });
  refocus(["#review"]);
}

export function openFinder() {
  before = document.activeElement;
  form.hidden = false;
  words.value = getSelection().toString().trim() || words.value;
  search();
  words.select();
  words.focus();
}

// `mark` is given the places, and what they are marked as: the list of types. Without it Enter leads on.
export function startFinder(mark) {
  words.addEventListener("input", search);
  document.getElementById("find-next").addEventListener("click", next);
  document.getElementById("find-close").addEventListener("click", leave);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  for (const name of ["tacenda:view", "tacenda:paged"]) {
    document.getElementById("review").addEventListener(name, () => form.hidden || light());
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!mark) return next();
    if (!places.length) return say(`“${words.value.trim()}” is not in the text.`);
    close();
    return mark(places.map((place) => `${place.start}-${place.end}`), type);
  });
}
