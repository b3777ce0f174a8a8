// A new project: files are looked at one by one, wrong ones are named, kinds and columns chosen; then it begins.
// It is a page of its own in the document of the first page, so that files go there without being stored.
import { ask } from "./ask.js";
import { counted } from "./counted.js";

const form = document.getElementById("upload");
const list = document.getElementById("file-rows");
const fault = document.getElementById("upload-fault");
const begin = document.getElementById("begin");
const summary = document.getElementById("files-summary");
const input = document.getElementById("files");

let entries = []; // {file or text, name, kind, digest, fault, columns: those of text or null, kept: others that stay, element}
const TREATMENTS = { text: "sanitize as text", keep: "keep as it is", drop: "leave out" };
let usualKind = ""; // That was chosen on the first page; empty to guess it of each file.
let looking = 0;
let once = newForm();

function newForm() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const isGood = (entry) => !entry.fault && entry.ready && (entry.columns === null || entry.columns.size > 0);

const several = document.getElementById("several-kinds");
const kindsOf = (chosen) => [...new Set(chosen.map((entry) => entry.kind.value))];

function tell() {
  const good = entries.filter(isGood).length;
  const wrong = entries.filter((entry) => entry.fault).length;
  const unticked = entries.filter((entry) => entry.ready && !entry.fault && entry.columns?.size === 0).length;
  const parts = [];
  if (looking) parts.push(`looking at ${looking}`);
  if (good) parts.push(`${good} ready`);
  if (unticked) parts.push(`${unticked} without a column of text`);
  if (wrong) parts.push(`${wrong} left out`);
  summary.textContent = parts.join(", ");
  several.hidden = kindsOf(entries.filter(isGood)).length < 2;
  begin.disabled = looking > 0 || good === 0 || unticked > 0;
}

function drop(entry) {
  entries = entries.filter((other) => other !== entry);
  entry.element.remove();
  tell();
  input.focus();
}

function row(entry) {
  const state = element("span", { className: "state quiet" }, "looking at it …");
  const remove = element("button", { type: "button", className: "remove" }, "Remove");
  remove.setAttribute("aria-label", `Remove ${entry.name}`);
  remove.addEventListener("click", () => drop(entry));
  entry.kind = element("select", {}, document.getElementById("kinds").content.cloneNode(true));
  entry.kind.addEventListener("change", tell);
  entry.language = element("select", {}, document.getElementById("languages").content.cloneNode(true));
  entry.choice = element("span", { className: "kind", hidden: true }, element("label", {}, "Language ", entry.language), element("label", {}, "Kind of text ", entry.kind));
  entry.element = element("li", {}, element("div", { className: "file-row" }, element("strong", {}, entry.name), state, entry.choice, remove));
  list.append(entry.element);
  return state;
}

function columnTable(entry, answer) {
  entry.columns = new Set(answer.suggested);
  entry.kept = new Set();
  const head = answer.columns.map((column) => {
    const choice = element("select", {}, ...Object.entries(TREATMENTS).map(([value, words]) => new Option(words, value)));
    choice.value = entry.columns.has(column) ? "text" : "drop";
    choice.addEventListener("change", () => {
      entry.columns.delete(column);
      entry.kept.delete(column);
      if (choice.value === "text") entry.columns.add(column);
      if (choice.value === "keep") entry.kept.add(column);
      tell();
    });
    return element("th", { scope: "col" }, element("label", {}, `${column} `, choice));
  });
  const body = answer.rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell))));
  const table = element("table", { className: "queue" }, element("caption", {}, "Choose a treatment for each column. Kept columns are saved unchanged except for masked people."), element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  const scroll = element("div", { className: "scroll", tabIndex: 0, ariaLabel: `Columns of ${entry.name}` }, table);
  scroll.setAttribute("role", "region");
  entry.element.append(scroll);
}

// What a text was taken for is shown, and can be changed; what was chosen before stays.
function tellKind(entry, answer, chosen) {
  entry.kind.value = chosen || answer.profile || "usual";
  entry.guess = answer.language || "en";
  entry.language.value = entry.guess;
  entry.choice.hidden = false;
}

async function look(entry, kind) {
  const state = row(entry);
  looking += 1;
  tell();
  let answer;
  try {
    const response = await ask("/preview", { file: entry.file });
    answer = response.ok ? await response.json() : { fault: response.status === 413 ? "it is too large; send fewer documents at once." : "it could not be read." };
  } catch {
    answer = { fault: "the program does not answer. Is it still running?" };
  }
  looking -= 1;
  entry.digest = answer.digest;
  const twin = entries.find((other) => other !== entry && other.ready && other.digest && other.digest === answer.digest);
  entry.fault = answer.fault || (twin ? `the same file as ${twin.name}; it is taken once.` : "");
  entry.ready = true;
  state.textContent = entry.fault ? `Left out: ${entry.fault}` : answer.kind;
  if (!entry.fault) tellKind(entry, answer, kind);
  state.className = entry.fault ? "state fault" : "state quiet";
  if (!entry.fault && answer.columns?.length) columnTable(entry, answer);
  tell();
  return { ...answer, fault: entry.fault };
}

