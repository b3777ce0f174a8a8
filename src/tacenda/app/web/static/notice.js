// A sentence for the person, where screen readers hear it.
export function say(text, warning = false) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  notice.classList.toggle("warning", warning);
}
