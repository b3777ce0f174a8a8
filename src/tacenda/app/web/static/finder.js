// Find words in the original, and mask them wherever they stand.
import { lineAt } from "./pages.js";
import { change, say } from "./review.js";

const form = document.getElementById("finder");
const words = document.getElementById("find");
const found = document.getElementById("found");
let places = [];
let shown = -1;

// Whole words where the search begins or ends with a letter or digit; letter case plays no part.
function pattern(string) {
  const literal = string.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
  const inside = /[\p{L}\p{N}]/u;
  const before = inside.test(string[0]) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = inside.test(string.at(-1)) ? "(?![\\p{L}\\p{N}])" : "";
  return new RegExp(before + literal + after, "giu");
}

function range(side, start, end) {
  const made = document.createRange();
  const walker = document.createTreeWalker(side, NodeFilter.SHOW_TEXT);
  let at = 0;
  let begun = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!begun && start < at + node.length) {
      made.setStart(node, start - at);
      begun = true;
    }
    if (end <= at + node.length) {
      made.setEnd(node, end - at);
      return made;
    }
    at += node.length;
  }
  return made;
}

function search() {
  const string = words.value.trim();
  places = [];
  shown = -1;
  for (const side of string ? document.querySelectorAll("#rows .original[data-start]") : []) {
    const text = side.textContent;
    for (const match of text.matchAll(pattern(string))) {
      const start = Number(side.dataset.start) + [...text.slice(0, match.index)].length;
      const end = start + [...match[0]].length;
      places.push({ start, span: `${start}-${end}`, range: range(side, match.index, match.index + match[0].length) });
    }
  }
  globalThis.CSS.highlights?.set("found", new Highlight(...places.map((place) => place.range)));
  found.textContent = string ? `${places.length} place${places.length === 1 ? "" : "s"}` : "";
}

function next() {
  if (!places.length) return;
  shown = (shown + 1) % places.length;
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(places[shown].range);
  lineAt(places[shown].start, places[shown].range.startContainer.parentElement).scrollIntoView({ block: "center" });
  found.textContent = `${shown + 1} of ${places.length}`;
}

function close() {
  form.hidden = true;
  globalThis.CSS.highlights?.delete("found");
}

export function openFinder() {
  form.hidden = false;
  words.value = getSelection().toString().trim() || words.value;
  search();
  words.select();
  words.focus();
}

export function startFinder() {
  words.addEventListener("input", search);
  document.getElementById("find-next").addEventListener("click", next);
  document.getElementById("find-close").addEventListener("click", close);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!places.length) return say(`"${words.value.trim()}" is not in the text.`);
    const spans = places.map((place) => place.span);
    close();
    change("add", spans, document.getElementById("find-type").value);
  });
}
