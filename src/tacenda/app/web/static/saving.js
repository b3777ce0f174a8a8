// What is sent to be saved, one after the other. What is lost is tried again, in order, before anything
// else is done: until then `parts` of the page take no input.
import { say } from "./notice.js";

export function saver(parts) {
  let unsaved = [];
  let pending = Promise.resolve();

  const isUnsaved = () => unsaved.length > 0;

  function takeInput(isOpen) {
    for (const part of parts) part.inert = !isOpen;
  }

  function refuse() {
    takeInput(false);
    say("Your last change is not saved: the program does not answer. Restart it if it has stopped. ", true);
    const button = document.createElement("button");
    button.type = "button";
    button.id = "retry";
    button.textContent = "Try again (r)";
    button.addEventListener("click", retry);
    document.getElementById("notice").append(button);
    button.focus();
  }

  function retry() {
    const again = unsaved;
    unsaved = [];
    takeInput(true);
    say("");
    for (const one of again) one();
  }

  // `send` answers whether the server could not be reached. If it could not, `undo` takes back what was
  // foreseen, and `again` is the whole act once more.
  function save(send, undo, again) {
    pending = pending.then(async () => {
      if (!isUnsaved() && !(await send())) return;
      undo?.();
      unsaved.push(again);
      refuse();
    }).catch(() => {});
    return pending;
  }

  return { save, retry, isUnsaved, settled: () => pending };
}
