// Selections in the text: from what the browser marks to offsets in code points, and by keyboard.
import { move as select } from "../selection.js";

const text = () => document.getElementById("text");
const points = (string) => Array.from(string).length;

function offset(node, place) {
  if (node.nodeType === Node.TEXT_NODE) {
    const piece = node.parentElement.closest("[data-o]");
    return piece && Number(piece.dataset.o) + points(node.data.slice(0, place));
  }
  const piece = node.childNodes[place] ?? null;
  if (piece) return piece.dataset?.o !== undefined ? Number(piece.dataset.o) : offset(piece, 0);
  const last = node.lastChild;
  return last && offset(last, last.nodeType === Node.TEXT_NODE ? last.length : last.childNodes.length);
}

// Return "start-end" of what is selected in the text, without white space around it; or "".
export function selected() {
  const selection = document.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return "";
  const range = selection.getRangeAt(0);
  if (!text().contains(range.startContainer) || !text().contains(range.endContainer)) return "";
  const string = range.toString();
  const start = offset(range.startContainer, range.startOffset) + points(string) - points(string.trimStart());
  const length = points(string.trim());
  return length ? `${start}-${start + length}` : "";
}

export const forget = () => document.getSelection().removeAllRanges();

// Select the next word from where the selection, or the chosen mention, is.
export const move = (forward, extend, unit) => select(text(), document.activeElement.closest("#text .m"), forward, extend, unit);
