// The document page: what is chosen, what is decided, what follows. The server renders; htmx swaps.
import { startAdder, take, typed } from "./adder.js";
import { placeSlider, settle, startSlider } from "./bound.js";
import { CHOOSE, mark, mentionSpan, page, showScope } from "./chosen.js";
import { counted } from "./counted.js";
import { filter, startFilters } from "./filters.js";
import { startFinder } from "./finder.js";
import { mentionAt } from "./focus.js";
import { rememberedView, sheet, view } from "./frame.js";
import { startKeys } from "./keys.js";
import { startLeaks } from "./leaks.js";
import { foresee } from "./foresight.js";
import { announce, say } from "./notice.js";
import { boxAt, mirror, root } from "./pages.js";
import { after, item, labelOf, offerOthers, questions, regroup, undecided } from "./queue.js";
import { partsOf } from "./rows.js";
import { base, change, figures, isUnsaved, look, post, saved, step } from "./changes.js";
import { onPanelChoice } from "./textkeys.js";
import { askTogether, decisionsTogether, isTogether, turn } from "./together.js";

// A decision is seen at once; the server's answer takes its place, and a failure takes it back.
function decideAhead(entries, value) {
  const before = entries.map(({ dataset }) => ({ hand: dataset.hand, doubt: dataset.doubt }));
  for (const entry of entries) {
    Object.assign(entry.dataset, { hand: "1", doubt: "0.000" });
    entry.classList.add("pending");
  }
  const undo = () => entries.forEach((entry, number) => {
    Object.assign(entry.dataset, before[number]);
    entry.classList.remove("pending");
  });
  const kept = new Map(entries.map((entry) => [entry.dataset.e, value === "keep"]));
  return { answered: foresee(kept, true), undo };
}

const WORDS = { keep: "stays", mask: "masked", generalise: "generalized", write: "in your words", auto: "as the program says" };

const spansOf = (entries) => entries.flatMap((entry) => entry.dataset.spans.split(" "));

// Several doubts are decided as their list shows, or all alike.
function decideTogether(value = "") {
  const count = page.together.length;
  for (const [action, entities] of decisionsTogether(value)) {
    const entries = entities.map(item);
    const words = `${entities.length} of ${count}: ${WORDS[action]}.`;
    change("decide", spansOf(entries), { value: action, words, ...decideAhead(entries, action), form: { chosen: "" } });
  }
  announce(`${count} decided. ${questions().length} to decide.`);
  advance(1, true);
}

export function decide(value, option = "", told = {}) {
  if (isTogether()) return decideTogether(value);
  const entry = item(page.entity);
  if (!entry) return say(CHOOSE);
  const words = `${labelOf(entry)}: ${WORDS[value]}.`;
  if (page.isAlone) {
    page.isAlone = false;
    return change("decide_mention", [mentionSpan()], { value, option, words: `This mention only, ${words}`, ...told });
  }
  const isNeeded = Number(entry.dataset.doubt) > 0;
  const ahead = value === "auto" ? {} : decideAhead([entry], value);
  change("decide", spansOf([entry]), { value, option, ...told, ...ahead, form: isNeeded ? { chosen: "" } : {} });
  announce(`${words} ${questions().length} to decide.`);
  if (isNeeded) advance(1, true);
}


// Right as it is: the decision of the policy becomes the person's.
export function confirm() {
  if (isTogether()) return decideTogether();
  const entry = item(page.entity);
  if (!entry || entry.dataset.hand === "1") return advance();
  const { verdict, option } = entry.dataset;
  if (verdict === "generalised") return decide("generalise", option ?? "");
  return decide(verdict === "kept" ? "keep" : "mask");
}

// To the next question to a person, the most doubtful first; backwards in the same order.
export function advance(direction = 1, isAfter = false) {
  const open = questions();
  if (!open.length) {
    const { parts, next } = figures().dataset;
    const beside = counted(Number(parts), "picture, comment or hidden part", "pictures, comments or hidden parts");
    const left = parts === "0" ? "Nothing is left to decide." : `Still to decide on the release page: ${beside}.`;
    announce(`${left} Ctrl+Enter finishes and opens the ${next}.`, isAfter);
    const cleared = leave();
    sheet("brief");
    return cleared;
  }
  say("");
  const place = open.findIndex((entities) => entities.includes(page.entity));
  const first = direction > 0 ? 0 : open.length - 1;
  const entities = open[place < 0 ? first : (place + direction + open.length) % open.length];
  const shown = visit(entities[0]);
  askTogether(entities);
  // Nobody confirms a list that a narrow window hides.
  if (isTogether()) sheet("why");
  return shown;
}

const needed = (count) => `${counted(count, "decision needs", "decisions need")} you`;

const REVIEWED = { value: "yes", words: "Reviewed." };

