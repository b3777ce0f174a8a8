// The keyboard: everything that the mouse can do.
import { isUnsaved, retry, step } from "./changes.js";
import { CHOOSE } from "./chosen.js";
import { sheet } from "./frame.js";
import { nextLeak } from "./leaks.js";
import { say } from "./notice.js";
import { advance, confirm, decide, finish, keepComment, leave, list, next } from "./review.js";
import { SAME, startTextKeys, unfold } from "./textkeys.js";
import { turn } from "./together.js";

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

function part() {
  const button = document.querySelector('#why button[data-kind="split"]');
  if (!button) return say(CHOOSE);
  return button.disabled ? say("It occurs only once here; there is nothing to split.") : button.click();
}

function save() {
  const menu = document.querySelector("details.menu");
  document.getElementById("bar-toggle").setAttribute("aria-expanded", "true");
  menu.open = true;
  menu.querySelector("a").focus();
}

const KEYS = {
  ...SAME,
  j: () => advance(1),
  J: () => advance(-1),
  n: () => next(1),
  p: () => next(-1),
  m: () => decide("mask"),
  k: () => decide("keep"),
  w: write,
  M: () => list("mask"),
  K: () => list("keep"),
  u: () => step("undo"),
  U: () => step("redo"),
  x: part,
  t: () => unfold("set-type"),
  l: nextLeak,
  b: () => {
    sheet("list");
    document.getElementById("bound").focus();
  },
  s: save,
  c: comment,
};

export function startKeys() {
  const finishes = (target) => (target.id === "note" ? keepComment() : finish());
  const digit = (key) => (/^[1-9]$/.test(key) ? () => turn(key) : undefined);
  startTextKeys({ action: (key) => KEYS[key] ?? digit(key), finish: finishes, confirm, leave, isUnsaved, retry });
}
