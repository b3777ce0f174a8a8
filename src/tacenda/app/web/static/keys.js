// The keyboard: everything that the mouse can do.
import { openAdder } from "./adder.js";
import { listen } from "./keyboard.js";
import { decide, leave, next, step, view } from "./review.js";

const VIEWS = ["both", "original", "result"];

function generalise() {
  const options = document.getElementById("option");
  options?.focus();
  options?.showPicker?.();
}

const KEYS = {
  n: () => next(1),
  p: () => next(-1),
  m: () => decide("mask"),
  k: () => decide("keep"),
  g: generalise,
  u: () => step("undo"),
  U: () => step("redo"),
  "/": () => {
    document.getElementById("review").dataset.sheet = "list";
    document.getElementById("search").focus();
  },
  "?": () => document.getElementById("help").showModal(),
  a: openAdder,
  v: () => view(VIEWS[(VIEWS.indexOf(document.getElementById("review").dataset.view) + 1) % VIEWS.length]),
};

const TEXT = "input:not([type=range]):not([type=radio]), textarea, select";
const typing = (event) => event.target.matches(TEXT);

function escape(event) {
  if (event.key !== "Escape") return false;
  if (typing(event)) event.target.blur();
  else leave();
  return true;
}

export function startKeys() {
  listen({
    first: (event) => !event.ctrlKey && !event.metaKey && !event.altKey && escape(event),
    typing,
    act(event) {
      KEYS[event.key]?.();
      return event.key in KEYS;
    },
  });
}
