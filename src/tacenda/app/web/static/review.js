// The document page: what is chosen, what is sent, what follows. The server renders; htmx swaps.
import { startAdder } from "./adder.js";
import { filter, startFilters } from "./filters.js";
import { startKeys } from "./keys.js";
import { say } from "./notice.js";

const main = document.getElementById("review");
const base = `/documents/${main.dataset.document}`;
const slider = document.getElementById("bound");
const page = { entity: "", mention: "" };
let pending = Promise.resolve();
let previewing = Promise.resolve();
let previewed = false;

const figures = () => document.getElementById("figures");
const everyPart = (entity) => document.querySelectorAll(`[data-e="${CSS.escape(entity)}"]`);
const item = (entity) => document.querySelector(`#entities li[data-e="${CSS.escape(entity)}"]`);

// One request after the other: each names the revision that the one before it led to. A preview
// that is on its way comes first, for it shows the revision that it began with.
function post(path, values = {}) {
  const place = focused();
  pending = Promise.all([pending, previewing]).then(() => {
    const sent = { revision: figures().dataset.revision, chosen: page.mention || page.entity, ...values };
    if (previewed && path === "/changes") sent.whole = true;
    previewed = false;
    return htmx.ajax("POST", base + path, { target: main, swap: "none", values: sent });
  }).then(() => refocus(place)).catch(() => {});
  return pending;
}

export function change(kind, spans, value = "", option = "") {
  const sent = { kind, value, option };
  if (spans.length) sent.spans = spans.map((span) => span.split("-").map(Number));
  return post("/changes", { change: JSON.stringify(sent) });
}

export const step = (name) => post(`/${name}`);

function mentionSpan() {
  const spans = item(page.entity)?.dataset.spans.split(" ") ?? [];
  return spans.includes(page.mention) ? page.mention : spans[0];
}

export function decide(value, option = "") {
  const chosen = item(page.entity);
  if (!chosen) return;
  const alone = document.querySelector('#why input[name="scope"][value="mention"]')?.checked;
  if (alone) change("decide_mention", [mentionSpan()], value, option);
  else change("decide", chosen.dataset.spans.split(" "), value, option);
}

function mark() {
  document.querySelectorAll(".chosen").forEach((element) => element.classList.remove("chosen"));
  if (page.entity) everyPart(page.entity).forEach((element) => element.classList.add("chosen"));
}

export async function choose(entity, mention = "") {
  page.entity = entity;
  page.mention = mention;
  mark();
  main.dataset.sheet = "why";
  item(entity)?.scrollIntoView({ block: "nearest" });
  await htmx.ajax("GET", `${base}/entity?at=${entity}`, { target: "#why", swap: "outerHTML" });
}

export function leave() {
  page.entity = page.mention = "";
  mark();
  main.dataset.sheet = "closed";
  return htmx.ajax("GET", `${base}/entity?at=`, { target: "#why", swap: "outerHTML" });
}

export function visit(entity) {
  const parts = [...everyPart(entity)].filter((part) => part.matches(".m, .r") && part.checkVisibility());
  const place = parts.find((part) => part.matches(".m")) ?? parts[0];
  place?.scrollIntoView({ block: "center" });
  place?.focus({ preventScroll: true });
  return choose(entity, place?.dataset.s ?? "");
}

// The next entity, in order of the text, that nobody has decided.
export function next(direction) {
  const start = (entity) => Number(entity.split("-")[0]);
  const open = [...document.querySelectorAll('#entities li[data-hand="0"]:not([hidden])')]
    .map((element) => element.dataset.e).sort((one, other) => start(one) - start(other));
  if (!open.length) return say("Every entity shown has been decided by hand.");
  say("");
  const here = page.entity ? start(page.entity) : -1;
  const ahead = direction > 0 ? open.find((entity) => start(entity) > here)
    : open.findLast((entity) => start(entity) < here);
  return visit(ahead ?? open.at(direction > 0 ? 0 : -1));
}

export function view(name) {
  main.dataset.view = name;
  localStorage.setItem("tacenda-view", name);
  document.querySelectorAll("button[data-view]").forEach((button) => {
    button.setAttribute("aria-pressed", String(button.dataset.view === name));
  });
}

