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
