// Words as a line of the table has them.

const PLAIN = /^[\p{L}\p{N}_-]+$/u;

/** A name as a line has it: in quotes if it is not one word. */
export function quoted(text) {
  const name = text.trim();
  return PLAIN.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A text as a line has it: each line of it after the first indented. */
export function written(text) {
  const lines = text.trim().split(/\r?\n/);
  return lines.map((line, number) => (number ? `  ${line.trim() === "" ? "." : line}` : line)).join("\n");
}

/** What stands behind the colon of a line; nothing without words. */
export function behind(text) {
  return text?.trim() ? `: ${written(text)}` : "";
}
