// The writer's page: each block of a draft beside the record's words, edited in place and saved as it is typed.

import { ask } from "./asking.js";
import { arrange, Row } from "./draft_rows.js";
import { More, unopened, writer } from "./draft_more.js";
import { Hearing } from "./hearing.js";
import { make } from "/modules/making.js";

/** Milliseconds without a key after which a block is saved, and between two revisions of one block. */
const PAUSE = 1000;
const BETWEEN = 20_000;
const RETRY = 3000;
const LOOK_EVERY = 10_000;
/** What a refusal of redacted words says. */
const REDACTED = "were redacted";
/** The statuses of refusals that come again however often the same is sent. */
const FINAL = new Set([400, 401, 403, 404, 413, 422]);

const at = (name) => document.getElementById(name);
const list = at("blocks");
const hearing = new Hearing(at("said"));
const rows = new Map();
let name = "";
let draft = null;
let pumping = null;
let waiting = null;
/** What the writer should look at, by the id of the block; null while it is not asked for. */
let doubts = null;
let moving = Promise.resolve();
/** Why the last try to save failed, while it is tried again. */
let failing = "";

const below = (path) => new URL(path, location.href).pathname;
const address = () => `${below("draft")}?name=${encodeURIComponent(name)}`;
const fields = () => [...rows.values()].flatMap((row) => [...row.fields.values()]);
const unsaved = () => fields().filter((field) => field.isDirty);

const heard = {
  typed(field) {
    divide(field);
    field.refusal = "";
    field.due = Math.max(Date.now() + PAUSE, field.last + BETWEEN);
    state();
    soon();
  },
  left(field) {
    if (!field.text.trim()) {
      field.id ? choose("cut", field.id) : drop(field);
      return;
    }
    field.due = Date.now();
    soon();
  },
  choose,
  open: (id, to) => change({ open: to, block: id }),
  settle: (id, remark) => change({ settle: String(remark), block: id }),
  vouch: (id, sentence) => change({ vouch: String(sentence), block: id }),
  move: (row, step) => (moving = moving.then(() => move(row, step))),
  below: (row) => begin(row, "", false),
};

const more = new More(below, {
  publish: (isWanted) => change({ publish: isWanted }),
  openNew: () => change({ open: "table", block: "new" }),
  begun: (made) => location.assign(`draft.html?name=${encodeURIComponent(made)}`),
  named: again,
});

async function start() {
  const found = await ask(below("drafts"));
  const { drafts } = found;
  more.offer(found);
  at("by").placeholder = found.writer;
  if (!drafts.length) {
    at("state").textContent = "";
    at("doubt").disabled = true;
    at("blocks").append(make("li", { class: "empty" }, "There is no draft yet."));
    more.open("");
    return;
  }
  const wanted = new URLSearchParams(location.search).get("name");
  name = drafts.includes(wanted) ? wanted : drafts.at(-1);
  at("which").replaceChildren(...drafts.map((one) => new Option(one, one, false, one === name)));
  at("which").hidden = drafts.length < 2;
  at("which").addEventListener("change", () => location.assign(`draft.html?name=${encodeURIComponent(at("which").value)}`));
  show(await ask(address()));
  setInterval(look, LOOK_EVERY);
}

// --- what stands there ---

/** Shows a revision: what is being typed stays as it is, and where it is. */
function show(found) {
  const isNew = found.tag !== draft?.tag;
  draft = found;
  document.title = found.draft;
  at("title").textContent = found.draft;
  more.show(found);
  at("undo").disabled = !found.can_undo;
  at("redo").disabled = !found.can_redo;
  const ids = new Set(found.blocks.map((block) => block.id));
  const order = found.blocks.map((block) => {
    const row = rows.get(block.id) ?? new Row(heard);
    rows.set(block.id, row);
    row.show(block, found.revision, { people: found.people, doubts: doubts?.get(block.id) ?? [] });
    return row;
  });
  for (const [id, row] of rows) {
    if (!ids.has(id) && [...row.fields.values()].some((field) => field.isDirty || !field.id)) {
      const before = order.findLastIndex((one) => one.root.compareDocumentPosition(row.root) & Node.DOCUMENT_POSITION_FOLLOWING && one.root.isConnected);
      order.splice(before + 1, 0, row);
    } else if (!ids.has(id)) {
      rows.delete(id);
    }
  }
  arrange(list, order.map((row) => row.root));
  state();
  if (isNew && doubts) {
    doubt().catch((error) => refused(error.message));
  }
}

