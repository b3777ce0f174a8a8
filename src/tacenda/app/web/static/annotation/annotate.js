// The page of a document: what is chosen, what is sent, what follows. The server renders.
import { say } from "../notice.js";
import { startKeys } from "./keys.js";
import { post } from "./send.js";
import { forget, selected } from "./text.js";

const state = { current: "", picked: new Set() };

export const work = () => document.getElementById("work");
export const step = () => Number(work().dataset.step);
export const replacing = () => work().dataset.flow === "replacement";
const checked = (id) => document.getElementById(id)?.checked ?? false;
const pair = (place) => place.split("-").map(Number);
const words = (list) => (list ? list.split(" ") : []);

// All mentions, in order of the text: place, entity's places, whether a decision is open.
function mentions() {
  const found = replacing()
    ? [...document.querySelectorAll("select[data-span]")].map((select) => ({
        place: select.dataset.span,
        all: [...document.querySelectorAll(`select[data-e="${select.dataset.e}"]`)].map((other) => other.dataset.span),
        open: !select.value,
      }))
    : [...document.querySelectorAll("[data-spans]")].flatMap((entry) => words(entry.dataset.spans).map((place) => ({
        place, all: words(entry.dataset.spans), open: words(entry.dataset.open).includes(place),
      })));
  return found.sort((one, other) => pair(one.place)[0] - pair(other.place)[0]);
}

const mention = (place) => mentions().find((item) => item.place === place);

function mark() {
  const all = mention(state.current)?.all ?? [];
  for (const piece of document.querySelectorAll("#text .m")) {
    piece.classList.toggle("chosen", piece.dataset.s === state.current);
    piece.classList.toggle("companion", piece.dataset.s !== state.current && all.includes(piece.dataset.s));
    piece.classList.toggle("picked", state.picked.has(piece.dataset.s));
    if (piece.id) piece.tabIndex = piece.dataset.s === state.current ? 0 : -1;
  }
  for (const entry of document.querySelectorAll("[data-spans]"))
    entry.classList.toggle("chosen", words(entry.dataset.spans).includes(state.current));
  for (const select of document.querySelectorAll("select[data-span]"))
    select.closest("li").classList.toggle("chosen", select.dataset.span === state.current);
  const label = document.getElementById(`m-${state.current}`)?.getAttribute("aria-label");
  const chosen = document.getElementById("chosen");
  if (chosen) chosen.textContent = label ?? "Nothing is chosen.";
  options();
  const picked = document.getElementById("picked");
  if (picked) picked.textContent = state.picked.size ? `${state.picked.size} picked.` : "";
}

// The options of the chosen span as buttons, so that they are at hand wherever the list is.
function options() {
  const box = document.getElementById("options");
  const select = document.querySelector(`select[data-span="${state.current}"]`);
  box?.replaceChildren(...[...(select?.options ?? [])].slice(1).map((option, index) => {
    const button = document.createElement("button");
    const key = document.createElement("kbd");
    key.textContent = index + 1;
    button.append(key, ` ${option.value}`);
    button.type = "button";
    button.className = "choice";
    button.dataset.option = index + 1;
    button.setAttribute("aria-pressed", String(option.value === select.value));
    return button;
  }));
}

export function choose(place, focus = true) {
  state.current = mention(place) ? place : "";
  mark();
  const element = document.getElementById(`m-${state.current}`);
  if (focus) {
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "center" });
  }
  // Where the list scrolls with the page, the text has precedence.
  const aside = document.querySelector("aside");
  if (getComputedStyle(aside).overflowY === "auto") aside.querySelector(".list .chosen")?.scrollIntoView({ block: "nearest" });
}

export function next(direction, open) {
  const items = mentions().filter((item) => !open || item.open);
  if (!items.length) return say(open ? "Nothing is left to decide." : "Nothing is marked.");
  const here = state.current ? pair(state.current)[0] : -1;
  const ahead = direction > 0 ? items.find((item) => pair(item.place)[0] > here)
    : items.findLast((item) => pair(item.place)[0] < here);
  return choose((ahead ?? items.at(direction > 0 ? 0 : -1)).place);
}

// How to find the focused control again after the page was rendered anew.
function handle(element) {
  if (!element || !work().contains(element)) return "";
  if (element.id) return `#${CSS.escape(element.id)}`;
  for (const name of ["option", "list", "value", "tool", "go", "post", "span"])
    if (element.dataset[name] !== undefined) return `[data-${name}="${CSS.escape(element.dataset[name])}"]`;
  return "";
}

function show(fresh) {
  const place = handle(document.activeElement);
  const boxes = Object.fromEntries(["everywhere", "whole"].map((id) => [id, document.getElementById(id)?.checked]));
  const scrolled = document.querySelector("aside").scrollTop;
  const moved = fresh.dataset.step !== work().dataset.step;
  work().replaceWith(fresh);
  for (const [id, value] of Object.entries(boxes)) {
    const box = document.getElementById(id);
    if (box && value !== undefined) box.checked = value;
  }
  document.querySelector("aside").scrollTop = moved ? 0 : scrolled;
  if (moved) { state.picked.clear(); window.scrollTo(0, 0); }
  for (const picked of state.picked) if (!mention(picked)) state.picked.delete(picked);
  if (!mention(state.current)) state.current = "";
  mark();
  const again = (place && document.querySelector(place)) || document.getElementById(`m-${state.current}`);
  (again?.disabled ? document.getElementById("text") : again)?.focus({ preventScroll: true });
}

