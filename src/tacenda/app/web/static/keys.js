// The keyboard: everything that the mouse can do.
import { list, openAdder } from "./adder.js";
import { openFinder } from "./finder.js";
import { listen } from "./keyboard.js";
import { advance, chosen, confirm, decide, finish, isUnsaved, keepComment, leave, next, retry, step, view } from "./review.js";
import { move } from "./selection.js";

const VIEWS = ["both", "original", "result"];

function generalise() {
  const options = document.getElementById("option");
  options?.focus();
  options?.showPicker?.();
}

function write() {
  const words = document.getElementById("own");
  words?.focus();
  words?.select();
}

function comment() {
  const details = document.getElementById("comment");
  if (!details) return;
  details.open = true;
  document.getElementById("note").focus();
}

const KEYS = {
  j: () => advance(1),
  J: () => advance(-1),
  n: () => next(1),
  p: () => next(-1),
  m: () => decide("mask"),
  k: () => decide("keep"),
  g: generalise,
  w: write,
  M: () => list("mask"),
  K: () => list("keep"),
  u: () => step("undo"),
  U: () => step("redo"),
  "/": () => {
    document.getElementById("review").dataset.sheet = "list";
    document.getElementById("search").focus();
  },
  "?": () => document.getElementById("help").showModal(),
  a: openAdder,
  c: comment,
  f: openFinder,
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

// Keys that come before all others, and whether this is one.
function first(event) {
  if (isUnsaved()) {
    if (event.key === "r") retry();
    return true;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    if (event.target.id === "note") keepComment();
    else finish();
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Enter" && isAtHand(event.target)) {
    event.preventDefault();
    confirm();
    return true;
  }
  if (event.shiftKey && ["ArrowLeft", "ArrowRight"].includes(event.key) && !typing(event)) {
    event.preventDefault();
    const place = document.activeElement.closest(".original .m");
    move(document.getElementById("rows"), place, event.key === "ArrowRight", true, "word");
    return true;
  }
  return escape(event);
}

// Enter confirms where it has no other meaning: on the page itself, and on what is chosen.
function isAtHand(target) {
  return target === document.body || (chosen() && target.matches(".m, .r, .entity") && target.dataset.e === chosen());
}

export function startKeys() {
  listen({
    first,
    typing,
    act(event) {
      KEYS[event.key]?.();
      return event.key in KEYS;
    },
  });
}
