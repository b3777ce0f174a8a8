// What a person does on a document's page is sent, and what came of it is said.
import { previews, settle } from "./bound.js";
import { page } from "./chosen.js";
import { focused, refocus } from "./focus.js";
import { during } from "./foresight.js";
import { announce } from "./notice.js";
import { apply } from "./rows.js";
import { saver } from "./saving.js";

const main = document.getElementById("review");
export const base = `/documents/${main.dataset.document}`;
export const figures = () => document.getElementById("figures");
const saving = saver([main, document.querySelector(".review-bar")]);
let sending = 0;

export const { isUnsaved, retry, settled: saved } = saving;

// One request after the other: each names the revision that the one before it led to. A preview
// that is on its way comes first, for it shows the revision that it began with.
//
// `answered` ends what was foreseen, `undo` takes back what is not saved, `refused` follows where the
// server said no. `words` say what was done,
// `idle` that nothing was; `then` are the places where the focus goes, as selectors.
export function post(path, values = {}, told = {}) {
  settle();
  const { answered = null, undo = null, refused = null, words = "", idle = words, then = [] } = told;
  const places = [...then, ...focused()];
  const shown = previews();
  sending += 1;
  return saving.save(async () => {
    await shown;
    const before = standing();
    const status = await send(path, values);
    answered?.();
    settleRows();
    if (status >= 400) {
      undo?.();
      refused?.();
    } else if (status) tell(words, idle, before);
    return status === 0;
  }, undo, () => post(path, values, told)).then(() => {
    sending -= 1;
    if (!sending) document.querySelectorAll(".pending").forEach((part) => part.classList.remove("pending"));
    refocus(places);
  });
}

// What others did meanwhile is shown, and the server says who did it.
export function look() {
  if (sending || isUnsaved()) return;
  saving.save(async () => {
    if (await send("/latest", {}, "GET")) settleRows();
    return false;
  });
}

// What the page shows, of which the server tells the difference: a revision, maybe in a preview.
export function standsAt() {
  const { revision, previewed } = figures().dataset;
  return { revision, chosen: page.mention || page.entity, ...(previewed === undefined ? {} : { previewed }) };
}

// The rows as the last answer has them.
export function settleRows() {
  const changes = document.getElementById("changes");
  const steps = JSON.parse(changes.textContent);
  changes.textContent = "[]";
  during(() => apply(steps));
}

// Sends, and returns the status; 0 where the server could not be reached.
async function send(path, values, verb = "POST") {
  const place = base + path;
  const sent = { ...standsAt(), ...values };
  let status = 0;
  const note = ({ detail }) => { if (detail.requestConfig.path === place) status = detail.xhr.status; };
  document.addEventListener("htmx:afterRequest", note);
  await htmx.ajax(verb, place, { target: main, swap: "none", values: sent }).catch(() => {});
  document.removeEventListener("htmx:afterRequest", note);
  return status;
}

// What the page says of the document: what is told where it changed.
const standing = () => ({
  revision: figures().dataset.revision,
  left: document.getElementById("to-decide").textContent,
  stage: document.getElementById("stage").textContent,
  leaks: figures().querySelector("[data-leaks]")?.textContent ?? "",
});

function tell(words, idle, before) {
  const after = standing();
  if (after.revision === before.revision) return announce(idle);
  const more = [];
  if (words && after.left !== before.left) more.push(`${after.left} to decide`);
  if (after.leaks && after.leaks !== before.leaks) more.push(after.leaks);
  if (after.stage !== before.stage) more.push(after.stage);
  if (words) announce(words);
  if (more.length) announce(`${more.join("; ")}.`, true);
  return undefined;
}

// A change of the document at spans; `form` are further values, of which `chosen: ""` leaves the
// panel as it is, and `told` is as for `post`.
export function change(kind, spans, { value = "", option = "", form = {}, ...told } = {}) {
  const sent = { kind, value, option };
  if (spans.length) sent.spans = spans.map((span) => span.split("-").map(Number));
  return post("/changes", { change: JSON.stringify(sent), ...form }, told);
}

const STEPS = {
  undo: { words: "Undone.", idle: "You have nothing to undo." },
  redo: { words: "Done again.", idle: "You have nothing to redo." },
};

export const step = (name) => post(`/${name}`, {}, STEPS[name]);
