// The first page: a text tried out as it is typed, and the settings that a project begins with.
import { ask } from "./ask.js";
import { counted } from "./counted.js";
import { addFiles, addText, open, removeAll, startNew } from "./new.js";

const PAUSE = 250; // Milliseconds without a key after which the text is sent.
const text = document.getElementById("text");
const result = document.getElementById("result");
const summary = document.getElementById("summary");
const profile = document.getElementById("profile");
const position = document.getElementById("position");
const asProject = document.getElementById("as-project");
const copy = document.getElementById("copy");
const WORDS = position.dataset.words.split("|");

let moved = false;
let hasKind = false; // Whether somebody chose the kind of text, and the style.
let hasStyle = false;
let source = null; // The file of the text, until it is edited.
let timer = 0;
let running = null;
let written = "";
let language = ""; // That the text seems to be in.

function settings() {
  const style = document.querySelector("input[name=style]:checked");
  return {
    profile: profile.value,
    style: style?.value ?? "",
    ...(moved ? { position: position.value } : {}),
  };
}

function describe() {
  document.getElementById("profile-words").textContent = profile.selectedOptions[0].dataset.words;
  const words = WORDS[Number(position.value)];
  document.getElementById("strictness").textContent = words;
  position.setAttribute("aria-valuetext", words);
}

function piece(item) {
  if (!item.outcome) return item.text;
  const element = document.createElement("span");
  element.className = `outcome ${item.outcome}`;
  element.title = item.title;
  const words = item.text || "∅";
  if (!item.badge) {
    element.textContent = words;
    return element;
  }
  const badge = document.createElement("span");
  badge.className = "badge";
  badge.setAttribute("aria-hidden", "true");
  badge.textContent = item.badge;
  // The letter stays on the line of the last word.
  const last = document.createElement("span");
  last.className = "last";
  const head = words.slice(0, words.search(/\S{0,12}\s*$/u));
  last.append(words.slice(head.length), " ", badge);
  element.append(head, last);
  return element;
}

function show(answer) {
  if (answer.error) {
    written = "";
    copy.disabled = true;
    result.textContent = "";
    summary.className = "summary fault";
    summary.textContent = answer.error;
    return;
  }
  written = answer.text;
  language = answer.language;
  copy.disabled = false;
  result.replaceChildren(...answer.pieces.map(piece));
  level(text, result);
  const parts = [counted(answer.masked, "thing replaced", "things replaced"), `${answer.doubtful} to look at`, answer.left];
  if (answer.leaks) parts.push(`${counted(answer.leaks, "place")} where something replaced can still be read`);
  summary.className = answer.leaks ? "summary fault" : "summary";
  summary.textContent = [parts.join(" · "), ...answer.warnings].join(" — ");
}

// Both sides show the same part of the text: where one is scrolled to, the other follows.
const followers = new Set();

function level(side, other) {
  const share = side.scrollTop / Math.max(1, side.scrollHeight - side.clientHeight);
  const place = Math.round(share * (other.scrollHeight - other.clientHeight));
  if (Math.abs(other.scrollTop - place) < 2) return;
  followers.add(other);
  other.scrollTop = place;
}

for (const [side, other] of [[text, result], [result, text]]) {
  side.addEventListener("scroll", () => { if (!followers.delete(side)) level(side, other); });
}

async function attempt() {
  running?.abort();
  asProject.disabled = !text.value.trim();
  if (!text.value.trim()) {
    result.replaceChildren();
    summary.textContent = "";
    copy.disabled = true;
    return;
  }
  const current = new AbortController();
  running = current;
  result.setAttribute("aria-busy", "true");
  try {
    const answer = await ask("/try", { text: text.value, ...settings() }, current.signal);
    show(answer.status === 200 || answer.status === 422 ? await answer.json() : { error: "The program did not answer as expected; reload the page." });
  } catch (error) {
    if (error.name !== "AbortError") show({ error: "The program does not answer. Is it still running?" });
  }
  if (running === current) result.removeAttribute("aria-busy");
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(attempt, PAUSE);
}

function put(value, file = null) {
  text.value = value;
  source = file;
  text.scrollTop = 0;
  attempt();
}

text.addEventListener("input", () => { source = null; later(); });
function follow() { // A kind of text brings its own style and strictness.
  moved = false;
  hasStyle = false;
  suit();
}

// Of style and strictness what nobody chose is as usual for the kind of text.
function suit() {
  const usual = profile.selectedOptions[0].dataset;
  if (!moved) position.value = usual.position;
  for (const style of hasStyle ? [] : document.querySelectorAll("input[name=style]")) {
    style.checked = style.value === usual.style;
  }
  describe();
}

// What was chosen here, for a new project; the rest is as usual for each kind of text.
function choices() {
  const { style, ...others } = settings();
  return { ...others, profile: hasKind ? profile.value : "", style: hasStyle ? style : "" };
}

profile.addEventListener("change", () => { hasKind = true; follow(); later(); });
position.addEventListener("input", () => { moved = true; describe(); later(); });
for (const style of document.querySelectorAll("input[name=style]")) style.addEventListener("change", () => { hasStyle = true; later(); });

for (const button of document.querySelectorAll("[data-sample]")) {
  button.addEventListener("click", async () => {
    const samples = await (await fetch("/static/samples.json")).json();
    const sample = samples[button.dataset.sample];
    profile.value = sample.profile;
    hasKind = false;
    follow();
    put(sample.text);
  });
}
copy.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(written);
    summary.textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(result);
    summary.textContent = "Selected; copy it with your keys.";
  }
});
asProject.addEventListener("click", () => {
  open(choices());
  if (source) addFiles([source], profile.value);
  else addText(text.value, profile.value, language);
});

async function dropped(files) {
  // One text on the first page is tried out; all else begins a project.
  const isFirst = !document.getElementById("first").hidden;
  if (isFirst && files.length > 1) open(choices());
  const [row] = await addFiles(files, isFirst && hasKind ? profile.value : undefined);
  if (!isFirst || files.length > 1) return;
  if (row.text) {
    removeAll();
    if (!hasKind) profile.value = row.profile;
    suit();
    put(row.text, files[0]);
  } else {
    open(choices());
  }
}

const sign = document.getElementById("drop-sign");
addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  sign.hidden = false;
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) sign.hidden = true; });
addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  sign.hidden = true;
  dropped([...event.dataTransfer.files]);
});

startNew(choices);
describe();
