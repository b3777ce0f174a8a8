// The keyboard: everything that the mouse can do.
import { list, openAdder } from "./adder.js";
import { openFinder } from "./finder.js";
import { listen } from "./keyboard.js";
import { nextLeak } from "./leaks.js";
import { isPaged, lineAt, root } from "./pages.js";
import { advance, chosen, confirm, decide, finish, isUnsaved, keepComment, leave, next, retry, step, view } from "./review.js";
import { move } from "./selection.js";

function generalise() {
  const options = document.getElementById("options");
  (options?.querySelector('[aria-pressed="true"]') ?? options?.querySelector("button"))?.focus();
}

function nextView() {
  const views = [...document.querySelectorAll("button[data-view]")].map((button) => button.dataset.view);
  view(views[(views.indexOf(document.getElementById("review").dataset.view) + 1) % views.length]);
}

// Arrows go from option to option.
function toOption(event) {
  const here = event.target.closest(".option");
  const ahead = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!here || !ahead || event.shiftKey) return false;
  const options = [...here.parentElement.querySelectorAll(".option")];
  options.at((options.indexOf(here) + ahead) % options.length).focus();
  event.preventDefault();
  return true;
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

// A part of the panel that is folded away, opened at a field.
function unfold(id) {
  const field = document.getElementById(id);
  if (!field) return;
  field.closest("details").open = true;
  field.focus();
}

function changeScope() {
  const scopes = [...document.querySelectorAll('#why input[name="scope"]')];
  const other = scopes.find((scope) => !scope.checked);
  if (other) other.checked = true;
}

function save() {
  const menu = document.querySelector("details.menu");
  menu.open = true;
  menu.querySelector("a").focus();
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
  i: changeScope,
  o: () => unfold("merge-with"),
  x: () => document.querySelector('#why button[data-kind="split"]:enabled')?.click(),
  t: () => unfold("set-type"),
  l: nextLeak,
  b: () => document.getElementById("bound").focus(),
  s: save,
  a: openAdder,
  c: comment,
  f: openFinder,
  v: nextView,
};

const TEXT = "input:not([type=range]):not([type=radio]), textarea, select";
const typing = (event) => event.target.matches(TEXT);

function escape(event) {
  if (event.key !== "Escape") return false;
  const menu = event.target.closest("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (typing(event)) event.target.blur();
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
    const place = document.activeElement.closest(".m");
    move(root(), isPaged() && place ? lineAt(Number(place.dataset.s.split("-")[0])) : place, event.key === "ArrowRight", true, "word");
    return true;
  }
  return toOption(event) || escape(event);
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
