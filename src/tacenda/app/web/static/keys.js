// The keyboard: everything that the mouse can do.
import { list, openAdder } from "./adder.js";
import { openFinder } from "./finder.js";
import { listen } from "./keyboard.js";
import { nextLeak } from "./leaks.js";
import { announce, say } from "./notice.js";
import { root } from "./pages.js";
import { placer } from "./places.js";
import { advance, CHOOSE, confirm, decide, finish, keepComment, leave, next, page, sheet, view } from "./review.js";
import { isUnsaved, retry, step } from "./changes.js";
import { move } from "./selection.js";

function generalise() {
  const options = document.getElementById("options");
  if (!options) return say(CHOOSE);
  return (options.querySelector('[aria-pressed="true"]') ?? options.querySelector("button"))?.focus();
}

function nextView() {
  const views = [...document.querySelectorAll("button[data-view]")].map((button) => button.dataset.view);
  const name = views[(views.indexOf(document.getElementById("review").dataset.view) + 1) % views.length];
  view(name);
  announce(`View: ${document.querySelector(`button[data-view="${name}"]`).textContent}.`);
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
  if (!words) return say(CHOOSE);
  words.focus();
  return words.select();
}

function comment() {
  const details = document.getElementById("comment");
  if (!details) return say(CHOOSE);
  details.open = true;
  return document.getElementById("note").focus();
}

// A part of the panel that is folded away, opened at a field.
function unfold(id) {
  const field = document.getElementById(id);
  if (!field) return say(CHOOSE);
  field.closest("details").open = true;
  return field.focus();
}

function changeScope() {
  const scopes = [...document.querySelectorAll('#why input[name="scope"]')];
  const other = scopes.find((scope) => !scope.checked);
  if (!other) return say(CHOOSE);
  other.click();
  return announce(other.value === "mention" ? "Your decision is about this mention only." : "Your decision is about all mentions.");
}

function part() {
  const button = document.querySelector('#why button[data-kind="split"]');
  if (!button) return say(CHOOSE);
  return button.disabled ? say("It stands here once only; there is nothing to part it from.") : button.click();
}

// Words are selected from the mention that has the focus on; with Ctrl, the mention is among them.
function selectWords(event) {
  const forward = event.key === "ArrowRight";
  const selection = getSelection();
  const mention = document.activeElement.closest(".m")?.dataset.s;
  if (mention && (selection.isCollapsed || !root().contains(selection.focusNode))) {
    const [start, end] = mention.split("-").map(Number);
    const ranges = placer()(start, end);
    if (ranges.length) {
      const [first, last] = [ranges[0], ranges.at(-1)];
      const edges = [[first.startContainer, first.startOffset], [last.endContainer, last.endOffset]];
      const [anchor, focus] = forward ? edges : edges.reverse();
      selection.setBaseAndExtent(...(event.ctrlKey ? anchor : focus), ...focus);
    }
  }
  move(root(), null, forward, true, "word");
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
    sheet("list");
    document.getElementById("search").select();
  },
  "?": () => document.getElementById("help").showModal(),
  i: changeScope,
  o: () => unfold("merge-with"),
  x: part,
  t: () => unfold("set-type"),
  l: nextLeak,
  b: () => {
    sheet("list");
    document.getElementById("bound").focus();
  },
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
  if (event.shiftKey && !event.metaKey && !event.altKey && ["ArrowLeft", "ArrowRight"].includes(event.key) && !typing(event)) {
    event.preventDefault();
    selectWords(event);
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Enter" && isAtHand(event.target)) {
    event.preventDefault();
    confirm();
    return true;
  }
  return toOption(event) || escape(event);
}

// Enter confirms where it has no other meaning: on the page itself, and on what is chosen.
function isAtHand(target) {
  return target.matches("body, main") || (page.entity && target.matches(".m, .r, .entity") && target.dataset.e === page.entity);
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
