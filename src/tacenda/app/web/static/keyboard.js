// Everything by keyboard: what holds for the keys of all pages.
//
// `first` sees every key and tells whether it is done; `typing` tells whether a key is text; `act` does
// what a key means and tells whether it means anything.
export function listen({ first, typing, act }) {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || first(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    if (event.key === "Enter" || event.key === " ") {
      if (!event.target.matches(".m, .r")) return;
      event.preventDefault();
      event.target.click();
    } else if (act(event)) event.preventDefault();
  });
}

const OPENING = /^Mac/.test(navigator.platform) ? /^( |Arrow(Up|Down))$/ : /^( |F4)$/;
const STEPPING = /^(.|Arrow.*|Page.*|Home|End)$/u;

// What is chosen in a select is taken. Stepping through its options by keys chooses at each step; there Enter
// takes, and what loses the focus before that is as it was. `tell` says whether a choice waits for Enter.
export function onChoice(selector, take, tell) {
  let isStepping = false;
  let held = null;
  function hold(select) {
    if (select !== held) tell(select !== null);
    held = select;
  }
  const isOf = ({ target }) => target.matches(selector);
  document.addEventListener("pointerdown", () => { isStepping = false; });
  document.addEventListener("keydown", (event) => {
    if (!isOf(event)) return;
    const { key, altKey, target } = event;
    if (key === "Enter") {
      isStepping = false;
      if (held !== target) return;
      event.preventDefault();
      hold(null);
      take(target);
    } else if (OPENING.test(key) || (altKey && STEPPING.test(key))) isStepping = false;
    else if (STEPPING.test(key)) isStepping = true;
  });
  document.addEventListener("change", (event) => {
    if (!isOf(event)) return;
    hold(isStepping ? event.target : null);
    if (!held) take(event.target);
  });
  document.addEventListener("focusout", ({ target }) => {
    if (target !== held) return;
    hold(null);
    for (const option of target.options) option.selected = option.defaultSelected;
  });
}
