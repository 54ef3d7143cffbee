// What is typed and not yet said: it is there again after the page is loaded anew.

const keyOf = (field) => `typed ${location.pathname} ${field.id}`;

/** What was typed or chosen before, if anything. */
export const remembered = (field) => localStorage.getItem(keyOf(field));

/** Keeps what is typed into a field, for this viewer on this device, until it is said; puts it there again. */
export function keepsTyped(field) {
  const before = remembered(field);
  if (before !== null) {
    field.value = before;
    field.dispatchEvent(new Event("input"));
  }
  field.addEventListener("input", () => localStorage.setItem(keyOf(field), field.value));
}

/** Empties a field whose words were said. */
export function emptied(field) {
  field.value = "";
  localStorage.removeItem(keyOf(field));
}
