// What is chosen on the page of a text.
import { item } from "./queue.js";
import { partsOf } from "./rows.js";

// An entity by its first mention, the mention, whether a decision is about it alone, and what it is asked with.
export const page = { entity: "", mention: "", isAlone: false, together: [] };

export const CHOOSE = "Choose something first: j leads to the next decision that needs you.";

// The mention that a decision about one mention is about.
export function mentionSpan() {
  const spans = item(page.entity)?.dataset.spans.split(" ") ?? [];
  return spans.includes(page.mention) ? page.mention : spans[0];
}

export function mark() {
  document.querySelectorAll(".chosen, .here").forEach((element) => element.classList.remove("chosen", "here"));
  const button = item(page.entity)?.querySelector(".entity");
  for (const part of button ? [button, ...partsOf(page.entity)] : []) {
    part.classList.add("chosen");
    part.classList.toggle("here", part.matches(".m") && part.dataset.s === mentionSpan());
  }
  for (const part of page.together.flatMap(partsOf)) part.classList.add("chosen");
}

// The panel may be refreshed before the decision is made.
export function showScope() {
  const scope = document.querySelector(`#why input[name="scope"][value="${page.isAlone ? "mention" : "entity"}"]`);
  if (scope) scope.checked = true;
}