const base = () => `${work().dataset.base}/documents/${work().dataset.document}`;
const revision = () => Number(work().dataset.revision);

export function act(kind, places = [], value = "", everywhere = false) {
  const sent = { kind, value };
  if (places.length) sent.spans = places.map(pair);
  return post(`${base()}/acts`, () => ({ revision: revision(), act: sent, everywhere }), show);
}

export const back = (name) => post(`${base()}/${name}`, () => ({ revision: revision() }), show);

export function go(to) {
  if (to >= 1 && to <= Number(work().dataset.steps) && to !== step()) return act("step", [], String(to));
  return undefined;
}

// The mentions that a decision is about: the chosen one, or all of its entity.
function meant(box) {
  const item = mention(state.current);
  if (!item) { say("Choose a mention first: click it, or press n."); return []; }
  return checked(box) ? item.all : [item.place];
}

export async function give(value) {
  if (step() === 1) {
    const place = selected();
    if (!place || mention(place)) {
      if (place) state.current = place;
      const places = meant("everywhere");
      return places.length ? act("type", places, value) : undefined;
    }
    if (!await act("add", [place], value, checked("everywhere"))) return undefined;
    forget();
    return choose(place, document.getElementById("text").contains(document.activeElement));
  }
  const places = meant("whole");
  if (!places.length) return undefined;
  const saved = await act(step() === 2 ? "identifier" : "status", places, value);
  if (saved && step() === 2 && mentions().some((item) => item.open)) next(1, true);
  return undefined;
}

export async function replace(place, value, onward) {
  const all = checked("whole") ? mention(place).all : [place];
  const has = (span) => [...document.querySelector(`select[data-span="${span}"]`).options].some((option) => option.value === value);
  const saved = await act("choose", all.filter(has), value);
  if (saved && onward && mentions().some((item) => item.open)) next(1, true);
}

export function replaceByNumber(number) {
  const select = document.querySelector(`select[data-span="${state.current}"]`);
  if (!select) return say("Choose a span first: click it, or press n.");
  const option = select.options[number];
  return option ? replace(state.current, option.value, true) : undefined;
}

export const tools = {
  bounds() {
    const place = selected();
    if (!state.current || !place) return say("Choose a mention and select the words it should cover.");
    const old = state.current;
    return act("bounds", [old, place]).then((saved) => { if (saved) { forget(); choose(place); } });
  },
  remove() {
    const places = meant("everywhere");
    return places.length ? act("remove", places) : undefined;
  },
  pick() {
    if (!state.current) return say("Choose a mention first: click it, or press n.");
    if (!state.picked.delete(state.current)) state.picked.add(state.current);
    return mark();
  },
  link() {
    const places = new Set([...state.picked, ...(state.current ? [state.current] : [])]);
    if (places.size < 2) return say("Pick two mentions or more with x.");
    return act("link", [...places]).then((saved) => { if (saved) { state.picked.clear(); mark(); } });
  },
  split() {
    return state.current ? act("split", [state.current]) : say("Choose a mention first: click it, or press n.");
  },
};

export async function submit() {
  const button = document.querySelector("[data-submit]");
  if (!button || button.disabled) return;
  if (await act("submit")) location.assign(`${work().dataset.base}/next?after=${work().dataset.document}`);
}

export const editable = () => work().dataset.submitted === undefined;

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  const piece = on("#text .m");
  if (piece && document.getSelection().isCollapsed) choose(piece.dataset.s, false);
  else if (on("[data-list]")) { choose(on("[data-list]").dataset.list, false); document.getElementById(`m-${state.current}`)?.scrollIntoView({ block: "center" }); }
  else if (on("[data-value]")) give(on("[data-value]").dataset.value);
  else if (on("[data-option]")) replaceByNumber(Number(on("[data-option]").dataset.option));
  else if (on("[data-tool]")) tools[on("[data-tool]").dataset.tool]();
  else if (on("[data-go]")) go(Number(on("[data-go]").dataset.go));
  else if (on("[data-post]")) back(on("[data-post]").dataset.post);
  else if (on("[data-act]")) act(on("[data-act]").dataset.act);
  else if (on("[data-submit]")) submit();
  else if (on("[data-help]")) document.getElementById("help").showModal();
});
document.addEventListener("change", (event) => {
  const select = event.target.closest("select[data-span]");
  if (select) { state.current = select.dataset.span; replace(select.dataset.span, select.value, false); }
});
document.addEventListener("focusin", (event) => {
  const select = event.target.closest("select[data-span]");
  if (select && state.current !== select.dataset.span) {
    state.current = select.dataset.span;
    mark();
    document.getElementById(`m-${state.current}`)?.scrollIntoView({ block: "center" });
  }
});
// Pressing a button must not take away what is selected in the text.
document.addEventListener("mousedown", (event) => { if (event.target.closest(".palette button")) event.preventDefault(); });
startKeys();
mark();
