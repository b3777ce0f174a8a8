// The decisions of a project, by keyboard: one name at a time, or all that are ticked.
import { ask } from "./ask.js";
import { counted } from "./counted.js";
import { listen } from "./keyboard.js";
import { say } from "./notice.js";
import { saver } from "./saving.js";

const main = document.querySelector("main");
const { place } = main.dataset;
const saving = saver([main, document.querySelector(".bar")]);
const held = new Set(); // names that are decided here, and not yet in the list of the server
const all = () => [...document.querySelectorAll(".names > li")];
const names = () => all().filter((name) => !held.has(name.dataset.name));
const box = (name) => name.querySelector("input");
const ticked = () => names().filter((name) => box(name).checked);
let chosen = 0;
let waits = 0;
let isBack = false; // whether the last act was to take something back
let latest = null; // the lists as the server sent them last, if they are not shown

function choose(index) {
  const open = names();
  chosen = open.length ? (index + open.length) % open.length : 0;
  all().forEach((name) => name.classList.toggle("chosen", name === open[chosen]));
  open[chosen]?.focus({ preventScroll: true });
  open[chosen]?.scrollIntoView({ block: "nearest" });
}

const stay = () => choose(Math.min(chosen, Math.max(names().length - 1, 0)));

// How far a decision is: a name may stand in a thousand documents.
const progress = document.getElementById("progress");

async function watch() {
  if (!waits) return;
  const answer = await fetch(`${place}/progress`).catch(() => null);
  if (!waits) return;
  if (answer?.status === 200) {
    const { done, documents } = await answer.json();
    progress.hidden = waits === 0;
    progress.querySelector("progress").max = documents;
    progress.querySelector("progress").value = done;
    progress.querySelector("span").textContent = `${done} of ${counted(documents, "document")}`;
  }
  setTimeout(watch, 500);
}

function hold(items, isHeld = true) {
  for (const item of items) {
    if (isHeld) held.add(item);
    else held.delete(item);
  }
  for (const name of all()) {
    name.inert = held.has(name.dataset.name);
    name.classList.toggle("held", name.inert);
  }
}

// What the server sent is shown when nothing waits any more: who decides fast sees no list jump.
function show() {
  progress.hidden = true;
  hold([...held], false);
  if (latest) {
    const ticks = new Set(ticked().map((name) => name.dataset.name));
    const subject = names()[chosen]?.dataset.name;
    const before = new Set(all().map((name) => name.dataset.name));
    document.getElementById("decisions").replaceWith(latest);
    latest = null;
    htmx.process(document.getElementById("decisions"));
    for (const name of names()) box(name).checked = ticks.has(name.dataset.name);
    const index = names().findIndex(({ dataset: { name } }) => (isBack ? !before.has(name) : name === subject));
    if (index >= 0) chosen = index;
  }
  if (!saving.isUnsaved()) stay();
}

// Whether the server could not be reached.
async function attempt(path, values) {
  const answer = await ask(place + path, values).then(async (one) => ({ one, text: await one.text() })).catch(() => null);
  if (!answer) return true;
  const parts = document.createElement("template");
  parts.innerHTML = answer.text;
  const lists = parts.content.getElementById("decisions");
  if (lists) {
    latest = lists;
    say(lists.dataset.notice, "warning" in lists.dataset);
  } else say("The change was refused and not saved. Reload the page.", true);
  return false;
}

// One request after the other; `pathOf` is asked when its turn comes.
function send(pathOf, values = {}, items = []) {
  waits += 1;
  isBack = !items.length;
  if (waits === 1) setTimeout(watch, 500);
  hold(items);
  saving.save(async () => {
    const path = pathOf();
    return path !== null && attempt(path, values);
  }, () => hold(items, false), () => send(pathOf, values, items)).then(() => {
    waits -= 1;
    if (!waits) show();
  });
}

function decide(action, items) {
  if (!items.length) return;
  if (!action) {
    say("It stays readable: k keeps it in all documents, m masks it.", true);
    return;
  }
  const subjects = items.map((item) => item.dataset.name);
  send(() => "", { names: `[${subjects.join()}]`, action }, subjects);
  items.forEach((item) => { box(item).checked = false; });
  stay();
}

const subjects = () => (ticked().length ? ticked() : names().slice(chosen, chosen + 1));

// Right as proposed, or as masked: several at once only where that is the same for all.
function confirm() {
  const items = subjects();
  const actions = new Set(items.map((item) => item.dataset.confirm));
  decide(actions.size === 1 ? [...actions][0] : "", items);
}

// The person's last decision, of those that the server has by then.
function last() {
  const person = document.querySelector(".person span")?.textContent;
  const buttons = [...(latest ?? document).querySelectorAll("[data-undo]")];
  const own = buttons.find((button) => !person || button.closest("li").dataset.person === person);
  if (own) return `/${own.dataset.undo}/undo`;
  say("You have nothing to take back.");
  return null;
}

const KEYS = {
  j: () => choose(chosen + 1),
  J: () => choose(chosen - 1),
  ArrowDown: () => choose(chosen + 1),
  ArrowUp: () => choose(chosen - 1),
  m: () => decide("mask", subjects()),
  k: () => decide("keep", subjects()),
  g: () => decide("generalise", subjects()),
  x: () => {
    const name = names()[chosen];
    if (name) box(name).checked = !box(name).checked;
    choose(chosen + 1);
  },
  u: () => send(last),
};

listen({
  first(event) {
    if (saving.isUnsaved()) {
      if (event.key === "r") saving.retry();
      return true;
    }
    if (event.key !== "Enter" || !(event.target === document.body || event.target.matches(".names > li"))) return false;
    event.preventDefault();
    confirm();
    return true;
  },
  typing: () => false,
  act(event) {
    KEYS[event.key]?.();
    return event.key in KEYS;
  },
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const name = event.target.closest(".names > li");
  if (name) choose(names().indexOf(name));
  if (button?.dataset.action) decide(button.dataset.action, [name]);
  if (button?.dataset.undo) send(() => `/${button.dataset.undo}/undo`);
});

// The lists come later where documents have to be read first.
document.addEventListener("htmx:afterSwap", () => choose(0));
choose(0);
