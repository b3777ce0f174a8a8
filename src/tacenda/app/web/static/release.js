// The release page: parts of files are decided one after the other; only what changed comes back.
import { ask } from "./ask.js";
import { startBoxes } from "./boxes.js";
import { listen } from "./keyboard.js";

const main = document.querySelector("main");
const { place } = main.dataset;
const parts = () => [...document.querySelectorAll(".part")];
const isOpen = (part) => part.dataset.decided === "0";
const openParts = () => Number(document.getElementById("checks").dataset.open);
let isBusy = false;

function warn(text) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  notice.className = text ? "warning" : "";
}

function announce(sentence) {
  document.getElementById("announcement").textContent = sentence;
}

function begin() {
  for (const canvas of document.querySelectorAll(".canvas:not([data-started])")) {
    canvas.dataset.started = "";
    startBoxes(canvas);
  }
  // When nothing on this page is to be decided, but something on another.
  const more = document.getElementById("more");
  if (more) more.hidden = parts().some(isOpen) || !openParts();
}

function go(part) {
  part.scrollIntoView({ block: "start" });
  part.focus({ preventScroll: true });
}

// The next undecided part, after a place on the page and then from its beginning.
function next(from, direction = 1) {
  const all = parts();
  const here = all.indexOf(from);
  const ahead = direction > 0 ? [...all.slice(here + 1), ...all.slice(0, here + 1)]
    : [...all.slice(0, Math.max(0, here)).reverse(), ...all.slice(Math.max(0, here)).reverse()];
  const part = ahead.find((other) => other !== from && isOpen(other));
  if (part) return go(part);
  const more = document.querySelector("#more:not([hidden]) button");
  const release = document.querySelector("#release-button:enabled");
  return (more ?? release ?? document.getElementById("checks-heading")).focus();
}

async function decide(part, treatment) {
  const button = part.querySelector(`[data-treatment="${treatment}"]`);
  if (isBusy) return;
  if (!button) {
    warn(`This can't be decided so; choose one of its buttons: ${[...part.querySelectorAll("[data-treatment]")].map((one) => one.textContent).join(", ")}.`);
    return;
  }
  isBusy = true;
  const boxes = (treatment === "keep" && part.querySelector(".canvas")?.dataset.boxes) || "[]";
  const answer = await ask(part.dataset.place, { revision: part.dataset.revision, treatment, boxes }).catch(() => null);
  isBusy = false;
  if (!answer) return lost();
  const text = await answer.text();
  if (answer.ok) return decided(part, text);
  if (answer.status !== 409 && answer.status !== 422) return refused();
  if (answer.status === 409) await refresh(location.href);
  return warn(text);
}

const lost = () => warn("The program does not answer. What you did last is not saved; start it again and load this page.");
const refused = () => warn("The change failed and was not saved. Reload the page.");

function decided(part, html) {
  const { content } = parsed(html);
  const fresh = content.querySelector(".part");
  part.replaceWith(fresh);
  document.getElementById("checks").replaceWith(content.getElementById("checks"));
  // The change was made for the revision that the other parts of the document show.
  for (const other of parts()) {
    if (other.dataset.document === fresh.dataset.document) other.dataset.revision = fresh.dataset.revision;
  }
  warn("");
  begin();
  announce(`${fresh.getAttribute("aria-labelledby").split(" ").map((id) => document.getElementById(id).textContent).join(": ")}. ${left()}`);
  next(fresh);
  watch();
}

function left() {
  const count = openParts();
  if (count) return `${count} to decide.`;
  return document.querySelector("#release-button:enabled") ? "All is settled; it can be released." : "Every picture, comment and hidden part is decided.";
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template;
}

// The checklist and the parts as they stand now. Boxes that were drawn and not sent stay.
async function refresh(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok || answer.redirected) return answer ? refused() : lost();
  const { content } = parsed(await answer.text());
  const drawn = new Map(parts().filter(isOpen).map((part) => [part.dataset.part, part.querySelector(".canvas")?.dataset.boxes]));
  for (const id of ["checks", "parts"]) document.getElementById(id).replaceWith(content.getElementById(id));
  for (const part of parts()) {
    const canvas = part.querySelector(".canvas");
    const boxes = drawn.get(part.dataset.part);
    if (canvas && boxes && boxes !== "[]") canvas.dataset.boxes = boxes;
  }
  return begin();
}

// Files that were changed have to be looked at first: the page shows how far that is.
async function watch() {
  while (document.getElementById("reading")) await refresh(location.href);
}

// Words read in a picture are plain text, never markup.
async function read(part) {
  const words = part.querySelector(".words");
  const answer = await fetch(`${part.dataset.place}/words`).catch(() => null);
  words.textContent = answer?.ok ? await answer.text() : "The picture can't be read now; check it yourself.";
  words.hidden = false;
  announce(`In the picture: ${words.textContent}`);
}

async function release() {
  if (isBusy) return;
  isBusy = true;
  const answer = await ask(place, {}).catch(() => null);
  isBusy = false;
  if (answer?.ok) location.reload();
  else if (!answer) lost();
  else if (answer.status === 409 || answer.status === 422) warn(await answer.text());
  else refused();
}

async function more() {
  history.replaceState(null, "", place);
  await refresh(place);
  next(null);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const part = event.target.closest(".part");
  if (button?.id === "release-button") release();
  else if (button?.closest("#more")) more();
  else if (button?.dataset.treatment) decide(part, button.dataset.treatment);
  else if (button && "words" in button.dataset) read(part);
});

const here = () => document.activeElement.closest(".part");

function act(treatment) {
  const part = here();
  if (part) decide(part, treatment);
  else warn("Choose a part first: j leads to the next one to decide.");
}

const KEYS = {
  j: () => next(here()),
  J: () => next(here(), -1),
  k: () => act("keep"),
  b: () => act("blank"),
  r: () => act("remove"),
};

listen({
  // A key that is held down decides nothing that was not seen.
  first(event) {
    if (event.defaultPrevented) return true;
    if (event.repeat && event.key !== "j" && event.key !== "J") return true;
    if (event.key !== "Enter" || !event.target.matches(".part")) return false;
    event.preventDefault();
    decide(event.target, "keep");
    return true;
  },
  typing: () => false,
  act(event) {
    KEYS[event.key]?.();
    return event.key in KEYS;
  },
});

begin();
watch();
