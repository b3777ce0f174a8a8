// Search and filters of the list of entities; they hide, the server is not asked.
const search = document.getElementById("search");
const type = document.getElementById("filter-type");
const state = document.getElementById("filter-state");

const STATES = {
  "": () => true,
  undecided: (data) => data.hand === "0",
  kept: (data) => data.verdict === "kept",
  masked: (data) => data.verdict !== "kept",
  together: (data) => data.together === "1" && data.verdict === "kept",
  risky: (data) => data.verdict === "kept" && Number(data.risk) >= 0.1,
};

export function filter() {
  const words = search.value.trim().toLowerCase();
  for (const element of document.querySelectorAll("#entities li")) {
    const data = element.dataset;
    element.hidden = !(data.search.includes(words) && (!type.value || data.type === type.value) && STATES[state.value](data));
  }
  const isNarrowed = Boolean(words || type.value || state.value);
  let count = 0;
  for (const group of document.querySelectorAll("#entities ul")) {
    const shown = [...group.children].filter((element) => !element.hidden).length;
    const heading = group.previousElementSibling;
    count += shown;
    heading.hidden = isNarrowed && !shown;
    heading.querySelector("span").textContent = isNarrowed ? `${shown} of ${group.children.length}` : group.children.length;
  }
  const nothing = document.getElementById("no-entity");
  const sentence = isNarrowed && !count ? "Nothing is found like that." : "";
  if (nothing.textContent !== sentence) nothing.textContent = sentence;
}

export function startFilters() {
  search.addEventListener("input", filter);
  type.addEventListener("change", filter);
  state.addEventListener("change", filter);
  document.getElementById("filters").addEventListener("submit", (event) => {
    event.preventDefault();
    document.querySelector("#entities li:not([hidden]) .entity")?.click();
  });
}
