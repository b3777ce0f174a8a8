// The keyboard: everything that the mouse can do.
import { openAdder } from "./adder.js";
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

export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const typing = event.target.matches("input:not([type=range]):not([type=radio]), textarea, select");
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      else leave();
      return;
    }
    if (typing) return;
    if (event.key === "Enter" || event.key === " ") {
      if (event.target.matches(".m, .r")) {
        event.preventDefault();
        event.target.click();
      }
      return;
    }
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
