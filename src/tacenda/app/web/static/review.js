// The document page: what is chosen, what is sent, what follows. The server renders; htmx swaps.
import { list, startAdder } from "./adder.js";
import { filter, startFilters } from "./filters.js";
import { startFinder } from "./finder.js";
import { startKeys } from "./keys.js";
import { startLeaks } from "./leaks.js";
import { say } from "./notice.js";
import { mirror, root, showPages } from "./pages.js";
import { after, item, regroup, undecided, waiting } from "./queue.js";
import { saver } from "./saving.js";

export { say };

const main = document.getElementById("review");
const base = `/documents/${main.dataset.document}`;
const bar = document.querySelector(".review-bar");
const slider = document.getElementById("bound");
const page = { entity: "", mention: "" };
const saving = saver([main, bar]);
let previewing = Promise.resolve();
let previewed = false;

export const chosen = () => page.entity;

const figures = () => document.getElementById("figures");
const everyPart = (entity) => document.querySelectorAll(`[data-e="${CSS.escape(entity)}"]`);

let sending = 0;

export const { isUnsaved, retry } = saving;

// One request after the other: each names the revision that the one before it led to. A preview
// that is on its way comes first, for it shows the revision that it began with. What was foreseen is
// taken back by `undo` where it is not saved.
export function post(path, values = {}, undo = null) {
  const place = focused();
  sending += 1;
  const shown = previewing;
  return saving.save(async () => {
    await shown;
    return send(path, values, undo);
  }, undo, () => post(path, values, undo)).then(() => {
    sending -= 1;
    if (!sending) document.querySelectorAll(".pending").forEach((part) => part.classList.remove("pending"));
    refocus(place);
  });
}

// Whether the server could not be reached.
async function send(path, values, undo) {
  const sent = { revision: figures().dataset.revision, chosen: page.mention || page.entity, ...values };
  if (previewed && path === "/changes") sent.whole = true;
  previewed = false;
  let isLost = false;
  const lose = () => { isLost = true; };
  const fail = () => undo?.();
  document.addEventListener("htmx:sendError", lose);
  document.addEventListener("htmx:responseError", fail);
  await htmx.ajax("POST", base + path, { target: main, swap: "none", values: sent }).catch(lose);
  document.removeEventListener("htmx:sendError", lose);
  document.removeEventListener("htmx:responseError", fail);
  return isLost;
}

// `rest` are further values of the form: `chosen: ""` leaves the panel as it is.
export function change(kind, spans, value = "", option = "", undo = null, rest = {}) {
  const sent = { kind, value, option };
  if (spans.length) sent.spans = spans.map((span) => span.split("-").map(Number));
  return post("/changes", { change: JSON.stringify(sent), ...rest }, undo);
}

export const step = (name) => post(`/${name}`);

export function mentionSpan() {
  const spans = item(page.entity)?.dataset.spans.split(" ") ?? [];
  return spans.includes(page.mention) ? page.mention : spans[0];
}

function shown(part, isKept) {
  part.classList.remove("doubtful");
  part.classList.toggle("kept", isKept);
  part.classList.toggle("masked", !isKept);
}

// A decision is seen at once; the server's answer takes its place, and a failure takes it back.
function foresee(entry, value) {
  const before = { hand: entry.dataset.hand, doubt: entry.dataset.doubt };
  const marks = [...everyPart(entry.dataset.e)].filter((part) => part.matches(".m"));
  const classes = marks.map((part) => part.className);
  entry.dataset.hand = "1";
  entry.dataset.doubt = "0.000";
  entry.classList.add("pending");
  for (const part of marks) {
    part.classList.add("pending");
    shown(part, value === "keep");
  }
  return () => {
    Object.assign(entry.dataset, before);
    entry.classList.remove("pending");
    marks.forEach((part, place) => { part.className = classes[place]; });
  };
}

const WORDS = { keep: "stays", mask: "masked", generalise: "generalised", write: "in your words", auto: "as the policy says" };

export function decide(value, option = "") {
  const entry = item(page.entity);
  if (!entry) return say("Choose something first: j leads to the next decision that needs you.");
  const alone = document.querySelector('#why input[name="scope"][value="mention"]')?.checked;
  if (alone) return change("decide_mention", [mentionSpan()], value, option);
  const isNeeded = Number(entry.dataset.doubt) > 0;
  const undo = value === "auto" ? null : foresee(entry, value);
  change("decide", entry.dataset.spans.split(" "), value, option, undo, isNeeded ? { chosen: "" } : {});
  announce(`${labelOf(entry)}: ${WORDS[value]}. ${waiting().length} to decide.`);
  if (isNeeded) advance();
}