async function everythingSaved() {
  settle();
  await saved();
}

export async function finish() {
  await everythingSaved();
  const open = questions();
  if (open.length) {
    await advance();
    return say(`${needed(open.length)} first.`);
  }
  if (figures().dataset.done !== "1") await change("done", [], REVIEWED);
  if (figures().dataset.done === "1") location.assign(`${base}/next#decide`);
}

// Reviewed with decisions left open only if the person says so once more.
const unfinished = document.getElementById("unfinished");

async function signOff() {
  await everythingSaved();
  const open = questions();
  if (!open.length) return change("done", [], REVIEWED);
  document.getElementById("unfinished-count").textContent = `${needed(open.length)}.`;
  unfinished.returnValue = "";
  return unfinished.showModal();
}

unfinished.addEventListener("close", () => {
  if (unfinished.returnValue === "decide") advance();
  if (unfinished.returnValue === "anyway") change("done", [], { ...REVIEWED, form: { unfinished: true } });
});

export async function choose(entity, mention = "") {
  page.entity = entity;
  page.mention = mention;
  page.isAlone = false;
  askTogether([]);
  mark();
  sheet("brief");
  item(entity)?.scrollIntoView({ block: "nearest" });
  await reasons(entity);
}

// One request for the panel after the other, none for what nobody wants any more; they don't wait for what
// is saved. What the panel shows already, or is about to show, stays with what is open or has the focus in
// it. An answer names the place it takes, and is not shown where something else was chosen meanwhile.
const panel = document.querySelector("aside");
const ask = (entity) => htmx.ajax("GET", `${base}/entity?at=${entity}`, { source: panel, target: panel, swap: "none" }).catch(() => {});
let wanted = "";
let asked = "";
let isComing = false;
let answered = Promise.resolve();

function reasons(entity) {
  if (entity && entity === wanted && (isComing || document.getElementById("why").dataset.e === entity)) {
    showScope();
    return answered;
  }
  wanted = entity;
  isComing = true;
  answered = answered.then(async () => {
    if (entity !== wanted) return;
    asked = entity;
    await ask(entity);
    if (entity === wanted) isComing = false;
  });
  return answered;
}

panel.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target === panel && asked !== wanted) detail.shouldSwap = false;
});

export function leave() {
  page.entity = page.mention = "";
  askTogether([]);
  mark();
  sheet("closed");
  return reasons("");
}

export function visit(entity) {
  const parts = partsOf(entity);
  const shown = (part) => part.checkVisibility();
  const place = parts.find((part) => part.matches(".m") && shown(part)) ?? parts.find(shown);
  place?.scrollIntoView({ block: "center" });
  place?.focus({ preventScroll: true });
  return choose(entity, place?.dataset.s ?? "");
}

// The next undecided entity, in order of the text.
export function next(direction) {
  const open = undecided();
  if (!open.length) return say("Every entity shown has been decided by hand.");
  say("");
  return visit(after(page.entity, open, direction));
}

const GO = { decide: () => advance(), finish };

document.addEventListener("click", (event) => {
  const part = event.target.closest(".m[data-e], .r[data-e], .entity") ?? boxAt(event);
  if (part && getSelection().isCollapsed) {
    if (part.matches(".entity")) visit(part.dataset.e);
    else {
      part.focus({ preventScroll: true });
      choose(part.dataset.e, part.dataset.s ?? "");
    }
    return;
  }
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.step) step(button.dataset.step);
  if (button.id === "why-close" || button.id === "together-close") leave();
  if (button.dataset.turn) turn(button.dataset.turn);
  if (button.dataset.all !== undefined) decideTogether(button.dataset.all);
  if (button.dataset.goto) visit(button.dataset.goto);
  if (button.dataset.go) GO[button.dataset.go]();
  if (button.dataset.restore) change("add", [button.dataset.restore], { value: button.dataset.value, words: "Masked again.", then: mentionAt(button.dataset.restore) });
  if (button.dataset.kind) act(button.dataset.kind, button.dataset.value ?? "");
});

// From a field of the panel back to the mention, where keys are keys again.
const toText = () => root().querySelector(`.m[data-s="${mentionSpan()}"]`)?.focus({ preventScroll: true });

document.addEventListener("submit", (event) => {
  if (event.target.id !== "own-form") return;
  event.preventDefault();
  const words = document.getElementById("own").value.trim().replace(/\s+/g, " ");
  if (!words) return;
  toText();
  const { entity, mention, isAlone } = page;
  decide("write", words, {
    // A refused value stays in its field, where it can be fixed.
    async refused() {
      await choose(entity, mention);
      page.isAlone = isAlone;
      showScope();
      const field = document.getElementById("own");
      if (!field) return;
      field.value = words;
      field.focus();
    },
  });
});

