// Rows of a list, gone through by keyboard; beyond an end of the page the next page opens.
export function stepper(selector) {
  const rows = () => [...document.querySelectorAll(selector)];
  let chosen = rows().findIndex((row) => row.classList.contains("chosen"));
  let enters = 0;

  function choose(index) {
    const all = rows();
    all.forEach((row, number) => row.classList.toggle("chosen", number === index));
    chosen = index;
    all[index].focus({ preventScroll: true });
    all[index].scrollIntoView({ block: "nearest" });
  }

  function step(direction) {
    const next = chosen + direction;
    if (next >= 0 && next < rows().length) {
      choose(next);
      return;
    }
    const link = document.querySelector(`.pages a[rel="${direction > 0 ? "next" : "prev"}"]`);
    if (!link || chosen < 0) return;
    enters = direction;
    link.click();
  }

  document.addEventListener("htmx:afterSettle", () => {
    chosen = -1;
    if (enters) choose(enters > 0 ? 0 : rows().length - 1);
    enters = 0;
  });

  // Enter on a row opens it.
  function opens(event) {
    if (event.key !== "Enter" || !event.target.matches(selector)) return false;
    event.preventDefault();
    event.target.querySelector("a")?.click();
    return true;
  }

  return { rows, step, choose, opens, chosen: () => rows()[chosen] };
}
