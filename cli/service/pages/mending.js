// What can be done with a line of the list: a mark, a branch, other words or another act, other dice, a redaction, a reveal.

import { ask } from "./asking.js";
import { behind, quoted } from "./lines.js";

const named = (label) => [{ name: "name", label, needed: true }];
const why = { name: "words", label: "Why" };

/** Acts for a moment, by its event; `edit` is the line as it is recorded, which may be changed. */
const ACTS = {
  mark: { says: "Mark", fields: named("What to call this moment"), line: ({ id }, v) => `mark ${quoted(v.name)} --at ${id}` },
  branch: { says: "Branch here", fields: [...named("What to call the new line"), why], line: ({ id }, v) => `branch ${quoted(v.name)} ${id}${behind(v.words)}` },
  retcon: { says: "Change it", edits: "--as ", fields: (edit) => [{ name: "as", label: "The line as it should have been", long: true, needed: true, value: edit }], line: ({ id }, v) => `retcon ${id} --as ${v.as}` },
  drop: { says: "Take it out", fields: [why], line: ({ id }, v) => `retcon ${id} --drop${behind(v.words)}` },
  fix: { says: "Other dice or cards", edits: "= ", when: ({ kind }) => /roll|drawn|thrown|dealt|total/.test(kind), fields: (edit) => [{ name: "results", label: "What really came up", needed: true, value: edit }], line: ({ id }, v) => `fix ${id} = ${v.results}` },
  redact: { says: "Erase for good", fields: [why], line: ({ id }, v) => `redact ${id}${behind(v.words)}` },
  reveal: { says: "Reveal", when: ({ visible_to }) => visible_to !== "table", fields: [{ name: "to", label: "To whom (nobody named: everybody)" }], line: ({ id }, v) => `reveal ${id}${v.to.trim() ? ` --to ${v.to.split(",").map(quoted).join(",")}` : ""}` },
};

/** Opens the menu of an event, told in `from`, by means of `acting`; `below` makes addresses. */
export function mend(event, from, acting, below) {
  const acts = Object.entries(ACTS).filter(([, { when }]) => !when || when(event));
  acting.choose(event.told, acts.map(([verb, act]) => [act.says, async () => {
    const fields = act.edits ? act.fields(await recorded(below, `${verb} ${event.id}`, act.edits)) : act.fields;
    acting.open({ says: act.says, heading: event.told, previews: true, fields, line: (v) => act.line(event, v) }, from);
  }]), from);
}

/** A moment as it is recorded, which the table offers to be changed; empty if it offers nothing. */
async function recorded(below, line, from) {
  try {
    await ask(below("check"), { line, unfinished: true });
  } catch ({ edit }) {
    return edit?.slice(edit.indexOf(from) + from.length) ?? "";
  }
  return "";
}
