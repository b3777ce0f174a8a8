// The list of entities: which of them need a person, and in which order.
import { places } from "./rows.js";

const start = (entity) => Number(entity.split("-")[0]);
const entries = () => document.querySelectorAll("#entities li[data-e]");

export const item = (entity) => document.getElementById(`entity-${entity}`);

export const labelOf = (entry) => entry.querySelector(".label").lastChild.textContent.trim();

const pairs = (spans) => spans.split(" ").map((span) => span.split("-").map(Number));

// The type that is known of what stands at some places: of most mentions there, also of parts of them.
export function typeAt(places) {
  const counts = new Map();
  for (const { dataset: { spans, type } } of entries()) {
    const count = pairs(spans).filter(([from, to]) => places.some(({ start, end }) => start < to && from < end)).length;
    if (count) counts.set(type, (counts.get(type) ?? 0) + count);
  }
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}

// The entities that this one may be one with are in the list already; those of its type come first.
export function offerOthers(select, entity) {
  const type = item(entity)?.dataset.type;
  const same = document.createElement("optgroup");
  const others = document.createElement("optgroup");
  same.label = document.querySelector(`#filter-type option[value="${type}"]`)?.text ?? "";
  others.label = "of another type";
  for (const entry of entries()) {
    if (entry.dataset.e === entity) continue;
    (entry.dataset.type === type ? same : others).append(new Option(labelOf(entry), entry.dataset.e));
  }
  select.replaceChildren(select.options[0], ...[same, others].filter((group) => group.children.length));
}

// Small doubts of a kind are one question, of so few that a small window shows all of them.
export const MOST_TOGETHER = 6;
const worth = (members) => members.reduce((sum, entry) => sum + Number(entry.dataset.doubt), 0);

// The questions to a person, each as its entities in order of the text; by uncertainty and reach.
export function questions() {
  const groups = new Map();
  for (const entry of entries()) {
    const { question, doubt } = entry.dataset;
    if (!(Number(doubt) > 0)) continue;
    if (!groups.has(question)) groups.set(question, []);
    groups.get(question).push(entry);
  }
  const parts = [];
  for (const members of groups.values()) {
    members.sort((one, other) => start(one.dataset.e) - start(other.dataset.e));
    for (let place = 0; place < members.length; place += MOST_TOGETHER) parts.push(members.slice(place, place + MOST_TOGETHER));
  }
  return parts.map((members) => ({ members, worth: worth(members) }))
    .sort((one, other) => other.worth - one.worth || start(one.members[0].dataset.e) - start(other.members[0].dataset.e))
    .map(({ members }) => members.map((entry) => entry.dataset.e));
}

// The undecided entities shown, in order of the page.
export function undecided() {
  const order = places();
  return [...entries()].filter((entry) => entry.dataset.hand === "0" && !entry.hidden)
    .map((entry) => entry.dataset.e).sort((one, other) => order.get(one) - order.get(other));
}

export function after(entity, entities, direction) {
  const order = places();
  const here = order.get(entity) ?? -1;
  const ahead = direction > 0 ? entities.find((other) => order.get(other) > here)
    : entities.findLast((other) => order.get(other) < here);
  return ahead ?? entities.at(direction > 0 ? 0 : -1);
}

// Refreshed entries take the place of the old ones; each belongs to the group of its decision.
export function regroup() {
  for (const group of document.querySelectorAll("#entities ul")) {
    const right = group.dataset.group === "kept" ? "masked" : "kept";
    const strangers = [...group.children].filter((entry) => (entry.dataset.verdict === "kept") === (right === "kept"));
    if (strangers.length) merge(document.querySelector(`#entities ul[data-group="${right}"]`), strangers);
  }
}

const danger = (entry) => Number(entry.dataset.danger);

// Puts entries into a group, the most dangerous first.
function merge(group, entries) {
  let below = group.firstElementChild;
  for (const entry of entries.sort((one, other) => danger(other) - danger(one))) {
    while (below && danger(below) >= danger(entry)) below = below.nextElementSibling;
    group.insertBefore(entry, below);
  }
}
