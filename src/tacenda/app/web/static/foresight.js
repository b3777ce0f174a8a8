// What is seen at once, before the server has answered: marks as they will be, kept or masked.
import { partsOf } from "./rows.js";

const OUTCOMES = ["masked", "doubtful", "kept"];
const foreseen = new Set();
let real = new Map();

function show(mark, outcome) {
  mark.classList.remove(...OUTCOMES);
  mark.classList.add(outcome);
}

function paint({ kept, isPending }) {
  for (const [entity, isKept] of kept) {
    for (const mark of partsOf(entity)) {
      if (!mark.matches(".m")) continue;
      if (!real.has(mark)) real.set(mark, OUTCOMES.find((outcome) => mark.classList.contains(outcome)));
      show(mark, isKept ? "kept" : "masked");
      if (isPending) mark.classList.add("pending");
    }
  }
}

// The marks as the server said last.
function restore() {
  for (const [mark, outcome] of real) {
    show(mark, outcome);
    mark.classList.remove("pending");
  }
  real = new Map();
}

// Shows whether each entity of `kept` is kept, until the function is called that comes back.
export function foresee(kept, isPending = false) {
  const one = { kept, isPending };
  foreseen.add(one);
  paint(one);
  return () => {
    if (!foreseen.delete(one)) return;
    during(() => {});
  };
}

// Does what an answer says to marks that are as the server said before.
export function during(change) {
  restore();
  change();
  foreseen.forEach(paint);
}
