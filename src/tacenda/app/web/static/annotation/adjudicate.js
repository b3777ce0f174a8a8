// The page of the adjudicator: each place is decided by a click or a key, then comes the next.
import { say } from "../notice.js";
import { isUnsaved, post, renew, retry } from "./send.js";

const dialog = document.getElementById("own");
let chosen = ""; // The place, start-end.

const work = () => document.getElementById("work");
const rows = () => [...work().querySelectorAll("tr[data-place]")];
const current = () => rows().find((row) => row.dataset.place === chosen);
const span = (place) => place.split("-").map(Number);

function choose(row, focus = true) {
  for (const other of rows()) other.classList.toggle("chosen", other === row);
  chosen = row?.dataset.place ?? "";
  if (row && focus) {
    row.scrollIntoView({ block: "nearest" });
    row.querySelector("[data-key]").focus({ preventScroll: true }); // on a phone the text stays in view
  }
}

// The next place to decide after the chosen one, or before it; any place if all are decided.
function go(step) {
  const all = rows();
  const open = all.filter((row) => row.dataset.open === "1" || row.dataset.place === chosen);
  const candidates = open.some((row) => row.dataset.place !== chosen) ? open : all;
  const index = candidates.findIndex((row) => row.dataset.place === chosen);
  if (!candidates.length) return;
  const start = index < 0 ? (step > 0 ? -1 : 0) : index;
  choose(candidates[(start + step + candidates.length) % candidates.length]);
}

function show(page) {
  renew(page, ["work"]);
  choose(current(), false);
}

async function send(path, values, advance) {
  const saved = await post(path + location.search, () => ({ revision: Number(work().dataset.revision), ...values }), show);
  if (!saved) return;
  say(document.getElementById("open").textContent);
  if (advance) go(1);
}

function decide(act) {
  send(work().dataset.base, { act }, true);
}

function own(row) {
  const select = document.getElementById("own-span");
  const places = [...new Set([row.dataset.place, ...row.dataset.spans.trim().split(" ").filter(Boolean)])];
  const [start] = span(row.dataset.place);
  const words = [...row.querySelector("mark").textContent];
  select.replaceChildren(...places.map((place) => {
    const [from, to] = span(place);
    return new Option(words.slice(from - start, to - start).join(""), place);
  }));
  dialog.returnValue = "";
  dialog.showModal();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const row = event.target.closest("tr[data-place]");
  if (row) choose(row, false);
  if (!button) return;
  if (button.dataset.take) decide({ kind: "take", spans: [span(chosen)], value: button.dataset.take });
  else if ("own" in button.dataset) own(row);
  else if (button.dataset.step) send(`${work().dataset.base}/${button.dataset.step}`, {}, false);
});

dialog.addEventListener("close", () => {
  if (dialog.returnValue !== "own") return;
  const value = ["own-type", "own-identifier", "own-status"].map((id) => document.getElementById(id).value).join(" ");
  decide({ kind: "own", spans: [span(chosen), span(document.getElementById("own-span").value)], value });
});

document.addEventListener("keydown", (event) => {
  if (isUnsaved()) {
    if (event.key === "r") retry();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open || event.target.matches("input, select, textarea")) return;
  if (event.key === "j") go(1);
  else if (event.key === "J") go(-1);
  else if (event.key === "u") work().querySelector("[data-step=undo]").click();
  else if (event.key === "U") work().querySelector("[data-step=redo]").click();
  else current()?.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});
