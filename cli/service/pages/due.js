// What is due: each line that may be said now, as a form; words that are yet to be found get a field.

/** Fills `place` with a form for each choice; `say` is told the whole line. */
export function showDue(place, choices, say) {
  place.replaceChildren(...choices.map((choice) => form(choice, say)));
}

function form(choice, say) {
  const made = document.createElement("form");
  made.className = "due";
  const parts = choice.line.split("…");
  const label = document.createElement("label");
  label.dir = "auto";
  label.textContent = parts[0].trim();
  const about = document.createElement("small");
  about.textContent = choice.comes_to;
  made.append(label, about);
  const fields = parts.slice(1).map(() => {
    const field = document.createElement("textarea");
    field.dir = "auto";
    field.rows = 2;
    field.required = true;
    field.setAttribute("aria-label", `${parts[0].trim()} …`);
    made.append(field);
    return field;
  });
  const button = document.createElement("button");
  button.textContent = fields.length ? "Say it" : "Do it";
  made.append(button);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const line = parts.reduce((said, part, number) => said + written(fields[number - 1].value) + part);
    say(line, () => made.reset());
  });
  return made;
}

/** A text as a line has it: each line of it after the first indented. */
export function written(text) {
  const lines = text.trim().split(/\r?\n/);
  return lines.map((line, number) => (number ? `  ${line.trim() === "" ? "." : line}` : line)).join("\n");
}
