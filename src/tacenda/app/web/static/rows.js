// The rows of both texts: their elements by entity, and what an answer changes of them.
//
// A step of an answer is [side, places, face], see `delta.py`; an element is made as `rows.py` makes it.
// Offsets are code points, as everywhere in the program.
const rows = () => document.getElementById("rows");

let known = null;

// What is remembered of the page holds until the rows or the pages change.
function index() {
  if (known?.rows === rows()) return known;
  const [entities, order] = [new Map(), new Map()];
  for (const part of document.querySelectorAll("#rows [data-e], #pages [data-e]")) {
    const entity = part.dataset.e;
    if (!entities.has(entity)) entities.set(entity, []);
    entities.get(entity).push(part);
    if (!order.has(entity) && part.matches(".m")) order.set(entity, order.size);
  }
  known = { rows: rows(), entities, order };
  return known;
}

export function forget() {
  known = null;
}

// The elements of an entity in the texts and on the pages.
export const partsOf = (entity) => index().entities.get(entity) ?? [];

// The place of each entity on the page: notes are among the paragraphs with their marks.
export const places = () => index().order;

const span = (part) => part.dataset.s.split("-").map(Number);

let lines = { rows: null };

// The row of an offset, by a search in the rows in order of the text.
function rowAt(offset) {
  if (lines.rows !== rows()) {
    const sides = [...rows().querySelectorAll(".row > .original")].map((side) => [Number(side.dataset.start), side.parentElement]);
    lines = { rows: rows(), sides: sides.sort(([one], [other]) => one - other) };
  }
  let [low, high] = [0, lines.sides.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines.sides[middle][0] <= offset) low = middle + 1;
    else high = middle;
  }
  return lines.sides[low - 1][1];
}

const sideAt = (offset, side) => rowAt(offset).querySelector(`:scope > .${side}`);

// The places of a step: their sides and spans, with the elements that are there.
function targets([side, where]) {
  return where.split(" ").flatMap((place) => {
    if (place.startsWith("@")) {
      return partsOf(place.slice(1)).filter((part) => part.parentElement.matches(`.row > .${side}`))
        .map((part) => ({ side: part.parentElement, place: part.dataset.s, part }));
    }
    const here = sideAt(Number(place.split("-")[0]), side);
    return [{ side: here, place, part: here.querySelector(`:scope > [data-s="${place}"]`) }];
  });
}

// An element's look without selection and unsaved changes.
function faceOf(part) {
  const classes = part.className.split(" ").filter((name) => !["chosen", "here", "pending"].includes(name)).join(" ");
  const words = part.getAttribute("aria-label")?.slice(part.textContent.length) ?? "";
  return { classes, entity: part.dataset.e ?? "", words, text: part.textContent, type: part.dataset.type ?? "" };
}

function setOrRemove(part, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value) part.setAttribute(name, value);
    else part.removeAttribute(name);
  }
}

function dress(part, { classes, entity, words, text, type }) {
  part.className = classes;
  if (part.textContent !== text) part.textContent = text;
  const attributes = entity
    ? { role: "button", tabindex: "-1", "data-e": entity, "aria-label": `${text}${words}` }
    : { role: "", tabindex: "", "data-e": "", "aria-label": "" };
  setOrRemove(part, { ...attributes, "data-type": type });
}

// The characters of the original between two offsets.
function original(row, start, end) {
  const side = row.firstElementChild;
  const begin = Number(side.dataset.start);
  return [...side.textContent].slice(start - begin, end - begin).join("");
}

// The element of a place with the attributes of `face`, the others as they were.
function made({ side, place, part }, face) {
  const all = { ...(part ? faceOf(part) : { entity: "", words: "", type: "" }), ...face };
  if (all.text === null || all.text === undefined) all.text = original(side.parentElement, ...place.split("-").map(Number));
  const tag = all.type ? "mark" : "span";
  const element = part?.localName === tag ? part : document.createElement(tag);
  element.dataset.s = place;
  dress(element, all);
  return element;
}

// A side rebuilt from its elements and, between them, the text of the original.
function write(side, parts) {
  const source = side.parentElement.firstElementChild;
  const letters = [...source.textContent];
  const begin = Number(source.dataset.start);
  const children = [];
  let at = 0;
  for (const part of parts) {
    const [start, end] = span(part).map((offset) => offset - begin);
    children.push(letters.slice(at, start).join(""), part);
    at = end;
  }
  side.replaceChildren(...[...children, letters.slice(at).join("")].filter((child) => child !== ""));
  if (side.matches(".result")) same(side, source);
}

// Whether the result is the original, and a heading as that is.
function same(side, source) {
  side.parentElement.classList.toggle("same", !side.querySelector(":scope > .r, :scope > .neutral"));
  const isHeading = side.hasChildNodes();
  for (const name of ["role", "aria-level"]) setOrRemove(side, { [name]: isHeading ? source.getAttribute(name) : "" });
}

// Each step is about the rows as they were before all of them.
export function apply(steps) {
  const work = steps.map((step) => [targets(step), step[2]]);
  const sides = new Map();
  for (const [places, face] of work) {
    for (const target of places) {
      const { side, part } = target;
      const element = face && made(target, face);
      if (element && element === part) continue;
      if (!sides.has(side)) sides.set(side, new Set(side.querySelectorAll(":scope > [data-s]")));
      sides.get(side).delete(part);
      if (element) sides.get(side).add(element);
    }
  }
  for (const [side, parts] of sides) {
    write(side, [...parts].sort((one, other) => span(one)[0] - span(other)[0] || span(one)[1] - span(other)[1]));
  }
  if (work.length) forget();
}
