// The slider: how strict the document is, seen while it moves.
import { base, figures, post, saved, settleRows, standsAt } from "./changes.js";
import { foresee } from "./foresight.js";

const main = document.getElementById("review");
const slider = document.getElementById("bound");
let previewing = Promise.resolve();
let foreseen = null;

// Until no preview is on its way.
export const previews = () => previewing;

// While the slider moves, at most one preview is on its way and the latest one follows.
let wanted = null;
let moving = false;
let unsettled = false;
let sending = 0;
let isByKeys = false;
let rest = 0;
async function follow() {
  while (wanted !== null) {
    const path = `${base}/preview?${new URLSearchParams({ position: wanted, ...standsAt() })}`;
    wanted = null;
    await htmx.ajax("GET", path, { source: slider, target: main, swap: "none" }).catch(() => {});
    if (wanted === null) look(new Map());
    settleRows();
  }
  moving = false;
}

// Takes the place of what was foreseen at another place of the slider.
function look(kept) {
  foreseen?.();
  foreseen = kept.size ? foresee(kept) : null;
}

// Where the bound leads by risk alone is seen at once; the server's answer, which knows the rest, follows.
function lookAhead(bound) {
  const kept = new Map();
  for (const entry of document.querySelectorAll('#entities li[data-hand="0"]')) {
    const isKept = Number(entry.dataset.risk) < bound;
    if (isKept !== (entry.dataset.verdict === "kept")) kept.set(entry.dataset.e, isKept);
  }
  look(kept);
}

function inWords() {
  const words = slider.dataset.words.split("|")[slider.value];
  slider.setAttribute("aria-valuetext", words);
  document.getElementById("strictness").textContent = words;
  return words;
}

// The slider follows the document, unless it is being moved.
export function placeSlider() {
  if (!unsettled && !sending) slider.value = figures().dataset.position;
  inWords();
}

function preview() {
  inWords();
  lookAhead(Number(slider.dataset.bounds.split(" ")[slider.max - slider.value]));
  wanted = slider.value;
  unsettled = true;
  if (moving) return;
  moving = true;
  previewing = saved().then(follow);
}

export function settle() {
  clearTimeout(rest);
  if (!unsettled) return;
  unsettled = false;
  wanted = null;
  const answered = foreseen;
  foreseen = null;
  sending += 1;
  post("/bound", { position: slider.value }, { answered, words: `How strict: ${inWords()}.` }).then(() => {
    sending -= 1;
    placeSlider();
  });
}

// Each key is a change of its own to the browser; those of one move are one, which is sent when the keys rest,
// the slider is left, or anything else is done.
function settleSoon() {
  clearTimeout(rest);
  if (isByKeys) rest = setTimeout(settle, 500);
  else settle();
}

export function startSlider() {
  inWords();
  slider.addEventListener("input", preview);
  slider.addEventListener("keydown", () => { isByKeys = true; });
  slider.addEventListener("pointerdown", () => { isByKeys = false; });
  slider.addEventListener("change", settleSoon);
  slider.addEventListener("blur", settle);
  // Let go where it was taken up, a slider has not changed, but the page may show a preview.
  slider.addEventListener("pointerup", settle);
}
