// The list of a project's documents: rows that changed are brought while some are analysed, and its keys.
import { answers } from "./answers.js";
import { listen } from "./keyboard.js";
import { say } from "./notice.js";
import { stepper } from "./stepping.js";

const PAUSE = 1000;
const { place } = document.querySelector("main").dataset;
const { rows, step, opens, chosen } = stepper("#documents tbody tr");

function replace(row) {
  const shown = document.getElementById(row.id);
  if (!shown) return;
  const isFocused = shown.contains(document.activeElement);
  row.classList.toggle("chosen", shown.classList.contains("chosen"));
  const ticked = shown.querySelector("input")?.checked;
  if (ticked) row.querySelector("input").checked = true;
  shown.replaceWith(row);
  if (isFocused) row.focus({ preventScroll: true });
}

// Only while something is analysed; the answer has what changed since the version that is shown, or nothing.
async function watch() {
  const queue = document.getElementById("queue");
  if (!("waiting" in queue.dataset)) return;
  if (!document.hidden) {
    const answer = await fetch(`${place}/queue?since=${queue.dataset.version}`).catch(() => null);
    if (answer?.redirected || answer?.status === 401 || answer?.status === 404) return;
    if (answer?.status === 200) {
      const changes = document.createElement("template");
      changes.innerHTML = await answer.text();
      const { content } = changes;
      for (const row of content.querySelectorAll("tr")) replace(row);
      const isFocused = queue.contains(document.activeElement);
      queue.replaceWith(content.getElementById("queue"));
      if (isFocused) document.getElementById("next-document")?.focus();
    }
  }
  setTimeout(watch, PAUSE);
}

const find = document.getElementById("find");
const KEYS = {
  j: () => step(1),
  J: () => step(-1),
  x: () => {
    const box = chosen()?.querySelector("input");
    if (box) box.checked = !box.checked;
    step(1);
  },
  "/": () => find.select(),
};

listen({
  first: opens,
  typing: (event) => event.target.matches("input:not([type=checkbox]), select, textarea"),
  act(event) {
    KEYS[event.key]?.();
    return event.key in KEYS;
  },
});

// What is ticked is given away, and the list shows whose it is, unless another list was asked for meanwhile.
const assign = document.getElementById("assign");
assign?.addEventListener("htmx:beforeRequest", (event) => {
  if (rows().some((row) => row.querySelector("input").checked)) return;
  event.preventDefault();
  say("Tick documents first: x ticks the current one.", true);
});
assign?.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) htmx.ajax("GET", location.href, { source: "#documents", target: "#documents", select: "#documents", swap: "outerHTML" }).catch(() => {});
});

document.getElementById("tick-all")?.addEventListener("click", () => {
  for (const row of rows()) row.querySelector("input").checked = true;
});

answers();
watch();
