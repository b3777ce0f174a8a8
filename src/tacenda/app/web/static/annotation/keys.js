// The keys of annotation mode; their list is in the dialog of the page.
import { listen } from "../keyboard.js";
import { back, editable, give, go, next, replaceByNumber, replacing, step, submit, tools } from "./annotate.js";
import { move } from "./text.js";

const TOOLS = { b: ["bounds", 1], Delete: ["remove", 1], Backspace: ["remove", 1], x: ["pick", 4], l: ["link", 4], s: ["split", 4] };

function toggle() {
  const box = document.getElementById("everywhere") ?? document.getElementById("whole");
  if (box) box.checked = !box.checked;
}

function arrow(event) {
  const within = document.activeElement === document.body || document.activeElement.closest("#text");
  if (!within || !["ArrowLeft", "ArrowRight"].includes(event.key) || event.ctrlKey || event.metaKey) return false;
  move(event.key === "ArrowRight", event.shiftKey, event.altKey ? "character" : "word");
  return true;
}

function value(key) {
  if (!editable()) return false;
  if (replacing()) {
    if (!/^[1-9]$/.test(key) || !document.querySelector(".palette")) return false;
    replaceByNumber(Number(key));
    return true;
  }
  const button = document.querySelector(`.palette [data-key="${CSS.escape(key)}"]`);
  if (button) give(button.dataset.value);
  return Boolean(button);
}

function letter(event) {
  const { key } = event;
  if (key === "n" || key === "p") next(key === "n" ? 1 : -1, false);
  else if (key === "N" || key === "P") next(key === "N" ? 1 : -1, true);
  else if (key === "u" || key === "U") back(key === "u" ? "undo" : "redo");
  else if (key === "[" || key === "]") { if (editable()) go(step() + (key === "]" ? 1 : -1)); }
  else if (key === "a") toggle();
  else if (key === "t") document.getElementById("text").focus();
  else if (key === "?") document.getElementById("help").showModal();
  else if (editable() && !replacing() && TOOLS[key]?.[1] === step()) tools[TOOLS[key][0]]();
  else return value(key);
  return true;
}

const writing = (event) => event.target.matches("textarea, input:not([type=checkbox])");
// A drop-down list finds its options by their numbers itself.
const picking = (event) => event.target.matches("select") && !/^[a-zA-Z?[\]]$/.test(event.key);

export function startKeys() {
  listen({
    first(event) {
      if (writing(event)) return true;
      const submits = event.key === "Enter" && event.ctrlKey;
      if (submits) submit();
      else if (!arrow(event)) return false;
      event.preventDefault();
      return true;
    },
    typing: picking,
    act: letter,
  });
}