const labelOf = (entry) => entry.querySelector(".label").lastChild.textContent.trim();

// Right as it is: the decision of the policy becomes the person's.
export function confirm() {
  const entry = item(page.entity);
  if (!entry || entry.dataset.hand === "1") return advance();
  const { verdict, option } = entry.dataset;
  if (verdict === "generalised") return decide("generalise", option ?? "");
  return decide(verdict === "kept" ? "keep" : "mask");
}

function announce(sentence) {
  document.getElementById("announcement").textContent = sentence;
}

// To the next decision that needs a person, the most doubtful first; backwards in the same order.
export function advance(direction = 1) {
  const open = waiting();
  if (!open.length) {
    announce("Nothing is left to decide. Ctrl+Enter finishes and opens the next document.");
    return leave();
  }
  say("");
  const place = open.indexOf(page.entity);
  const first = direction > 0 ? 0 : open.length - 1;
  return visit(open[place < 0 ? first : (place + direction + open.length) % open.length]);
}

const needed = (count) => `${count} ${count === 1 ? "decision needs" : "decisions need"} you`;

export async function finish() {
  await saving.settled();
  const open = waiting();
  if (open.length) {
    await advance();
    return say(`${needed(open.length)} first.`);
  }
  await change("done", [], "yes");
  if (figures().dataset.done === "1") location.assign(`${base}/next#decide`);
}

// Reviewed with decisions left open only if the person says so once more.
const unfinished = document.getElementById("unfinished");

async function signOff() {
  await saving.settled();
  const open = waiting();
  if (!open.length) return change("done", [], "yes");
  document.getElementById("unfinished-count").textContent = `${needed(open.length)}.`;
  unfinished.returnValue = "";
  return unfinished.showModal();
}

unfinished.addEventListener("close", () => {
  if (unfinished.returnValue === "decide") advance();
  if (unfinished.returnValue === "anyway") change("done", [], "yes", "", null, { unfinished: true });
});

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
  await reasons(entity);
}

// Requests of one source wait for one another: the panel's don't wait for what is saved.
const panel = document.querySelector("aside");
const reasons = (entity) => htmx.ajax("GET", `${base}/entity?at=${entity}`, { source: panel, target: "#why", swap: "outerHTML" }).catch(() => {});

export function leave() {
  page.entity = page.mention = "";
  mark();
  main.dataset.sheet = "closed";
  return reasons("");
}

export function visit(entity) {
  const parts = [...everyPart(entity)].filter((part) => part.matches(".m, .r"));
  const shown = (part) => part.checkVisibility();
  const place = parts.find((part) => part.matches(".m") && shown(part)) ?? parts.find(shown);
  place?.scrollIntoView({ block: "center" });
  place?.focus({ preventScroll: true });
  return choose(entity, place?.dataset.s ?? "");
}

// The next entity, in order of the text, that nobody has decided.
export function next(direction) {
  const open = undecided();
  if (!open.length) return say("Every entity shown has been decided by hand.");
  say("");
  return visit(after(page.entity, open, direction));
}

// What can be shown page by page has a view of its own that is remembered.
const hasPages = Boolean(document.getElementById("pages"));
const remembered = hasPages ? "tacenda-view-pages" : "tacenda-view";

