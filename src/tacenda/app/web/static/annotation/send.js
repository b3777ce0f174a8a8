// Requests, one after the other: each names the revision that the one before it led to.
import { say } from "../notice.js";

let pending = Promise.resolve();
let waiting = 0;

// Send what `values()` returns; give the new page to `show`. Tell whether it was saved.
export function post(path, values, show) {
  waiting += 1;
  pending = pending.then(() => request(path, values(), show)).catch(() => {
    say("Not saved: the program does not answer. Is it still running?", true);
    return false;
  }).finally(() => { waiting -= 1; });
  return pending;
}

async function request(path, values, show) {
  const answer = await fetch(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Tacenda-Proof": document.querySelector('meta[name="proof"]').content,
    },
    body: JSON.stringify(values),
  });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const work = page.getElementById("work");
  if (work) show(document.adoptNode(work));
  if (answer.ok) say("");
  else if (work) say("This was changed in another window. Here is the latest state; do it again.", true);
  else say(`Not saved: ${page.getElementById("problem")?.textContent ?? `error ${answer.status}.`}`, true);
  return answer.ok;
}

addEventListener("beforeunload", (event) => { if (waiting) event.preventDefault(); });
