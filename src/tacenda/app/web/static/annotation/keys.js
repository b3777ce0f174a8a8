// The keys of an annotator; their list is in the dialog of the page.
import { SAME, startTextKeys, toOptions } from "../textkeys.js";
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

// A choice of the panel has a key of its own; what is left are the keys of the page.
function action(key) {
  const choice = document.querySelector(`#why .option[data-key="${CSS.escape(key)}"]`);
  return choice ? () => choice.click() : KEYS[key];
}

export function startKeys() {
  if (isReplacing()) for (const key of MARKING) delete KEYS[key];
  startTextKeys({ action, finish: submit, confirm: () => next(1), leave, isUnsaved, retry });
}
