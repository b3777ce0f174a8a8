// Answers to the forms of a page, said where the person sees them: what was done, what was refused, what is lost.
import { say } from "./notice.js";

// The sentence of a refusal, which answers as a page of its own; empty where the answer is for its form.
function refusal(text) {
  return new DOMParser().parseFromString(text, "text/html").getElementById("problem")?.textContent ?? "";
}

export function answers() {
  document.addEventListener("tacenda:said", (event) => say(event.detail.value));
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    const sentence = xhr.status >= 400 ? refusal(xhr.responseText) : "";
    if (!sentence) return;
    event.detail.shouldSwap = false;
    say(sentence, true);
  });
  document.addEventListener("htmx:sendError", () => say("Nothing was changed: the program does not answer. Restart it if it has stopped.", true));
}
