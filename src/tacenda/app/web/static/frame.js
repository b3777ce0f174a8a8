// What every page of a text has around it: bar and notice, views, panel, menus, dialogs.
import { showPages } from "./pages.js";

const main = document.getElementById("review");
const hasList = document.getElementById("filters") !== null;

// In a narrow window the panel is a sheet: folded away, the first lines about what is chosen, all of
// it, or the list. The handle names what comes next.
const NEXT = hasList ? { closed: "list", brief: "why", why: "list", list: "closed" } : { closed: "why", why: "closed" };

export function sheet(name) {
  main.dataset.sheet = name;
  const handle = document.getElementById("sheet-toggle");
  const { panel, list } = handle.dataset;
  handle.textContent = { why: `${panel} ▴`, list: `${list} ▴`, closed: "Fold away ▾" }[NEXT[name]];
  handle.setAttribute("aria-expanded", String(name !== "closed"));
}

const viewButtons = () => [...document.querySelectorAll("button[data-view]")];

export function view(name) {
  main.dataset.view = name;
  showPages();
  for (const button of viewButtons()) button.setAttribute("aria-pressed", String(button.dataset.view === name));
  main.dispatchEvent(new CustomEvent("tacenda:view"));
}

// A view that the person chooses is remembered under the name that the page has for it.
export function chooseView(name) {
  view(name);
  localStorage.setItem(main.dataset.views, name);
}

// The view after the one at hand, in words.
export function nextView() {
  const buttons = viewButtons();
  const button = buttons[(buttons.findIndex((one) => one.dataset.view === main.dataset.view) + 1) % buttons.length];
  chooseView(button.dataset.view);
  return button.textContent;
}

export const rememberedView = () => localStorage.getItem(main.dataset.views) ?? main.dataset.view;

document.addEventListener("click", (event) => {
  document.querySelectorAll("details.menu[open]").forEach((menu) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  const button = event.target.closest("button");
  if (button?.dataset.view) chooseView(button.dataset.view);
  if (button?.id === "bar-toggle") button.setAttribute("aria-expanded", String(button.ariaExpanded === "false"));
  if (button?.id === "help-button") document.getElementById("help").showModal();
  if (button?.id === "sheet-toggle") sheet(NEXT[main.dataset.sheet]);
  if (button?.hasAttribute("data-close")) button.closest("dialog").close();
});

// What stays at the top of the window, so that nothing lies under it.
for (const [name, part] of [["--bar", document.querySelector(".review-bar")], ["--notice", document.getElementById("notice-place")]]) {
  new ResizeObserver(() => {
    document.documentElement.style.setProperty(name, `${part.offsetHeight}px`);
  }).observe(part);
}

main.addEventListener("tacenda:unpaged", () => chooseView("both"));
sheet("closed");
