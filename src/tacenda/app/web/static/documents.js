// The list of a project's documents: rows that changed are brought while some are analysed, and its keys.
import { listen } from "./keyboard.js";

const PAUSE = 1000;
const { place } = document.querySelector("main").dataset;
const rows = () => [...document.querySelectorAll("#documents tbody tr")];
let chosen = -1;

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

function choose(index) {
  const all = rows();
  all.forEach((row, number) => row.classList.toggle("chosen", number === index));
  chosen = index;
  all[index].focus({ preventScroll: true });
  all[index].scrollIntoView({ block: "nearest" });
}

// Beyond an end of the page the next page opens.
let enters = 0;

function step(direction) {
  const next = chosen + direction;
  if (next >= 0 && next < rows().length) {
    choose(next);
    return;
  }
  const link = document.querySelector(`.pages a[rel="${direction > 0 ? "next" : "prev"}"]`);
  if (!link || chosen < 0) return;
  enters = direction;
  link.click();
}

document.addEventListener("htmx:afterSettle", () => {
  chosen = -1;
  if (enters) choose(enters > 0 ? 0 : rows().length - 1);
  enters = 0;
});

const find = document.getElementById("find");
const KEYS = {
  j: () => step(1),
  J: () => step(-1),
  x: () => {
    const box = rows()[chosen]?.querySelector("input");
    if (box) box.checked = !box.checked;
    step(1);
  },
  "/": () => find.select(),
};

listen({
  first(event) {
    if (event.key !== "Enter" || !event.target.matches("#documents tr")) return false;
    event.preventDefault();
    event.target.querySelector("a")?.click();
    return true;
  },
  typing: (event) => event.target.matches("input:not([type=checkbox]), select, textarea"),
  act(event) {
    KEYS[event.key]?.();
    return event.key in KEYS;
  },
});

document.getElementById("tick-all")?.addEventListener("click", () => {
  for (const row of rows()) row.querySelector("input").checked = true;
});

watch();
