// The pages of a PDF as pictures: a box over each mark of the text, and its lines to be selected.
import { say } from "./notice.js";
import { forget } from "./rows.js";

const main = document.getElementById("review");
const rows = () => document.getElementById("rows");
const pages = () => document.getElementById("pages");
const path = `/documents/${main.dataset.document}/pages`;
const VIEWS = ["pages", "leaving"];

export const isPaged = () => VIEWS.includes(main.dataset.view);
export const root = () => (isPaged() ? pages() : rows());

const kind = (mark) => (mark.matches(".m") ? "m" : mark.matches(".leak") ? "leak" : "r");
let state = "none";

export async function showPages() {
  if (!isPaged() || state !== "none") return;
  state = "asked";
  await ask();
}

async function ask() {
  let focused;
  try {
    const answer = await fetch(path);
    const html = await answer.text();
    if (!answer.ok) return fail();
    focused = document.activeElement?.closest("#pages .box")?.dataset.s;
    pages().outerHTML = html;
  } catch {
    return fail();
  }
  state = "here";
  pages().querySelectorAll("[data-box]").forEach(place);
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      fit(entry.target);
    }
  }, { rootMargin: "400px" });
  pages().querySelectorAll(".sheet").forEach((sheet) => seen.observe(sheet));
  new ResizeObserver(() => {
    for (const sheet of pages().querySelectorAll(".sheet.fitted")) fit(sheet);
  }).observe(pages());
  mirror();
  main.dispatchEvent(new CustomEvent("tacenda:paged"));
  if (focused) pages().querySelector(`.box.m[data-s="${focused}"]`)?.focus({ preventScroll: true });
}

function fail() {
  state = "none";
  say("The pages can't be shown. The text is still available.", true);
  main.dispatchEvent(new CustomEvent("tacenda:unpaged"));
}

// Lines lie over the boxes, so that a drag selects words wherever it begins: the box under a point of a line.
export function boxAt({ target, clientX, clientY }) {
  if (!target.matches("#pages .line")) return undefined;
  return document.elementsFromPoint(clientX, clientY).find((part) => part.matches(".box[data-e]"));
}

main.addEventListener("pointermove", (event) => {
  if (event.target.matches("#pages .line")) event.target.style.cursor = boxAt(event) ? "pointer" : "";
});

function place(part) {
  const [left, top, width, height] = part.dataset.box.split(" ");
  Object.assign(part.style, { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` });
}

// Words take the size of their line, so that what is selected is what is seen; labels that of their box.
function fit(sheet) {
  sheet.classList.add("fitted");
  const { clientWidth, clientHeight } = sheet.querySelector(".paper");
  const sizes = [];
  for (const line of sheet.querySelectorAll(".line")) {
    const [, , width, height] = line.dataset.box.split(" ").map((share) => Number(share) / 100);
    line.style.fontSize = `${0.8 * height * clientHeight}px`;
    line.style.transform = "";
    sizes.push([line, width * clientWidth]);
  }
  for (const size of sizes) size.push(size[0].scrollWidth);
  for (const [line, wanted, actual] of sizes) if (actual) line.style.transform = `scaleX(${wanted / actual})`;
  for (const box of sheet.querySelectorAll('.box[data-kind="r"]')) label(box, clientWidth, clientHeight);
}

const pen = document.createElement("canvas").getContext("2d");

// The words of an edit stand in its widest box where they fit, as in the file.
function label(box, wide, high) {
  const words = box.dataset.words;
  if (words === undefined || !box.dataset.box) return;
  const [, , width, height] = box.dataset.box.split(" ").map((share) => Number(share) / 100);
  pen.font = "100px sans-serif";
  const size = Math.min(0.72 * height * high, (100 * (width * wide - 4)) / pen.measureText(words).width);
  box.textContent = size >= 5 ? words : "";
  box.style.fontSize = `${size}px`;
}

// Each box looks like its mark in the text, and has its name and entity; one without a mark is hidden.
export function mirror() {
  if (state !== "here") return;
  forget();
  const marks = new Map();
  for (const mark of rows().querySelectorAll("[data-s]")) marks.set(`${kind(mark)} ${mark.dataset.s}`, mark);
  const widest = new Map();
  const boxes = [...pages().querySelectorAll(".box")];
  for (const box of boxes) {
    const key = `${box.dataset.kind} ${box.dataset.s}`;
    const mark = marks.get(key);
    box.hidden = !mark;
    if (!mark) continue;
    dress(box, mark);
    const width = Number(box.dataset.box?.split(" ")[2] ?? 0);
    if (box.dataset.kind === "r" && width > (widest.get(key)?.width ?? -1)) widest.set(key, { box, width });
  }
  for (const [key, { box }] of widest) {
    const words = marks.get(key).textContent.replace(/^\[|\]$/g, "");
    if (box.dataset.box) box.dataset.words = words;
    else box.textContent = words || "∅";
  }
  for (const sheet of pages().querySelectorAll(".sheet.fitted")) {
    for (const [, { box }] of widest) if (sheet.contains(box)) label(box, sheet.querySelector(".paper").clientWidth, sheet.querySelector(".paper").clientHeight);
  }
  const known = new Set(boxes.map((box) => `${box.dataset.kind} ${box.dataset.s}`));
  if ([...marks.keys()].every((key) => known.has(key))) return;
  state = "asked";
  ask();
}

function dress(box, mark) {
  const name = `box ${mark.className}`;
  if (box.className !== name) box.className = name;
  for (const attribute of ["data-e", "role", "tabindex", "aria-label"]) {
    const value = attribute.startsWith("data") || !box.hasAttribute("aria-hidden") ? mark.getAttribute(attribute) : null;
    if (value === null) box.removeAttribute(attribute);
    else box.setAttribute(attribute, value);
  }
}
