// Says why files could not be taken; everything else about the form is htmx.
const form = document.getElementById("upload");
const fault = document.getElementById("upload-fault");

form.addEventListener("htmx:beforeRequest", () => { fault.textContent = ""; });
form.addEventListener("htmx:afterRequest", (event) => {
  const { status, responseText } = event.detail.xhr;
  if (status === 204) return;
  fault.textContent = status === 422 || status === 429 ? responseText : "The files could not be sent.";
});
