// The page of a review: what the reviewer says is sent, and shown once it is saved.
import "../frame.js";
import { post, renew } from "./send.js";

document.addEventListener("submit", (event) => {
  if (event.target.id !== "check") return;
  event.preventDefault();
  const values = { value: event.submitter?.value ?? "protected", note: document.getElementById("note").value };
  post(location.pathname, () => values, (page) => renew(page, ["reviews"]));
});
