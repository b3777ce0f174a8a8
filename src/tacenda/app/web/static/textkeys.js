// The keys that mean the same on every page of a text.
import { openAdder } from "./adder.js";
import { CHOOSE } from "./chosen.js";
import { openFinder } from "./finder.js";
import { nextView, sheet } from "./frame.js";
import { announce, say } from "./notice.js";
import { arrow } from "./selection.js";

// To the options, of which the one in force is the first.
export function toOptions() {
  const options = document.getElementById("options");
  if (!options) return say(CHOOSE);
  return (options.querySelector('[aria-pressed="true"]') ?? options.querySelector("button"))?.focus();
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
export const typing = (event) => event.target.matches(TEXT);

// Keys that come after those of the page: words, options, and leaving what is chosen, whatever it is.
export function within(event, leave) {
  if (!typing(event) && arrow(event)) return true;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return toOption(event) || escape(event, leave);
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
