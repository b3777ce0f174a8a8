// Sentences for the person, where screen readers hear them.

// A sentence on the page: a loss is read at once, anything else in its turn.
export function say(text, warning = false) {
  const notice = document.getElementById("notice");
  notice.setAttribute("role", warning ? "alert" : "status");
  notice.setAttribute("aria-live", warning ? "assertive" : "polite");
  notice.textContent = text;
  notice.classList.toggle("warning", warning);
}

// What was done, for those who don't see it; `more` goes on with what was said last.
export function announce(sentence, more = false) {
  const place = document.getElementById("announcement");
  place.textContent = more ? `${place.textContent} ${sentence}`.trim() : sentence;
}
