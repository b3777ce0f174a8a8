"use strict";
const control = (id) => document.getElementById(id);
const LEFT = ["missed", "inconsistent", "partial"];
const documents = [...document.querySelectorAll(".document")].map((element) => ({
  element, name: element.querySelector("summary").textContent, marks: [...element.querySelectorAll(".s")],
}));
let current = documents[0];
let place = -1;

function matches(mark) {
  const kind = control("kind").value, type = control("type").value;
  return mark.parentElement.dataset.system === control("system").value
    && (!type || mark.dataset.type === type)
    && (!kind || (kind === "left" ? LEFT.some((name) => mark.classList.contains(name)) : mark.classList.contains(kind)));
}

function filter() {
  const options = [];
  for (const item of documents) {
    item.found = item.marks.filter(matches);
    const everything = !control("kind").value && !control("type").value;
    if (item.found.length || everything) options.push(new Option(`${item.name} (${item.found.length})`, documents.indexOf(item)));
  }
  control("document").replaceChildren(...options);
  const shown = options.map((option) => documents[option.value]);
  show(shown.includes(current) ? current : shown[0]);
}

function show(item) {
  for (const other of documents) other.element.hidden = other !== item;
  place = -1;
  const list = control("document");
  const options = list.options.length;
  for (const id of ["previous", "next", "place"]) control(id).disabled = !item;
  if (!item) { control("count").textContent = "In no document is there such a place."; return; }
  current = item;
  list.value = documents.indexOf(item);
  control("previous").disabled = list.selectedIndex <= 0;
  control("next").disabled = list.selectedIndex === options - 1;
  const type = control("type").value, system = control("system").value, found = new Set(item.found);
  for (const cell of item.element.querySelectorAll("[data-system]")) cell.hidden = cell.dataset.system !== system;
  for (const mark of item.marks) mark.classList.toggle("off", !found.has(mark));
  for (const mark of item.element.querySelectorAll(".g")) mark.classList.toggle("off", Boolean(type) && mark.dataset.type !== type);
  control("place").disabled = !item.found.length;
  control("count").textContent = `${list.selectedIndex + 1} of ${options} documents, ${item.found.length} places`;
}

function step(by) {
  const list = control("document");
  const option = list.options[list.selectedIndex + by];
  if (option) show(documents[option.value]);
  return Boolean(option);
}

function nextPlace() {
  current.found[place]?.classList.remove("current");
  if (place + 1 >= current.found.length && !step(1)) place = -1;
  const mark = current.found[++place];
  mark?.classList.add("current");
  mark?.scrollIntoView({ block: "center" });
}

function open() {
  const item = documents.find(({ element }) => `#${element.id}` === location.hash);
  if (!item) return;
  for (const id of ["type", "kind"]) control(id).value = "";
  current = item;
  filter();
  item.element.scrollIntoView();
}

if (documents.length) {
  for (const { element } of documents) {
    element.open = true;
    element.classList.add("scripted");
  }
  control("controls").hidden = false;
  for (const id of ["system", "type", "kind"]) control(id).addEventListener("change", filter);
  control("document").addEventListener("change", (event) => show(documents[event.target.value]));
  control("previous").addEventListener("click", () => step(-1));
  control("next").addEventListener("click", () => step(1));
  control("place").addEventListener("click", nextPlace);
  window.addEventListener("hashchange", open);
  filter();
  open();
}
