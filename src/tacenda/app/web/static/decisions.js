// The decisions of a project, by keyboard: one name at a time, or all that are ticked.
import { ask } from "./ask.js";
import { listen } from "./keyboard.js";

const main = document.querySelector("main");
const { place } = main.dataset;
const names = () => [...document.querySelectorAll(".names > li")];
const ticked = () => names().filter((name) => name.querySelector("input").checked);
let chosen = 0;
let pending = Promise.resolve();
let waits = 0;

function choose(index) {
  const all = names();
  if (!all.length) return;
  chosen = (index + all.length) % all.length;
  all.forEach((name, number) => name.classList.toggle("chosen", number === chosen));
  all[chosen].focus({ preventScroll: true });
  all[chosen].scrollIntoView({ block: "nearest" });
}

function say(text, warning = false) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  notice.classList.toggle("warning", warning);
}

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
    progress.querySelector("span").textContent = `${done} of ${documents} documents`;
  }
  setTimeout(watch, 500);
}

// One request after the other; nothing is decided while the list is not that of the server.
function send(path, values) {
  waits += 1;
  main.inert = true;
  setTimeout(watch, 500);
  pending = pending.then(async () => {
    const answer = await ask(place + path, values).catch(() => null);
    if (answer && (answer.ok || answer.status === 422)) {
      document.getElementById("decisions").outerHTML = await answer.text();
    } else {
      say("That is not saved: the program does not answer, or refused it. Load the page again.", true);
    }
  }).finally(() => {
    waits -= 1;
    main.inert = waits > 0;
    progress.hidden = true;
    choose(Math.min(chosen, names().length - 1));
  });
  return pending;
}

function decide(action, items) {
  if (waits || !items.length) return;
  if (!action) {
    say("It stays in some places only: m masks all, k keeps all.", true);
    return;
  }
  const sent = items.map((item) => JSON.parse(item.dataset.name));
  send("", { names: JSON.stringify(sent), action });
}

const subjects = () => (ticked().length ? ticked() : names().slice(chosen, chosen + 1));

// Right as it is: several at once only where they are all the same now.
function confirm() {
  const items = subjects();
  const actions = new Set(items.map((item) => item.dataset.confirm));
  decide(actions.size === 1 ? [...actions][0] : "", items);
}

function undo() {
  if (waits) return;
  const person = document.querySelector(".person span")?.textContent;
  const buttons = [...document.querySelectorAll("[data-undo]")];
  const own = buttons.find((button) => !person || button.closest("li").dataset.person === person);
  if (own) send(`/${own.dataset.undo}/undo`, {});
  else say("There is nothing of yours to take back.");
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
    const box = names()[chosen]?.querySelector("input");
    if (box) box.checked = !box.checked;
    choose(chosen + 1);
  },
  u: undo,
};

listen({
  first(event) {
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
  if (button?.dataset.undo) send(`/${button.dataset.undo}/undo`, {});
});

// The lists come later where documents have to be read first.
document.addEventListener("htmx:afterSwap", () => choose(0));
choose(0);
