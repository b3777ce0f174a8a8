// The keys of every page of a text: those that mean the same on each, and what comes before all.
import { openAdder } from "./adder.js";
import { CHOOSE, page } from "./chosen.js";
import { openFinder } from "./finder.js";
import { nextView, sheet } from "./frame.js";
import { listen, onChoice } from "./keyboard.js";
import { announce, say } from "./notice.js";
import { arrow } from "./selection.js";

// To the options, of which the one in force is the first.
export function toOptions() {
  const options = document.getElementById("options");
  if (!options) return say(CHOOSE);
  return (options.querySelector('[aria-pressed="true"]') ?? options.querySelector(".option"))?.focus();
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

// A part of the panel that may be folded away, opened at a field.
export function unfold(id) {
  const field = document.getElementById(id);
  if (!field) return say(CHOOSE);
  const details = field.closest("details");
  if (details) details.open = true;
  return field.focus();
}

// A choice in a select of the panel; the empty one is none.
export function onPanelChoice(take) {
  const hint = (isHeld) => say(isHeld ? "Enter applies it; Escape restores it." : "");
  onChoice("#why select", (select) => select.value && take(select), hint);
}

function changeScope() {
  const scopes = [...document.querySelectorAll('#why input[name="scope"]')];
  const other = scopes.find((scope) => !scope.checked);
  if (!other) return say(CHOOSE);
  other.click();
  return announce(other.value === "mention" ? "Your decision is about this mention only." : "Your decision is about all mentions.");
}

export const SAME = {
  "/": () => {
    sheet("list");
    document.getElementById("search").select();
  },
  "?": () => document.getElementById("help").showModal(),
  a: openAdder,
  f: openFinder,
  g: toOptions,
  i: changeScope,
  o: () => unfold("merge-with"),
  v: () => announce(`View: ${nextView()}.`),
};

const TEXT = "input:not([type=range]):not([type=radio]), textarea, select";
const typing = (event) => event.target.matches(TEXT);

// Enter confirms where it has no other meaning: on the page itself, on what is chosen, and in a list of doubts,
// whose button promises it.
function isAtHand(target) {
  return target.matches("body, main, #together [data-turn]") || (page.entity && target.matches(".m, .r, .entity") && target.dataset.e === page.entity);
}

function escape(event, leave) {
  if (event.key !== "Escape") return false;
  const menu = event.target.closest("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (typing(event)) event.target.blur();
  else leave();
  return true;
}

// `action` gives what a key does; `finish` is for Ctrl+Enter, `confirm` for Enter, `leave` for Escape.
export function startTextKeys({ action, finish, confirm, leave, isUnsaved, retry }) {
  function first(event) {
    if (isUnsaved()) {
      if (event.key === "r") retry();
      return true;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      // A key held down must not finish documents that were not seen.
      if (!event.repeat) finish(event.target);
      return true;
    }
    if (!typing(event) && arrow(event)) return true;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Enter" && isAtHand(event.target)) {
      event.preventDefault();
      if (!event.repeat) confirm();
      return true;
    }
    return toOption(event) || escape(event, leave);
  }
  function act(event) {
    const does = action(event.key);
    does?.();
    return does !== undefined;
  }
  listen({ first, typing, act });
}
