// The list of entities: which of them need a person, and in which order.
const start = (entity) => Number(entity.split("-")[0]);
const entries = () => document.querySelectorAll("#entities li");

export const item = (entity) => document.getElementById(`entity-${entity}`);

// The entities that need a person, by uncertainty and reach.
export function waiting() {
  return [...entries()].filter((entry) => Number(entry.dataset.doubt) > 0)
    .sort((one, other) => other.dataset.doubt - one.dataset.doubt || start(one.dataset.e) - start(other.dataset.e))
    .map((entry) => entry.dataset.e);
}

// The places of the entities as they stand on the page: notes are among the paragraphs with their marks.
function places() {
  const found = new Map();
  for (const mark of document.querySelectorAll("#rows .m[data-e]")) {
    if (!found.has(mark.dataset.e)) found.set(mark.dataset.e, found.size);
  }
  return found;
}

// The entities shown that nobody has decided, in order of the page.
export function undecided() {
  const order = places();
  return [...entries()].filter((entry) => entry.dataset.hand === "0" && !entry.hidden)
    .map((entry) => entry.dataset.e).sort((one, other) => order.get(one) - order.get(other));
}

export function after(entity, entities, direction) {
  const order = places();
  const here = order.get(entity) ?? -1;
  const ahead = direction > 0 ? entities.find((other) => order.get(other) > here)
    : entities.findLast((other) => order.get(other) < here);
  return ahead ?? entities.at(direction > 0 ? 0 : -1);
}

// Entries that came anew stand where the one before stood; each belongs to the group of its decision.
export function regroup() {
  for (const group of document.querySelectorAll("#entities ul")) {
    for (const entry of [...group.children]) {
      const right = entry.dataset.verdict === "kept" ? "kept" : "masked";
      if (right === group.dataset.group) continue;
      const other = document.querySelector(`#entities ul[data-group="${right}"]`);
      const below = [...other.children].find((one) => Number(one.dataset.danger) < Number(entry.dataset.danger));
      other.insertBefore(entry, below ?? null);
    }
  }
}
