// The slider: how strict the document is, seen while it moves.
import { base, figures, post, saved } from "./changes.js";
import { page, shown } from "./review.js";

const main = document.getElementById("review");
const slider = document.getElementById("bound");
let previewing = Promise.resolve();
let previewed = false;

// Until no preview is on its way.
export const previews = () => previewing;

// Whether the page shows a preview, which what is sent next takes back.
export function takePreview() {
  const was = previewed;
  previewed = false;
  return was;
}

// While the slider moves, at most one preview is on its way and the latest one follows.
let wanted = null;
let moving = false;
async function follow() {
  while (wanted !== null) {
    const path = `${base}/preview?position=${wanted}&chosen=${page.mention || page.entity}`;
    wanted = null;
    await htmx.ajax("GET", path, { source: slider, target: main, swap: "none" }).catch(() => {});
  }
  moving = false;
}

// Where the bound leads by risk alone is seen at once; the server's answer, which knows the rest, follows.
function foresee(bound) {
  const kept = new Map();
  for (const entry of document.querySelectorAll('#entities li[data-hand="0"]')) {
    const isKept = Number(entry.dataset.risk) < bound;
    if (isKept !== (entry.dataset.verdict === "kept")) kept.set(entry.dataset.e, isKept);
  }
  if (!kept.size) return;
  for (const part of document.querySelectorAll(".m[data-e]")) {
    const isKept = kept.get(part.dataset.e);
    if (isKept !== undefined) shown(part, isKept);
  }
}

function inWords() {
  const words = slider.dataset.words.split("|")[slider.value];
  slider.setAttribute("aria-valuetext", words);
  document.getElementById("strictness").textContent = words;
  return words;
}

// The slider stands where the document does, unless somebody moves it.
export function placeSlider() {
  if (document.activeElement !== slider) slider.value = figures().dataset.position;
  inWords();
}

function preview() {
  inWords();
  foresee(Number(slider.dataset.bounds.split(" ")[slider.max - slider.value]));
  wanted = slider.value;
  previewed = true;
  if (moving) return;
  moving = true;
  previewing = saved().then(follow);
}

function settle() {
  if (!takePreview()) return;
  wanted = null;
  post("/bound", { position: slider.value }, { words: `How strict: ${inWords()}.` });
}

export function startSlider() {
  inWords();
  slider.addEventListener("input", preview);
  slider.addEventListener("change", settle);
  // Let go where it was taken up, a slider has not changed, but the page may show a preview.
  slider.addEventListener("pointerup", settle);
}
