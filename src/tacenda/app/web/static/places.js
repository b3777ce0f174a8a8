// Where words of the text stand on the page at hand. Offsets are code points, as everywhere in the
// program; a browser counts UTF-16 units.
import { root } from "./pages.js";

const points = (string) => [...string].length;
const starts = (side) => Number(side.dataset.start);

const sideOf = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest(".original[data-start]");

// The offset in the text of a place in the original, in the rows or on a page; null elsewhere.
export function offsetOf(node, at) {
  const side = sideOf(node);
  if (!side) return null;
  const range = document.createRange();
  range.setStart(side, 0);
  range.setEnd(node, at);
  return starts(side) + points(range.toString());
}

// A letter or digit of a script that writes spaces between words, and nothing else at their ends.
const OF_WORD = /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}_]/u;

// A place within a word of the original moved to the edge of the word, forward or back.
function edgeOfWord(node, at, step) {
  const offset = offsetOf(node, at);
  if (offset === null) return [node, at];
  const side = sideOf(node);
  const text = [...side.textContent];
  const isWithin = (place) => [text[place - 1], text[place]].every((letter) => letter && OF_WORD.test(letter));
  let place = offset - starts(side);
  if (!isWithin(place)) return [node, at];
  while (isWithin(place)) place += step;
  const range = step > 0 ? rangeIn(side, place - 1, place) : rangeIn(side, place, place + 1);
  return step > 0 ? [range.endContainer, range.endOffset] : [range.startContainer, range.startOffset];
}

// Let the selection take the words whole that it takes in part.
export function takeWholeWords() {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.rangeCount) return;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const edges = [edgeOfWord(startContainer, startOffset, -1), edgeOfWord(endContainer, endOffset, 1)];
  const isForward = selection.anchorNode === startContainer && selection.anchorOffset === startOffset;
  selection.setBaseAndExtent(...(isForward ? edges : edges.reverse()).flat());
}

// A function that gives the ranges of the page between two offsets: several where a line of a page
// ends between them. Where the original is not shown, the result of the paragraph stands for it.
export function placer() {
  const sides = [...root().querySelectorAll(".original[data-start]")].sort((one, other) => starts(one) - starts(other));
  return (start, end) => {
    let low = 0;
    let high = sides.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts(sides[middle]) <= start) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (let index = Math.max(0, low - 1); index < sides.length && starts(sides[index]) < end; index += 1) {
      const range = rangeIn(sides[index], start - starts(sides[index]), end - starts(sides[index]));
      if (range) found.push(range);
    }
    return found;
  };
}

function rangeIn(side, start, end) {
  const text = side.textContent;
  const [first, last] = [start, end].map((count) => [...text].slice(0, Math.max(0, count)).join("").length);
  if (first >= last) return null;
  const made = document.createRange();
  if (!side.checkVisibility()) {
    const result = side.closest(".row")?.querySelector(".result");
    if (result) made.selectNodeContents(result);
    return result ? made : null;
  }
  const walker = document.createTreeWalker(side, NodeFilter.SHOW_TEXT);
  let at = 0;
  let begun = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!begun && first < at + node.length) {
      made.setStart(node, first - at);
      begun = true;
    }
    if (begun && last <= at + node.length) {
      made.setEnd(node, last - at);
      return made;
    }
    at += node.length;
  }
  return null;
}

// The element of a range, to scroll to.
export const elementOf = (range) => {
  const node = range.startContainer;
  return node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
};