export function view(name) {
  main.dataset.view = name;
  localStorage.setItem(remembered, name);
  showPages();
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

// What came anew has lost the focus. In the text it goes to what is chosen now, which may be another
// mention than the one that the answer is about.
function refocus(place) {
  if (!place || (document.activeElement && document.activeElement !== document.body)) return;
  const here = place.startsWith("[data-s=") && page.mention ? `[data-s="${page.mention}"]` : place;
  [...document.querySelectorAll(here)].find((part) => part.checkVisibility())?.focus({ preventScroll: true });
}

// While the slider moves, at most one preview is on its way and the latest one follows.
let wanted = null;
let moving = false;
async function follow() {
  while (wanted !== null) {
    const path = `${base}/preview?position=${wanted}&chosen=${page.mention || page.entity}`;
    wanted = null;
    await htmx.ajax("GET", path, { source: slider, target: main, swap: "none" }).catch(() => {});
  }
  moving = false;
}

// Where the bound leads by risk alone is seen at once; the server's answer, which knows the rest, follows.
function foreseeBound(bound) {
  const kept = new Map();
  for (const entry of document.querySelectorAll('#entities li[data-hand="0"]')) {
    const isKept = Number(entry.dataset.risk) < bound;
    if (isKept !== (entry.dataset.verdict === "kept")) kept.set(entry.dataset.e, isKept);
  }
  if (!kept.size) return;
  for (const part of document.querySelectorAll(".m[data-e]")) {
    const isKept = kept.get(part.dataset.e);
    if (isKept !== undefined) shown(part, isKept);
  }
}

function inWords() {
  const words = slider.dataset.words.split("|")[slider.value];
  slider.setAttribute("aria-valuetext", words);
  document.getElementById("strictness").textContent = words;
}

function preview() {
  inWords();
  foreseeBound(Number(slider.dataset.bounds.split(" ")[slider.max - slider.value]));
  wanted = slider.value;
  previewed = true;
  if (moving) return;
  moving = true;
  previewing = saving.settled().then(follow);
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

document.addEventListener("submit", (event) => {
  if (event.target.id !== "own-form") return;
  event.preventDefault();
  const words = document.getElementById("own").value.trim().replace(/\s+/g, " ");
  if (words) decide("write", words);
});

document.addEventListener("change", (event) => {
  const select = event.target;
  if (!select.matches("#why select[data-kind]") || !select.value) return;
  if (select.dataset.kind === "merge") change("merge", [page.entity, select.value]);
  else act(select.dataset.kind, select.value);
});

// A comment stays at the mention where it was begun.
export function keepComment() {
  const words = document.getElementById("note");
  root().querySelector(`.m[data-s="${mentionSpan()}"]`)?.focus({ preventScroll: true });
  return change("note", [words.dataset.span || mentionSpan()], words.value);
}

function act(kind, value) {
  const spans = item(page.entity)?.dataset.spans.split(" ") ?? [];
  const alone = document.querySelector('#why input[name="scope"][value="mention"]')?.checked;
  if (kind === "decide") decide(value);
  else if (kind === "generalise") decide("generalise", value);
  else if (kind === "done" && value === "yes") signOff();
  else if (kind === "done") change("done", [], value);
  else if (kind === "approve") post("/approval", { value });
  else if (kind === "list") list(value);
  else if (kind === "split") change("split", [mentionSpan()]);
  else if (kind === "note") keepComment();
  else change(kind, alone && kind !== "identifier" ? [mentionSpan()] : spans, value);
}

// The entities that this one may be one with are in the list already.
document.addEventListener("toggle", (event) => {
  const select = event.target.querySelector?.("#merge-with");
  if (!select || select.length > 1) return;
  for (const other of document.querySelectorAll(`#entities li[data-type="${item(page.entity)?.dataset.type}"]`)) {
    if (other.dataset.e !== page.entity) select.add(new Option(labelOf(other), other.dataset.e));
  }
}, true);

// An answer settles part by part; the page is put in order once.
let isSettling = false;
document.addEventListener("htmx:afterSettle", () => {
  if (isSettling) return;
  isSettling = true;
  queueMicrotask(settled);
});

function settled() {
  isSettling = false;
  const why = document.getElementById("why");
  if (page.entity && !item(page.entity) && why.dataset.e) page.entity = why.dataset.e;
  if (document.activeElement !== slider) slider.value = figures().dataset.position;
  inWords();
  mirror();
  mark();
  regroup();
  filter();
}

document.addEventListener("htmx:afterSwap", (event) => {
  const dialog = document.getElementById("everywhere");
  if (event.detail.target.id === "everywhere-body" && !dialog.open) dialog.showModal();
});
document.addEventListener("htmx:sendError", () => isUnsaved() || say("The program does not answer. Start it again if it has ended.", true));
document.addEventListener("htmx:responseError", () => say("That did not work and is not saved. Load the page again.", true));

new ResizeObserver(() => {
  document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
}).observe(bar);

main.addEventListener("tacenda:unpaged", () => view("both"));
view(localStorage.getItem(remembered) ?? (hasPages ? "pages" : "both"));
inWords();
startFilters();
startAdder();
startFinder();
startLeaks();
startKeys();
if (location.hash === "#decide") advance();
else if (/^#\d+-\d+$/.test(location.hash)) visit(location.hash.slice(1));
