// The game master's buttons: each opens a small form, shows the line that it says, and says it.

import { make, sentence } from "/modules/making.js";
import { ask } from "./asking.js";
import { button, choice, field } from "./elements.js";
import { behind, quoted } from "./lines.js";

const names = (text) => text.split(",").filter((one) => one.trim()).map(quoted).join("+");
const words = (label, more = {}) => ({ name: "words", label, long: true, ...more });
const SIDES = ["one", "two"];
const KNOWN = { "": "Everybody", " --gm": "You alone, until you reveal them" };
const WAIT = 300;
const named = (all) => Object.fromEntries(all.map((name) => [name, name]));

/** What a button does: its fields, and the line made of their values. A field that is `needed` has to be filled. */
const ACTS = {
  session: { says: "Begin the session", when: (now) => !now.session, fields: [{ name: "title", label: "Its title" }, words("How it begins")], line: (v) => `session${v.title.trim() ? ` ${quoted(v.title)}` : ""}${behind(v.words)}` },
  scene: { says: "A scene", when: (now) => now.session, fields: [{ name: "place", label: "Where it is", needed: true }, words("What is there")], line: (v) => `scene ${quoted(v.place)}${behind(v.words)}` },
  conflict: { says: "A conflict", when: (now) => now.session && !now.conflicts, fields: [{ name: "name", label: "What it is called", needed: true }, { sides: true }, words("What is at stake")], line: conflict },
  join: { says: "A person joins", when: (now) => now.conflicts && now.beside.length && now.sides.length, fields: [{ name: "who", label: "Who comes into it", of: (now) => named(now.beside) }, { name: "side", label: "On the side of", of: (now) => named(now.sides) }, words("How they come")], line: (v) => `join ${quoted(v.who)} with ${quoted(v.side)}${behind(v.words)}` },
  endConflict: { says: "End the conflict", when: (now) => now.conflicts, fields: [words("How it ended")], line: (v) => `end conflict${behind(v.words)}` },
  cast: { says: "A person", fields: [{ name: "name", label: "Name", needed: true }, { name: "by", label: "Played by" }, { name: "known", label: "Who knows of them", options: KNOWN }, words("Who they are")], line: (v) => `cast ${quoted(v.name)}${v.by.trim() ? ` by=${quoted(v.by)}` : ""}${v.known}${behind(v.words)}` },
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
    this.now = { session: false, conflicts: 0, people: [], sides: [], beside: [] };
    this.buttons = new Map(Object.entries(ACTS).map(([name, act]) => [name, button(act.says, () => this.#press(name), { "aria-expanded": "false" })]));
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
    const people = of("who:").filter((one) => one.role === "character" || one.role === "side").map((one) => one.name);
    const sides = of("conflict:").flatMap((one) => one.sides.map((side) => side.map((id) => board[`who:${id}`]?.name).filter(Boolean)));
    this.now = { session: Boolean(board.at?.session), conflicts: of("conflict:").length, people, sides: sides.map(([first]) => first).filter(Boolean), beside: people.filter((name) => !sides.flat().includes(name)) };
    for (const [name, button] of this.buttons) {
      button.hidden = ACTS[name].when ? !ACTS[name].when(this.now) : false;
    }
    if (this.from?.hidden) {
      this.close();
    }
  }

  /** Opens the form of an act; `from` is the button that was pressed, and gets the keys back at the end. */
  open(act, from) {
    this.close();
    this.from = from;
    if (from?.matches("button")) {
      from.setAttribute("aria-expanded", "true");
    }
    const shown = make("code", { class: "line", dir: "ltr" });
    const would = make("p", { class: "would" });
    const send = make("button", { class: "send" }, act.previews ? "Do it" : act.says);
    const form = make("form", { "aria-label": act.says, class: act.look }, act.heading ? make("h3", {}, sentence(act.heading)) : null, ...act.fields.flatMap((one) => this.#field(one)), would,
      make("p", { class: "soft" }, "The line: ", shown), make("div", { class: "ends" }, send, button("Leave it", () => this.close())));
    const line = () => act.line({ ...Object.fromEntries(new FormData(form)), all: [...new FormData(form)] });
    const tell = () => {
      shown.textContent = line();
      if (act.previews) {
        this.#preview(form, line() === act.blank ? "" : line(), would, send);
      }
    };
    form.addEventListener("input", tell);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.say(line(), () => this.close(), act.previews);
    });
    this.place.replaceChildren(form);
    this.place.hidden = false;
    tell();
    (form.querySelector("input, textarea, select") ?? send).focus();
  }

  /** Offers acts, each by its words and what it does, below a heading; `from` gets the keys back at the end. */
  choose(heading, acts, from) {
    this.put(heading, [make("div", { class: "ends wraps" }, ...acts.map(([says, act]) => button(says, act)))], from);
  }

  /** Shows elements below a heading; `from` gets the keys back at the end. */
  put(heading, elements, from) {
    this.close();
    this.from = from;
    this.place.replaceChildren(make("h3", {}, sentence(heading)), ...elements, make("div", { class: "ends" }, button("Leave it", () => this.close())));
    this.place.hidden = false;
    this.place.querySelector("input, button").focus();
  }

  /** Nothing is open. */
  close() {
    clearTimeout(this.waiting);
    if (!this.place.hidden) {
      if (this.from?.matches("button")) {
        this.from.setAttribute("aria-expanded", "false");
      }
      this.place.replaceChildren();
      this.place.hidden = true;
      this.from?.focus();
    }
    this.from = null;
  }

  #press(name) {
    const from = this.buttons.get(name);
    if (this.from === from) {
      this.close();
    } else {
      this.open(ACTS[name], from);
    }
  }

  #field(one) {
    if (one.element) {
      return one.element;
    }
    if (one.sides) {
      return this.#sides();
    }
    const options = one.of?.(this.now) ?? one.options;
    return options ? choice(one.name, one.label, options, one.value) : field(one);
  }

  /** What would come of a line, before it is said; while that is not known it cannot be said. */
  #preview(form, line, would, send) {
    clearTimeout(this.waiting);
    send.disabled = true;
    this.waiting = setTimeout(async () => {
      if (!line || !form.checkValidity()) {
        would.replaceChildren();
        return;
      }
      try {
        const { would: found } = await ask(this.below("check"), { line, unfinished: true });
        would.replaceChildren(...found.map((one) => make("span", {}, sentence(one))));
        send.disabled = false;
        if (!form.contains(document.activeElement)) {
          send.focus();
        }
      } catch (error) {
        would.replaceChildren(sentence(error.message));
      }
    }, would.hasChildNodes() ? WAIT : 0);
  }

  #sides() {
    const rows = this.now.people.map((name) => make("label", { class: "side" }, make("bdi", {}, name),
      make("select", { name: `side-${name}` }, make("option", { value: "" }, "not in it"), make("option", { value: "one" }, "side one"), make("option", { value: "two" }, "side two"))));
    return [...rows, ...SIDES.map((side) => field({ name: `more-${side}`, label: `Others on side ${side}, with commas` }))];
  }
}