/** Asks what the writer should look at, and shows it beside the blocks. */
async function doubt() {
  const { tag } = draft;
  const { doubts: found } = await ask(`${below("draft/doubts")}?name=${encodeURIComponent(name)}`);
  if (doubts && draft.tag === tag) {
    doubts = new Map(found.map((one) => [String(one.block), found.filter((other) => other.block === one.block)]));
    show(draft);
    hearing.say(found.length === 1 ? "1 doubt" : `${found.length} doubts`);
  }
}

/** The failure that a screen reader heard last. */
let heardFailure = "";

/** Shows whether all is saved. A screen reader hears what fails, and once that is over. */
function state() {
  const open = unsaved();
  const refusal = open.find((field) => field.refusal)?.refusal;
  const failure = refusal ? `Not saved: ${refusal}` : failing ? `Not saved: ${failing} Trying again …` : "";
  const words = failure || (pumping && open.length ? "Saving …" : open.length ? "Not saved yet" : "Saved");
  const whose = { table: "", gm: " · the game master's copy" }[draft.reader] ?? ` · the copy of ${draft.reader}`;
  const own = unopened(draft).length;
  const alone = own && draft.published ? `, without ${own} of your paragraphs` : "";
  at("state").textContent = `${words} · revision ${draft.revision}${whose}${draft.published ? ` · published${alone}` : ""}`;
  at("again").hidden = !refusal?.includes(REDACTED);
  at("state").classList.toggle("failed", Boolean(failure));
  if (failure !== heardFailure && (failure || words === "Saved")) {
    hearing.say(words);
    heardFailure = failure;
  }
  for (const field of fields()) {
    field.mark();
  }
}

function refused(words) {
  at("refused").textContent = words;
  at("refused").hidden = !words;
  if (words) {
    hearing.say(words);
  }
}

// --- saving ---

/** Saves what is due, and wakes up again when the next is. */
function soon(after = 0) {
  clearTimeout(waiting);
  const next = Math.min(...unsaved().filter((field) => !field.refusal).map((field) => field.due));
  if (next < Infinity) {
    waiting = setTimeout(pump, Math.max(after, next - Date.now(), 0));
  }
}

/** Saves what is due, one after the other; several calls at once are one. */
function pump() {
  pumping ??= saveAll().finally(() => {
    pumping = null;
    state();
    soon(failing ? RETRY : 0);
  });
  return pumping;
}

async function saveAll() {
  for (;;) {
    const field = fields().find((one) => one.isDirty && one.text.trim() && !one.refusal && one.due <= Date.now());
    if (!field) {
      return;
    }
    try {
      await save(field);
      failing = "";
    } catch (error) {
      if (FINAL.has(error.status)) {
        field.refusal = error.message;
        field.unanswered = field.place = null;
      } else {
        failing = error.message;
        return;
      }
    }
  }
}

/** What is sent to save a field; without an id it is added behind the last block before it, as at the first try. */
function toSave(field, text) {
  if (field.id) {
    return { revision: String(field.base), block: field.id, text, was: field.saved };
  }
  let before = field.row.root.previousElementSibling;
  while (before && !/^[0-9]+$/.test(before.dataset.id ?? "")) {
    before = before.previousElementSibling;
  }
  field.place ??= { revision: String(draft.revision), after: before?.dataset.id ?? "" };
  return { ...field.place, text, split: field.splits };
}

const signed = (body) => ({ ...body, by: writer() || draft.writer });

/** Saves what was refused, perhaps only for the name of its writer. */
function again() {
  for (const field of fields()) {
    field.refusal = "";
  }
  pump();
}

at("again").addEventListener("click", () => {
  for (const field of fields()) {
    field.again = field.refusal?.includes(REDACTED);
  }
  again();
});

