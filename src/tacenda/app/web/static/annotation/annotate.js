// The page of an annotator: what is chosen, what is said of it, what follows. The server renders.
import { selectedSpan, startAdder, take } from "../adder.js";
import { CHOOSE, mark, page, showScope } from "../chosen.js";
import { filter, startFilters } from "../filters.js";
import { startFinder } from "../finder.js";
import { focused, mentionAt, refocus } from "../focus.js";
import { rememberedView, sheet, view } from "../frame.js";
import { announce, say } from "../notice.js";
import { item, offerOthers } from "../queue.js";
import { onPanelChoice } from "../textkeys.js";
import { startKeys } from "./keys.js";
import { post, renew } from "./send.js";

const { base, next: following } = document.getElementById("review").dataset;
const figures = () => document.getElementById("figures").dataset;
const why = () => document.getElementById("why");

export const step = () => Number(figures().step);
export const isSubmitted = () => "submitted" in figures();
export const isReplacing = () => figures().flow === "replacement";

const pair = (place) => place.split("-").map(Number);
const words = (list) => list.split(" ").filter(Boolean);

// All mentions, in order of the text: place, places of the entity, whether a decision is open.
function mentions() {
  const all = [...document.querySelectorAll("#entities li")].flatMap(({ dataset }) => words(dataset.spans).map((place) => ({
    place, entity: dataset.e, all: words(dataset.spans), isOpen: words(dataset.open).includes(place),
  })));
  return all.sort((one, other) => pair(one.place)[0] - pair(other.place)[0]);
}

const mention = (place) => mentions().find((one) => one.place === place);
const element = () => document.querySelector(`#rows .m[role][data-s="${page.mention}"]`);

// The words of the mention, and what it is and what is said of it.
function label() {
  const points = [...(element()?.getAttribute("aria-label") ?? "")];
  const [start, end] = pair(page.mention);
  return [points.slice(0, end - start).join(""), points.slice(end - start + 2).join("")];
}

// The panel is of the step; what it says is about the mention.
function panel() {
  const [string, said] = page.mention ? label() : ["Nothing is selected.", ""];
  document.getElementById("chosen").textContent = string;
  document.getElementById("chosen-is").textContent = said;
  offerTexts();
  for (const button of why().querySelectorAll("[data-value]"))
    button.setAttribute("aria-pressed", String(element()?.classList.contains(button.dataset.value) ?? false));
  const others = document.getElementById("merge-with");
  if (others) offerOthers(others, page.entity);
  showScope();
}

// What may be written instead of the mention, from specific to general.
function offerTexts() {
  if (!isReplacing() || !document.getElementById("options")) return;
  const { choice, texts } = JSON.parse(item(page.entity)?.dataset.options ?? "{}")[page.mention] ?? { texts: [] };
  document.getElementById("options").replaceChildren(...texts.map((text, index) => {
    const button = document.createElement("button");
    const key = document.createElement("kbd");
    key.textContent = index + 1;
    button.append(`${text} `, key);
    Object.assign(button, { type: "button", className: "option" });
    Object.assign(button.dataset, { text, key: index + 1 });
    button.setAttribute("aria-pressed", String(text === choice));
    return button;
  }));
}

export function choose(place, isFocused = true) {
  page.entity = mention(place)?.entity ?? "";
  page.mention = page.entity ? place : "";
  page.isAlone = false;
  mark();
  panel();
  sheet(page.entity ? "why" : "closed");
  item(page.entity)?.scrollIntoView({ block: "nearest" });
  if (!isFocused) return;
  element()?.focus({ preventScroll: true });
  element()?.scrollIntoView({ block: "center" });
}

export const leave = () => choose("", false);

// The next mention in order of the text; where `isOpen`, the next undecided one.
export function next(direction, isOpen = false) {
  const items = mentions().filter((one) => !isOpen || one.isOpen);
  if (!items.length) return say(isOpen ? "Nothing is left to decide." : "Nothing is marked.");
  say("");
  const here = page.mention ? pair(page.mention)[0] : -1;
  const ahead = direction > 0 ? items.find((one) => pair(one.place)[0] > here)
    : items.findLast((one) => pair(one.place)[0] < here);
  return choose((ahead ?? items.at(direction > 0 ? 0 : -1)).place);
}

function showView() {
  view(figures().step === figures().steps ? "result" : rememberedView());
}

function show(fresh) {
  const places = focused();
  const entities = document.getElementById("entities").scrollTop;
  const before = step();
  const isSame = fresh.getElementById("why").dataset.state === why().dataset.state;
  renew(fresh, ["figures", "undo-redo", "task", "rows", "entities", ...(isSame ? [] : ["why"])]);
  document.getElementById("entities").scrollTop = entities;
  if (step() !== before) {
    showView();
    window.scrollTo(0, 0);
  }
  page.entity = mention(page.mention)?.entity ?? "";
  if (!page.entity) page.mention = "";
  mark();
  panel();
  filter();
  refocus(places);
}

