// Asking the service: JSON there and back, and its sentence where it says no.

/** What is answered at an address; a body is posted, and `more` are further options of `fetch`. Throws an Error with the service's sentence. */
export async function ask(address, body, more = {}) {
  const posted = body === undefined
    ? {}
    : { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  let answer;
  try {
    answer = await fetch(address, { headers: { Accept: "application/json" }, ...posted, ...more });
  } catch {
    throw new Error("The table cannot be reached: is this phone in its network?");
  }
  const said = await answer.json().catch(() => ({ error: "That was no answer." }));
  if (!answer.ok || said.error) {
    throw Object.assign(new Error(said.error), { status: answer.status, lines: said.lines ?? [], edit: said.edit });
  }
  return said;
}

/** An id that nobody else makes. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
}
