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

/** A piece of a line as somebody typed it: in quotes if it has a blank in it. */
export function piece(text) {
  return /\s/.test(text.trim()) ? quoted(text) : text.trim();
}

/** A line in words, without a verb that goes without saying and the name of who says it: `roll Thia attack str vs Wolf` is Attack Wolf. */
export function inWords(line, who) {
  if (["turn", "next"].some((verb) => line === `${verb} ${quoted(who)}`)) {
    return `Begin ${who}’s turn`;
  }
  const ruled = /^ruling \S+=(.+)$/.exec(line)?.[1];
  if (ruled) { // what is asked stands beside it
    return ruled;
  }
  const own = ["roll", "declare"].map((verb) => `${verb} ${quoted(who)} `).find((begun) => line.startsWith(begun));
  const said = own ? line.slice(own.length) : line.replace(/^roll /, "").replace(`${quoted(who)} `, "").replace(` ${quoted(who)}`, "");
  const words = line === said ? said : said.replace(/^(\S+)(?: (\S+))? vs (\D.*)$/, (_, move, stat, target) => `${move} ${target}${stat ? ` with ${stat}` : ""}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replaceAll('"', "").replace(/ --(\p{L}+)/gu, " ($1)");
}

/** A roll without the traits behind its numbers: `1d20+3[str]` is 1d20+3. */
export function withoutTraits(text) {
  return text.replace(/\[.*?\]/g, "");
}
