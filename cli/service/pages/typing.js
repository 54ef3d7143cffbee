// What is typed and not yet said: it is there again after the page is loaded anew.

const keyOf = (field) => `typed ${location.pathname} ${field.id}`;

/** Keeps what is typed into a field, for this tab and viewer, until it is said; puts it there again. */
export function keepsTyped(field) {
  const before = sessionStorage.getItem(keyOf(field));
  if (before !== null) {
    field.value = before;
    field.dispatchEvent(new Event("input"));
  }
  field.addEventListener("input", () => sessionStorage.setItem(keyOf(field), field.value));
}

/** Empties a field whose words were said. */
export function emptied(field) {
  field.value = "";
  sessionStorage.removeItem(keyOf(field));
}
