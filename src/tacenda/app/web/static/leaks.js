// Places where something masked can still be read: shown one after the other, and masked together.
import { mentionAt } from "./focus.js";
import { say } from "./notice.js";
import { root } from "./pages.js";
import { change } from "./changes.js";

const panel = document.getElementById("leaking");
const words = document.getElementById("leaking-where");
const accepting = document.getElementById("no-leak");
const reason = document.getElementById("no-leak-why");
let shown = -1;
let at = "";

const leaks = () => [...document.querySelectorAll("#rows .leak")];

export function nextLeak() {
  const places = [...new Set(leaks().map((leak) => leak.dataset.s))];
  if (!places.length) return close();
  shown = (shown + 1) % places.length;
  const place = [...root().querySelectorAll(`.leak[data-s="${places[shown]}"]`)].find((leak) => leak.checkVisibility());
  if (!place) return say("Text that can still be read is marked in the views Both and Result.");
  place.scrollIntoView({ block: "center" });
  at = places[shown];
  document.getElementById("no-leak-words").textContent = `“${place.textContent}”`;
  words.textContent = `Still shown: ${shown + 1} of ${places.length}`;
  panel.hidden = false;
  return undefined;
}

function close() {
  panel.hidden = true;
  shown = -1;
}

export function startLeaks() {
  document.getElementById("leaking-next").addEventListener("click", nextLeak);
  document.getElementById("leaking-close").addEventListener("click", close);
  document.getElementById("leaking-accept").addEventListener("click", () => {
    accepting.returnValue = reason.value = "";
    accepting.showModal();
  });
  accepting.addEventListener("close", () => {
    if (accepting.returnValue !== "accept") return;
    close();
    change("accept", [at], { value: reason.value.trim(), words: "Not a leak: kept." });
  });
  document.getElementById("leaking-all").addEventListener("click", () => {
    const places = Map.groupBy(leaks(), (leak) => leak.dataset.type);
    close();
    for (const [type, marks] of places) {
      const spans = marks.map((leak) => leak.dataset.s);
      change("add", spans, { value: type, words: "Masked.", then: mentionAt(spans[0]) });
    }
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-leaks]")) nextLeak();
  });
}
