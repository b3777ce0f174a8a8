// Restores the focus when its element was replaced or removed.
import { page } from "./chosen.js";

const main = document.getElementById("review");

// What has the focus, as selectors, the best first; none where nothing has it.
export function focused() {
  const element = document.activeElement;
  if (!element || element === document.body || element === main) return [];
  if (element.id) return [`#${element.id}`];
  const { s, e, step } = element.dataset;
  if (s) return [`[data-s="${s}"]`];
  if (element.matches(".entity")) return [`.entity[data-e="${e}"]`];
  if (element.closest("#why")) return ["#why h2"];
  if (element.closest("#undo-redo")) return [step ? `[data-step="${step}"]:enabled` : "#undo-redo [data-kind]", "#undo-redo button:enabled"];
  return ["#review"];
}

const visible = (selector) => [...document.querySelectorAll(selector)].find((part) => part.checkVisibility());

// In the text the focus goes to what is chosen now, which may be another mention than the one that
// the answer is about; where nothing is left of all these, to the texts.
export function refocus(places) {
  const active = document.activeElement;
  if (!places.length || (active && active !== document.body && active.checkVisibility())) return;
  for (const place of [...places, "#review"]) {
    const here = place.startsWith("[data-s=") && page.mention ? `[data-s="${page.mention}"]` : place;
    const part = visible(here);
    if (part) return part.focus({ preventScroll: true });
  }
}

// The mention at a place of the text.
export const mentionAt = (span) => [`.m[data-s="${span}"]`, `.m[data-s^="${span.split("-")[0]}-"]`];