async function save(field) {
  const text = field.unanswered ?? field.text;
  field.unanswered = text; // sent again as it was, until it is known what became of it
  state();
  const found = await ask(address(), signed({ ...toSave(field, text), again: Boolean(field.again) }), { keepalive: true });
  field.again = false;
  rows.delete(field.row.id);
  field.written(text, found);
  rows.set(field.row.id, field.row);
  show(found);
}

/** Saves all that can be saved now; true if nothing is left. */
async function settle() {
  await pumping;
  for (const field of unsaved()) {
    field.due = Date.now();
  }
  await pump();
  return unsaved().every((field) => !field.text.trim());
}

/** Says something about a block, once all that was typed is saved. */
async function choose(how, id) {
  await change({ choose: how, block: id });
}

async function change(what) {
  refused("");
  if (!(await settle())) {
    return;
  }
  try {
    const found = await ask(address(), signed({ revision: String(draft.revision), ...what }));
    for (const field of fields()) {
      field.forget(what.block);
    }
    show(found);
  } catch (error) {
    refused(error.message);
    await look();
  }
}

/** Moves a block behind the next one in the text, or before the one before it; the blocks that were cut between stay. */
async function move(row, step) {
  const blocks = [...list.children].filter((one) => /^[0-9]+$/.test(one.dataset.id));
  const from = blocks.indexOf(row.root);
  const isShown = (one) => one.dataset.state === "shown";
  const next = step > 0 ? blocks.slice(from + 1).find(isShown) : blocks.slice(0, Math.max(from, 0)).findLast(isShown);
  if (from < 0 || !next) {
    return;
  }
  const after = step > 0 ? next : blocks[blocks.indexOf(next) - 1];
  await change({ block: row.id, after: after?.dataset.id ?? "" });
  row.root.scrollIntoView({ block: "nearest" });
  hearing.say(step > 0 ? "Moved down" : "Moved up");
}

/** Looks at what others wrote. */
async function look() {
  if (document.hidden || pumping || !draft) {
    return;
  }
  try {
    const found = await ask(`${address()}&unless=${encodeURIComponent(draft.tag)}`);
    if (!pumping && found.revision >= draft.revision) {
      show(found);
    }
  } catch (error) {
    if (FINAL.has(error.status)) {
      refused(error.message);
    }
  }
}

// --- paragraphs ---

/** An empty line in a block begins a paragraph of its own. */
function divide(field) {
  const found = /\n[^\S\n]*\n\s*/.exec(field.text);
  if (!found || field.isOther) {
    return;
  }
  const rest = field.text.slice(found.index + found[0].length);
  const caret = field.area.selectionStart - (found.index + found[0].length);
  field.area.value = field.text.slice(0, found.index);
  field.grow();
  field.due = Date.now();
  begin(field.row, rest, Boolean(rest.trim()), Math.max(0, caret));
}

/** Begins a paragraph behind a row. */
function begin(row, text, splits, caret = 0) {
  const fresh = new Row(heard);
  fresh.id = `new-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  rows.set(fresh.id, fresh);
  row.root.after(fresh.root);
  const field = fresh.begin(text, splits);
  field.due = Date.now();
  field.area.focus();
  field.area.setSelectionRange(caret, caret);
  divide(field);
  state();
  soon();
}

function drop(field) {
  rows.delete(field.row.id);
  field.row.root.remove();
  state();
}

for (const which of ["undo", "redo"]) {
  at(which).addEventListener("click", () => change({ restore: which }));
}
at("doubt").addEventListener("click", () => {
  doubts = doubts ? null : new Map();
  at("doubt").setAttribute("aria-pressed", String(Boolean(doubts)));
  show(draft);
  if (doubts) {
    doubt().catch((error) => refused(error.message));
  }
});
at("to-more").addEventListener("click", async () => {
  if (draft) {
    await settle();
  }
  more.open(name);
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    settle();
  } else {
    look();
  }
});
window.addEventListener("online", () => pump());
window.addEventListener("pagehide", () => {
  for (const field of unsaved().filter((one) => one.text.trim() && !(pumping && one.text === one.unanswered))) {
    ask(address(), signed(toSave(field, field.text)), { keepalive: true }).catch(() => {});
  }
});
start().catch((error) => {
  at("state").textContent = "";
  refused(error.message);
});
