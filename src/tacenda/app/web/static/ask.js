// Sends a form to this server with the proof of the session.
export const { "X-Tacenda-Proof": proof } = JSON.parse(document.body.getAttribute("hx-headers"));

export function ask(place, values, signal) {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) body.append(name, item);
  }
  return fetch(place, { method: "POST", headers: { "X-Tacenda-Proof": proof }, body, signal });
}