function focused() {
  const element = document.activeElement;
  if (!element || element === document.body) return "";
  if (element.id) return `#${element.id}`;
  if (element.dataset.s) return `[data-s="${element.dataset.s}"]`;
  if (element.matches(".entity")) return `.entity[data-e="${element.dataset.e}"]`;
  if (element.closest("#why")) return "#why h2";
  return "";
}

function refocus(place) {
  if (place && (!document.activeElement || document.activeElement === document.body)) {
    document.querySelector(place)?.focus({ preventScroll: true });
  }
}

// While the slider moves, at most one preview is on its way and the latest one follows.
let wanted = null;
let moving = false;
async function follow() {
  while (wanted !== null) {
    const path = `${base}/preview?position=${wanted}&chosen=${page.mention || page.entity}`;
    wanted = null;
    await htmx.ajax("GET", path, { target: main, swap: "none" }).catch(() => {});
  }
  moving = false;
}

function preview() {
  wanted = slider.value;
  previewed = true;
  if (moving) return;
  moving = true;
  previewing = pending.then(follow);
}

function settle() {
  if (!previewed) return;
  wanted = null;
  previewed = false;
  post("/bound", { position: slider.value });
}

slider.addEventListener("input", preview);
slider.addEventListener("change", settle);
// Let go where it was taken up, a slider has not changed, but the page may show a preview.
slider.addEventListener("pointerup", settle);

document.addEventListener("click", (event) => {
  const part = event.target.closest(".m[data-e], .r[data-e], .entity");
  if (part && getSelection().isCollapsed) {
    if (part.matches(".entity")) visit(part.dataset.e);
    else choose(part.dataset.e, part.dataset.s ?? "");
    return;
  }
  const button = event.target.closest("button");
  document.querySelectorAll("details.menu[open]").forEach((menu) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  if (!button) return;
  if (button.dataset.view) view(button.dataset.view);
  if (button.dataset.step) step(button.dataset.step);
  if (button.id === "help-button") document.getElementById("help").showModal();
  if (button.id === "why-close") leave();
  if (button.id === "sheet-toggle") main.dataset.sheet = main.dataset.sheet === "list" ? "why" : "list";
  if (button.hasAttribute("data-close")) button.closest("dialog").close();
  if (button.dataset.goto) visit(button.dataset.goto);
  if (button.dataset.kind) act(button.dataset.kind, button.dataset.value ?? "");
});

document.addEventListener("change", (event) => {
  const select = event.target;
  if (!select.matches("#why select[data-kind]") || !select.value) return;
  if (select.dataset.kind === "decide") decide("generalise", select.value);
  else if (select.dataset.kind === "merge") change("merge", [page.entity, select.value]);
  else act(select.dataset.kind, select.value);
});

function act(kind, value) {
  const spans = item(page.entity)?.dataset.spans.split(" ") ?? [];
  const alone = document.querySelector('#why input[name="scope"][value="mention"]')?.checked;
  if (kind === "decide") decide(value);
  else if (kind === "done") change("done", [], value);
  else if (kind === "split") change("split", [mentionSpan()]);
  else if (kind === "note") change("note", spans.slice(0, 1), document.getElementById("note").value);
  else change(kind, alone && kind !== "identifier" ? [mentionSpan()] : spans, value);
}

document.addEventListener("htmx:afterSettle", () => {
  const why = document.getElementById("why");
  if (page.entity && why.dataset.e) page.entity = why.dataset.e;
  if (document.activeElement !== slider) slider.value = figures().dataset.position;
  mark();
  filter();
});
document.addEventListener("htmx:afterSwap", (event) => {
  const dialog = document.getElementById("everywhere");
  if (event.detail.target.id === "everywhere-body" && !dialog.open) dialog.showModal();
});
document.addEventListener("htmx:sendError", () => say("The program does not answer. What you did last is not saved; start it again and load this page.", true));
document.addEventListener("htmx:responseError", () => say("That did not work and is not saved. Load the page again.", true));

const bar = document.querySelector(".review-bar");
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
}).observe(bar);

view(localStorage.getItem("tacenda-view") ?? "both");
startFilters();
startAdder();
startKeys();