document.addEventListener("change", ({ target }) => {
  if (target.name === "scope") page.isAlone = target.value === "mention";
});

onPanelChoice((select) => {
  const [label, other] = [labelOf(item(page.entity)), select.selectedOptions[0].text];
  if (select.dataset.kind === "merge") change("merge", [page.entity, select.value], { words: `${label} and ${other} are the same now.` });
  else act(select.dataset.kind, select.value, `${label}: ${other}.`);
});

// A comment stays at the mention where it was begun.
export function keepComment() {
  const { value, dataset } = document.getElementById("note");
  toText();
  return change("note", [dataset.span || mentionSpan()], { value, words: value.trim() ? "Comment kept." : "Comment deleted." });
}

async function add() {
  await typed();
  const { place, type } = take();
  if (!place) return undefined;
  const words = `Added as ${type.selectedOptions[0].text}.`;
  return change("add", [place], { value: type.value, words, then: mentionAt(place) });
}

function addAll(places, type) {
  const words = `Masked as ${type.selectedOptions[0].text} in ${counted(places.length, "place")}.`;
  return change("add", places, { value: type.value, words, then: mentionAt(places[0]) });
}

// What is selected, else what has the focus or is chosen, on a list of the project: never or always masked.
export function list(action) {
  const { place, type } = take();
  const span = place ?? document.activeElement.closest(".m")?.dataset.s ?? mentionSpan();
  if (!span) return say("Select or choose something first.");
  return post("/terms", { span, action, type: type.value }, { then: mentionAt(span) });
}

function act(kind, value, words = "") {
  const entry = item(page.entity);
  const spans = entry?.dataset.spans.split(" ") ?? [];
  if (kind === "decide") decide(value);
  else if (kind === "generalise") decide("generalise", value);
  else if (kind === "done" && value === "yes") signOff();
  else if (kind === "done") change("done", [], { value, words: "Open again." });
  else if (kind === "approve") post("/approval", { value }, { words: value === "yes" ? "Approved." : "Approval withdrawn." });
  else if (kind === "list") list(value);
  else if (kind === "split") change("split", [mentionSpan()], { words: `This mention of ${labelOf(entry)} is someone else now.` });
  else if (kind === "note") keepComment();
  // One name taken away too much stands readable: all of them only where the person says so.
  else if (kind === "remove") change(kind, value === "all" ? spans : [mentionSpan()], { words: `${labelOf(entry)}: ${value === "all" ? "none is a mention" : "this is not a mention"} any more.` });
  else change(kind, page.isAlone && kind !== "identifier" ? [mentionSpan()] : spans, { value, words });
}

document.addEventListener("toggle", (event) => {
  const select = event.target.querySelector?.("#merge-with");
  if (select && select.length <= 1) offerOthers(select, page.entity);
}, true);

// An answer settles part by part; the page is put in order once.
let isSettling = false;
document.addEventListener("htmx:afterSettle", () => {
  if (isSettling) return;
  isSettling = true;
  queueMicrotask(settled);
});

let last = { figures: figures() };

// Before that, a click is about the entity of the panel that came.
document.addEventListener("htmx:afterRequest", () => {
  const why = document.getElementById("why");
  const isGone = page.entity && !item(page.entity);
  // A mention that is chosen still may be of another entity now.
  const isOfMention = why !== last.why && item(why.dataset.e)?.dataset.spans.split(" ").includes(page.mention);
  if (why.dataset.e && (isGone || isOfMention)) page.entity = why.dataset.e;
  showScope();
});

function settled() {
  isSettling = false;
  const before = last;
  const why = document.getElementById("why");
  last = { figures: figures(), why };
  // An answer about the panel alone changes nothing else.
  if (last.figures === before.figures) return;
  // The panel that came along may be of what was chosen before.
  if (page.entity && why !== before.why && why.dataset.e !== page.entity) reasons(page.entity);
  placeSlider();
  mirror();
  mark();
  regroup();
  filter();
}

document.addEventListener("htmx:sendError", () => isUnsaved() || say("The program does not answer. Restart it if it has stopped.", true));
document.addEventListener("htmx:responseError", () => say("The change failed and was not saved. Reload the page.", true));

window.addEventListener("focus", look);

view(rememberedView());
startSlider();
startFilters();
startAdder(add, (start, end) => fetch(`${base}/type?${new URLSearchParams({ start, end })}`)
  .then((answer) => (answer.ok ? answer.text() : ""), () => ""));
startFinder(addAll);
startLeaks();
startKeys();
if (location.hash === "#decide") advance();
else if (/^#\d+-\d+$/.test(location.hash)) visit(location.hash.slice(1));
// Keys that came before the page listened do now what they would have done.
for (const { key, ctrlKey, metaKey, shiftKey } of globalThis.earlyKeys()) {
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true }));
}
