// What is sent to be saved, as JSON: each request names the revision that the one before it led to.
import { proof } from "../ask.js";
import { say } from "../notice.js";
import { saver } from "../saving.js";

const saving = saver([document.querySelector("main"), document.querySelector("header")]);
let waiting = 0;

export const { isUnsaved, retry } = saving;

// Send what `values()` returns; give the page that comes back to `show`. Tell whether it was saved.
export function post(path, values, show) {
  let saved = false;
  waiting += 1;
  return saving.save(async () => {
    const status = await request(path, values(), show);
    saved = status === 200;
    return status === 0;
  }, null, () => post(path, values, show)).then(() => {
    waiting -= 1;
    return saved;
  });
}

// Sends, and returns the status; 0 where the server could not be reached.
async function request(path, values, show) {
  const headers = { "Content-Type": "application/json", "X-Tacenda-Proof": proof };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(values) }).catch(() => null);
  if (!answer) return 0;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const problem = page.getElementById("problem");
  if (!problem) show(page);
  if (answer.ok) say("");
  else if (problem) say(`Not saved: ${problem.textContent}`, true);
  else say("This was changed in another window. This is the latest state; please repeat your change.", true);
  return answer.status;
}

// Put parts of a page in the place of those with the same ids.
export function renew(page, ids) {
  for (const id of ids) document.getElementById(id).replaceWith(document.adoptNode(page.getElementById(id)));
}

addEventListener("beforeunload", (event) => { if (waiting) event.preventDefault(); });
