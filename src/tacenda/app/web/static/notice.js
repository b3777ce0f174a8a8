// A sentence for the person, where screen readers hear it: a loss at once, anything else in its turn.
export function say(text, warning = false) {
  const notice = document.getElementById("notice");
  notice.setAttribute("role", warning ? "alert" : "status");
  notice.setAttribute("aria-live", warning ? "assertive" : "polite");
  notice.textContent = text;
  notice.classList.toggle("warning", warning);
}