const revision = () => Number(figures().revision);

export async function act(kind, places = [], value = "", everywhere = false) {
  const sent = { kind, value };
  if (places.length) sent.spans = places.map(pair);
  const isSaved = await post(`${base}/acts`, () => ({ revision: revision(), act: sent, everywhere }), show);
  if (isSaved && page.mention) announce(`${label().join(": ")}. ${document.getElementById("to-decide").textContent} to decide.`);
  return isSaved;
}

export const back = (name) => post(`${base}/${name}`, () => ({ revision: revision() }), show);

export function go(to) {
  if (!isSubmitted() && to >= 1 && to <= Number(figures().steps) && to !== step()) act("step", [], String(to));
}

// The mentions that a decision is about: the chosen one, or all of its entity.
function meant() {
  const one = mention(page.mention);
  if (one) return page.isAlone ? [one.place] : one.all;
  say(CHOOSE);
  return [];
}

async function onward(isSaved) {
  if (isSaved && mentions().some((one) => one.isOpen)) next(1, true);
}

export async function add(place, type) {
  const isInText = document.getElementById("rows").contains(document.activeElement);
  getSelection().removeAllRanges();
  if (await act("add", [place], type, !page.isAlone)) choose(place, isInText);
}

// A value of the step for what is selected, else for what is chosen.
export function give(value) {
  const selected = step() === 1 && selectedSpan();
  if (selected && !mention(selected)) return add(selected, value);
  if (selected) choose(selected, false);
  const places = meant();
  if (!places.length) return undefined;
  const kind = { 1: "type", 2: "identifier", 3: "status" }[step()];
  return act(kind, places, value).then((isSaved) => onward(isSaved && step() === 2));
}

// An option for all mentions that have it.
export function write(text) {
  const options = JSON.parse(item(page.entity)?.dataset.options ?? "{}");
  const places = meant().filter((place) => options[place].texts.includes(text));
  return places.length ? act("choose", places, text).then(onward) : undefined;
}

const tools = {
  bounds() {
    const [old, place] = [page.mention, selectedSpan()];
    if (!old || !place) return say("Choose a mention and select the words it should cover.");
    return act("bounds", [old, place]).then((isSaved) => {
      if (!isSaved) return;
      getSelection().removeAllRanges();
      choose(place);
    });
  },
  remove() {
    const places = meant();
    return places.length ? act("remove", places) : undefined;
  },
  split: () => (page.mention ? act("split", [page.mention]) : say(CHOOSE)),
};

// What the panel of this step has a button for.
export function use(tool) {
  const button = why().querySelector(`[data-tool="${tool}"]`);
  return button ? tools[tool]() : say("That belongs to another step: change steps with [ and ].");
}

export async function submit() {
  const button = document.querySelector("[data-submit]");
  if (isSubmitted()) return location.assign(following);
  if (!button) return say("The last step submits: change steps with [ and ].");
  if (button.disabled) return say("Some mentions are not decided: j goes to the next one.");
  if (await act("submit")) location.assign(following);
}

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  const part = on("#rows .m, #rows .r, .entity");
  if (part && getSelection().isCollapsed) {
    choose(part.dataset.s && mention(part.dataset.s) ? part.dataset.s : words(item(part.dataset.e).dataset.spans)[0], part.matches(".entity"));
    return;
  }
  const { value, text, tool, go: to, step: name, act: kind } = on("button")?.dataset ?? {};
  if (on("#why-close")) leave();
  else if (on("[data-submit]")) submit();
  else if (text) write(text);
  else if (value) give(value);
  else if (tool) use(tool);
  else if (to) go(Number(to));
  else if (name) back(name);
  else if (kind) act(kind);
});
document.addEventListener("change", ({ target }) => {
  if (target.name === "scope") page.isAlone = target.value === "mention";
});
onPanelChoice((select) => act("merge", [page.mention, select.value]));
// Pressing a button must not take away what is selected in the text.
document.addEventListener("mousedown", (event) => { if (event.target.closest("#why button")) event.preventDefault(); });

startFilters();
if (isReplacing()) startFinder();
else {
  startAdder(() => {
    const { place, type } = take();
    if (place) add(place, type.value);
  });
  startFinder((places, type) => {
    const free = places.filter((place) => !mention(place));
    return free.length ? act("add", free, type.value) : say("All these places are already marked.");
  });
}
startKeys();
showView();
panel();
