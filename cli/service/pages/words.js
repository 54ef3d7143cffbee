// The words of the table: what happened, line by line, the last one kept in sight.

const MOST = 200;

/** Puts events at the end of a list; text is text, whatever it says. */
export function tell(list, events) {
  const follows = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  for (const one of events) {
    const item = document.createElement("li");
    item.dir = "auto";
    item.dataset.id = one.id;
    item.dataset.kind = one.kind;
    item.textContent = one.told;
    list.append(item);
  }
  while (list.children.length > MOST) {
    list.firstElementChild.remove();
  }
  if (follows) {
    list.scrollTop = list.scrollHeight;
  }
}

/** Forgets what was told, and tells this. */
export function tellAnew(list, events) {
  list.replaceChildren();
  tell(list, events);
}
