// The keys of an annotator; their list is in the dialog of the page.
import { listen } from "../keyboard.js";
import { SAME, toOptions, typing, within } from "../textkeys.js";
import { back, go, isReplacing, leave, next, step, submit, use } from "./annotate.js";
import { isUnsaved, retry } from "./send.js";

const KEYS = {
  ...SAME,
  j: () => next(1, true),
  J: () => next(-1, true),
  n: () => next(1),
  p: () => next(-1),
  u: () => back("undo"),
  U: () => back("redo"),
  "[": () => go(step() - 1),
  "]": () => go(step() + 1),
  t: () => (step() === 1 ? toOptions() : use("type")),
  x: () => use("split"),
  b: () => use("bounds"),
  Delete: () => use("remove"),
  Backspace: () => use("remove"),
};
const MARKING = ["a", "o", "t", "x", "b", "Delete", "Backspace"];

function first(event) {
  if (isUnsaved()) {
    if (event.key === "r") retry();
    return true;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    submit();
    return true;
  }
  if (event.key === "Enter" && !event.altKey && event.target.matches("body, main, .m.here")) {
    event.preventDefault();
    next(1);
    return true;
  }
  return within(event, leave);
}

// A choice of the panel has a key of its own; what is left are the keys of the page.
function act(event) {
  const choice = document.querySelector(`#why .option[data-key="${CSS.escape(event.key)}"]`);
  if (choice) choice.click();
  else KEYS[event.key]?.();
  return choice !== null || event.key in KEYS;
}

export function startKeys() {
  if (isReplacing()) for (const key of MARKING) delete KEYS[key];
  listen({ first, typing, act });
}
