// A new project: files are looked at one by one, wrong ones are named, columns chosen; then it begins.
import { ask } from "./ask.js";
import { counted } from "./counted.js";

const form = document.getElementById("upload");
const list = document.getElementById("file-rows");
const fault = document.getElementById("upload-fault");
const begin = document.getElementById("begin");
const summary = document.getElementById("files-summary");
const input = document.getElementById("files");

let entries = []; // {file or text, name, digest, fault, columns: those of text or null, kept: others that stay, element}
const TREATMENTS = { text: "sanitize as text", keep: "keep as it is", drop: "leave out" };
let looking = 0;
let once = newForm();
let settings = () => ({});

function newForm() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const isGood = (entry) => !entry.fault && entry.ready && (entry.columns === null || entry.columns.size > 0);

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
  const remove = element("button", { type: "button", className: "remove" }, "Leave out");
  remove.setAttribute("aria-label", `Leave out ${entry.name}`);
  remove.addEventListener("click", () => drop(entry));
  entry.element = element("li", {}, element("div", { className: "file-row" }, element("strong", {}, entry.name), state, remove));
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

async function look(entry) {
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
  state.className = entry.fault ? "state fault" : "state quiet";
  if (!entry.fault && answer.columns?.length) columnTable(entry, answer);
  tell();
  return { ...answer, fault: entry.fault };
}

// Look at files, in order; answer what each holds.
export async function addFiles(files) {
  const answers = [];
  for (const file of files) {
    const entry = { file, name: file.name, columns: null };
    entries.push(entry);
    answers.push(await look(entry));
  }
  return answers;
}

export function addText(text) {
  const before = entries.find((entry) => entry.text !== undefined);
  if (before) drop(before);
  const entry = { text, name: "Pasted text", columns: null, ready: true };
  entries.push(entry);
  row(entry).textContent = counted(text.length, "character");
  tell();
}

async function send(event) {
  event.preventDefault();
  if (begin.disabled) return;
  begin.disabled = true;
  fault.textContent = "";
  const good = entries.filter(isGood);
  const files = good.filter((entry) => entry.file);
  const values = {
    ...settings(),
    name: document.getElementById("name").value,
    files: files.map((entry) => entry.file),
    columns: JSON.stringify(files.map((entry) => [...(entry.columns ?? [])])),
    kept: JSON.stringify(files.map((entry) => [...(entry.kept ?? [])])),
    text: good.find((entry) => entry.text !== undefined)?.text ?? "",
    once,
  };
  try {
    const answer = await ask("/projects", values);
    const place = answer.headers.get("HX-Redirect");
    if (answer.status === 204 && place) {
      location.assign(place);
      return;
    }
    fault.textContent = [422, 429].includes(answer.status) ? await answer.text() : "The files could not be sent.";
  } catch {
    fault.textContent = "The program does not answer. Is it still running?";
  }
  once = newForm();
  begin.disabled = false;
}

export function startNew(chosen) {
  settings = chosen;
  form.addEventListener("submit", send);
  input.addEventListener("change", () => {
    addFiles([...input.files]);
    input.value = "";
  });
}
