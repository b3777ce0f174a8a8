// A CSV file as a table: its keys.
import { listen } from "./keyboard.js";
import { stepper } from "./stepping.js";

const { rows, step, choose, opens, chosen } = stepper("#table tbody tr");
let kept = "";

const KEYS = {
  j: () => step(1),
  J: () => step(-1),
  v: () => {
    kept = chosen()?.id ?? "";
    document.querySelector(".sheet-tools a:not([aria-current])").click();
  },
};

listen({
  first: opens,
  typing: (event) => event.target.matches("input"),
  act(event) {
    KEYS[event.key]?.();
    return event.key in KEYS;
  },
});

// The other side shows the same row.
document.addEventListener("htmx:afterSettle", () => {
  const index = kept ? rows().findIndex((row) => row.id === kept) : -1;
  if (index >= 0) choose(index);
  kept = "";
});

if (chosen()) choose(rows().indexOf(chosen()));
