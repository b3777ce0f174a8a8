// Several small doubts asked as one question: a list in the panel, of which single ones are chosen by digits.
import { mark, page } from "./chosen.js";
import { item, labelOf } from "./queue.js";
import { partsOf } from "./rows.js";

const AROUND = 24;
const panel = document.getElementById("together");
let others = new Set(); // those for which the opposite is decided

const verdictOf = (entity) => item(entity).dataset.verdict;
const isKept = (entity) => (verdictOf(entity) === "kept") !== others.has(entity);

// The first mention of an entity with a few words of the original around it.
function inContext(entity) {
  const part = partsOf(entity).find((one) => one.matches(".original .m"));
  if (!part) return [labelOf(item(entity))];
  const row = part.closest(".original");
  const text = row.textContent;
  const first = Number(part.dataset.s.split("-")[0]) - Number(row.dataset.start);
  const label = part.textContent;
  const strong = document.createElement("strong");
  strong.textContent = label;
  const found = text.indexOf(label, Math.max(0, first));
  const before = text.slice(Math.max(0, found - AROUND), found);
  const after = text.slice(found + label.length, found + label.length + AROUND);
  return [found > AROUND ? "…" : "", before, strong, after, found + label.length + AROUND < text.length ? "…" : ""];
}

function line(entity, number) {
  const entry = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.turn = entity;
  button.title = "Decide the opposite for this one";
  button.setAttribute("aria-pressed", String(others.has(entity)));
  const key = document.createElement("kbd");
  key.textContent = number + 1;
  const state = document.createElement("span");
  state.className = `outcome ${isKept(entity) ? "kept" : "masked"}`;
  state.textContent = isKept(entity) ? "keep" : "mask";
  button.append(key, " ", state);
  const place = document.createElement("button");
  place.type = "button";
  place.className = "entity-of";
  place.dataset.goto = entity;
  place.title = "Decide this one separately";
  place.append(...inContext(entity));
  entry.append(button, place);
  return entry;
}

function draw() {
  panel.hidden = page.together.length < 2;
  if (panel.hidden) return;
  const types = new Set(page.together.map((entity) => item(entity).dataset.type));
  const type = document.querySelector(`#filter-type option[value="${[...types][0]}"]`).text.split(" (")[0];
  const state = verdictOf(page.together[0]) === "kept" ? "kept" : "masked";
  panel.querySelector("h2").textContent = `${page.together.length} × ${types.size > 1 ? "next to each other" : type}, ${state}`;
  document.getElementById("together-why").textContent = types.size > 1
    ? "These words stand next to each other and are probably parts of one thing, such as a street and its town."
    : "Similar small doubts, wherever they stand.";
  panel.querySelector("ol").replaceChildren(...page.together.map(line));
}

export const isTogether = () => page.together.length > 1;

// Asks about several entities, or about none.
export function askTogether(entities) {
  page.together = entities.length > 1 ? entities : [];
  others = new Set();
  draw();
  if (page.entity) mark();
}

// The opposite for one of them, by its number from 1 or its name; whether there is such a one.
export function turn(one) {
  const entity = page.together[Number(one) - 1] ?? one;
  if (!page.together.includes(entity)) return false;
  // The focus stays where it is: there, too, Enter confirms the list; the space bar turns this one again.
  const hasFocus = panel.contains(document.activeElement);
  if (!others.delete(entity)) others.add(entity);
  draw();
  if (hasFocus) panel.querySelector(`[data-turn="${entity}"]`).focus({ preventScroll: true });
  return true;
}

// What is decided for each: a value for all of them, or what the list shows.
export function decisionsTogether(value = "") {
  const decided = new Map();
  for (const entity of page.together) {
    const asItIs = { kept: "keep", generalised: "generalise" }[verdictOf(entity)] ?? "mask";
    const own = others.has(entity) ? (isKept(entity) ? "keep" : "mask") : asItIs;
    const taken = value || own;
    decided.set(taken, [...(decided.get(taken) ?? []), entity]);
  }
  return decided;
}
