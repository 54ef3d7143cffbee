// The game master's buttons: each opens a small form, shows the line that it says, and says it.

import { ask } from "./asking.js";
import { button, field, make, sentence } from "./elements.js";
import { behind, quoted } from "./lines.js";

const names = (text) => text.split(",").filter((one) => one.trim()).map(quoted).join("+");

const words = (label, more = {}) => ({ name: "words", label, long: true, ...more });
const SIDES = ["one", "two"];

/** What a button does: its fields, and the line made of their values. A field that is `needed` has to be filled. */
const ACTS = {
  session: { says: "Begin the session", when: (now) => !now.session, fields: [{ name: "title", label: "Its title" }, words("How it begins")], line: (v) => `session${v.title.trim() ? ` ${quoted(v.title)}` : ""}${behind(v.words)}` },
  scene: { says: "A scene", when: (now) => now.session, fields: [{ name: "place", label: "Where it is", needed: true }, words("What is there")], line: (v) => `scene ${quoted(v.place)}${behind(v.words)}` },
  conflict: { says: "A conflict", when: (now) => now.session && !now.conflicts, fields: [{ name: "name", label: "What it is called", needed: true }, { sides: true }, words("What is at stake")], line: conflict },
  endConflict: { says: "End the conflict", when: (now) => now.conflicts, fields: [words("How it ended")], line: (v) => `end conflict${behind(v.words)}` },
  cast: { says: "A person", fields: [{ name: "name", label: "Name", needed: true }, { name: "by", label: "Played by" }, words("Who they are")], line: (v) => `cast ${quoted(v.name)}${v.by.trim() ? ` by=${quoted(v.by)}` : ""}${behind(v.words)}` },
  note: { says: "A note", fields: [words("For your eyes alone", { needed: true })], line: (v) => `note${behind(v.words)}` },
  endSession: { says: "End the session", when: (now) => now.session, fields: [words("How it ended")], line: (v) => `end session${behind(v.words)}` },
  undo: { says: "Undo", previews: true, fields: [], line: () => "undo" },
  redo: { says: "Redo", previews: true, fields: [], line: () => "redo" },
};

function conflict(v) {
  const [one, two] = SIDES.map((side) => [...v.all.filter(([name, value]) => name.startsWith("side-") && value === side).map(([name]) => quoted(name.slice(5))), names(v[`more-${side}`])].filter(Boolean).join("+"));
  return `conflict ${quoted(v.name)} ${one || "…"} vs ${two || "…"}${behind(v.words)}`;
}

/** The buttons in `bar`, and the form of the one that was pressed in `place`. */
export class Acting {
  /** `say` is told a whole line, and what to do once it is taken; `below` makes addresses. */
  constructor(bar, place, below, say) {
    Object.assign(this, { bar, place, below, say });
    this.now = { session: false, conflicts: 0, people: [] };
    this.buttons = new Map(Object.entries(ACTS).map(([name, act]) => {
      return [name, button(act.says, () => this.#open(name), { "aria-expanded": "false" })];
    }));
    bar.prepend(...this.buttons.values());
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.close();
      }
    });
  }

  /** What lies on the table: which buttons there are follows from it. */
  show(board) {
    const of = (start) => Object.keys(board).filter((key) => key.startsWith(start)).map((key) => board[key]);
    this.now = { session: Boolean(board.at?.session), conflicts: of("conflict:").length, people: of("who:").filter((one) => one.role === "character" || one.role === "side").map((one) => one.name) };
    for (const [name, button] of this.buttons) {
      button.hidden = ACTS[name].when ? !ACTS[name].when(this.now) : false;
    }
    if (this.opened && this.buttons.get(this.opened).hidden) {
      this.close();
    }
  }

  /** Nothing is open. */
  close() {
    if (this.opened) {
      const pressed = this.buttons.get(this.opened);
      pressed.setAttribute("aria-expanded", "false");
      this.opened = null;
      this.place.replaceChildren();
      this.place.hidden = true;
      pressed.focus();
    }
  }

  async #open(name) {
    const again = this.opened === name;
    this.close();
    if (again) {
      return;
    }
    const act = ACTS[name];
    this.opened = name;
    this.buttons.get(name).setAttribute("aria-expanded", "true");
    const shown = make("code", { class: "line", dir: "ltr" });
    const would = make("p", { class: "would" });
    const form = make("form", { "aria-label": act.says }, ...act.fields.flatMap((one) => (one.sides ? this.#sides() : field(one))), would,
      make("p", { class: "soft" }, "The line: ", shown),
      make("div", { class: "ends" }, make("button", { class: "send" }, act.previews ? "Do it" : act.says), button("Leave it", () => this.close())));
    const line = () => act.line({ ...Object.fromEntries(new FormData(form)), all: [...new FormData(form)] });
    const tell = () => {
      shown.textContent = line();
    };
    form.addEventListener("input", tell);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.say(line(), () => this.close());
    });
    tell();
    this.place.replaceChildren(form);
    this.place.hidden = false;
    (form.querySelector("input, textarea") ?? form.querySelector("button")).focus();
    if (act.previews) {
      await this.#preview(act, form, would);
    }
  }

  /** What would come of the line, before it is said. */
  async #preview(act, form, would) {
    const send = form.querySelector(".send");
    send.disabled = true;
    try {
      would.replaceChildren(sentence((await ask(this.below("check"), { line: act.line({}) })).would.join(" ")));
      send.disabled = false;
      send.focus();
    } catch (error) {
      would.replaceChildren(sentence(error.message));
    }
  }

  #sides() {
    const rows = this.now.people.map((name) => make("label", { class: "side" }, make("bdi", {}, name),
      make("select", { name: `side-${name}` }, make("option", { value: "" }, "not in it"), make("option", { value: "one" }, "side one"), make("option", { value: "two" }, "side two"))));
    return [...rows, ...SIDES.map((side) => field({ name: `more-${side}`, label: `Others on side ${side}, with commas` }))];
  }
}