// Look at files, in order; answer what each holds. Their kind is guessed unless it was chosen.
export async function addFiles(files, kind = usualKind) {
  const answers = [];
  for (const file of files) {
    const entry = { file, name: file.name, columns: null };
    entries.push(entry);
    answers.push(await look(entry, kind));
  }
  return answers;
}

export function removeAll() {
  for (const entry of entries) entry.element.remove();
  entries = [];
  tell();
}

// The language of each document is guessed again where nobody says that this one is wrong: rows may differ.
const stated = (entry) => (!entry || entry.language.value === entry.guess ? "" : entry.language.value);

export function addText(text, kind, language) {
  const before = entries.find((entry) => entry.text !== undefined);
  if (before) drop(before);
  const entry = { text, name: "Pasted text", columns: null, ready: true };
  entries.push(entry);
  row(entry).textContent = counted(text.length, "character");
  tellKind(entry, { language }, kind);
  tell();
}

// Begin the project of one kind of text; return its place, or nothing if it was refused.
async function beginOf(kind, chosen, isOnly) {
  const files = chosen.filter((entry) => entry.file);
  const name = document.getElementById("name").value.trim();
  const pasted = chosen.find((entry) => entry.text !== undefined);
  const label = chosen[0].kind.selectedOptions[0].textContent;
  const values = {
    profile: kind,
    style: document.getElementById("new-style").value,
    target: document.getElementById("target").value,
    name: isOnly || !name ? name : `${name}: ${label}`,
    files: files.map((entry) => entry.file),
    columns: JSON.stringify(files.map((entry) => [...(entry.columns ?? [])])),
    kept: JSON.stringify(files.map((entry) => [...(entry.kept ?? [])])),
    languages: JSON.stringify(files.map(stated)),
    text: pasted?.text ?? "",
    language: stated(pasted),
    same_tags: document.getElementById("same-tags").checked,
    once: `${once}-${kind}`,
  };
  const position = document.getElementById("new-position").value;
  if (position) values.position = position;
  const answer = await ask("/projects", values);
  const place = answer.headers.get("HX-Redirect");
  if (answer.status === 204 && place) return place;
  fault.textContent = [422, 429].includes(answer.status) ? await answer.text() : "The files could not be sent.";
  return null;
}

async function send(event) {
  event.preventDefault();
  if (begin.disabled) return;
  begin.disabled = true;
  fault.textContent = "";
  const good = entries.filter(isGood);
  const kinds = kindsOf(good);
  try {
    for (const kind of kinds) {
      const chosen = good.filter((entry) => entry.kind.value === kind);
      const place = await beginOf(kind, chosen, kinds.length === 1);
      if (!place) break;
      if (kind === kinds.at(-1)) location.assign(kinds.length === 1 ? place : "/#projects-heading");
      else chosen.forEach(drop); // It is begun, whatever becomes of the others.
      if (kind === kinds.at(-1)) return;
    }
  } catch {
    fault.textContent = "The program does not answer. Is it still running?";
  }
  once = newForm();
  begin.disabled = false;
}

const first = document.getElementById("first");
const page = document.getElementById("new");

function turn() {
  const isNew = location.pathname === "/new";
  first.hidden = isNew;
  page.hidden = !isNew;
  document.title = `${isNew ? "New project" : "Try a text"} · tacenda`;
}

// Go to the page of a new project, with what was chosen on the first one.
export function open(chosen) {
  if (page.hidden) history.pushState({}, "", "/new");
  turn();
  usualKind = chosen.profile;
  document.getElementById("new-style").value = chosen.style;
  const position = document.getElementById("new-position");
  const words = chosen.position && document.getElementById("strictness").textContent;
  const option = [...position.options].find((item) => item.textContent === words);
  if (option) option.value = chosen.position;
  position.value = chosen.position ?? "";
  scrollTo(0, 0);
  document.getElementById("new-heading").focus();
}

export function startNew(choices) {
  form.addEventListener("submit", send);
  input.addEventListener("change", () => {
    addFiles([...input.files]);
    input.value = "";
  });
  document.getElementById("one-kind").addEventListener("click", () => {
    for (const { kind } of entries) kind.value = "usual";
    tell();
    begin.focus();
  });
  document.getElementById("to-new").addEventListener("click", (event) => {
    event.preventDefault();
    open(choices());
  });
  addEventListener("popstate", turn);
}
