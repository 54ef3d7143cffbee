/** The table as a picture: draws a board into an element, item by item, and lights what changed. */
import { balance } from "./balance.js";
import { cards, deck } from "./cards.js";
import { dice, pooled, raised } from "./dice.js";
import { make, place, sentence, typed, unseen } from "./making.js";
import { map } from "./map.js";
import { melee } from "./melee.js";
import { dated, phrase } from "./phrases.js";
import { differing, same } from "./record.js";
import { placed, seated } from "./seating.js";
import { row } from "./tracks.js";

/** @typedef {{board: Map<string, any>, lit: Set<string>, other?: {name: string, board: Map<string, any>}}} Shown */

/** How each kind of thing is drawn; what is not among them is a plain row. */
const DRAWN = {
  row: (value) => row(value),
  deck: (value) => deck(value),
  hand: (value, on) => cards(value.cards, `${phrase("in-hand", { who: on.name(value.who) })}${phrase("colon")} `),
  down: (value, on) => cards(value.cards, `${phrase("laid-before", { who: on.name(value.who) })}${phrase("colon")} `),
  pool: (value, on) => pool(value, on),
  aspect: (value, on) => aspect(value, on),
  raise: (value, on) => raised(value, on.name),
  balance: (value, on, before) => balance(value, on.name, before),
  melee: (value, on) => melee(value, on.name, on.sides),
  map: (value, on, before) => map(value, on.people, on.name, on.narrow, before),
};

/** So many people around a table, and so many things of a seat, are in sight; the others are in a fold. */
const PEOPLE = 24, THINGS = 24;

export class Board {
  /** @param {HTMLElement} root @param {Map<string, number>} order in which keys are laid */
  constructor(root, order) {
    this.root = root;
    this.order = order;
    /** @type {Map<string, {element: HTMLElement, drawn: Element, value: any, on: string}>} */
    this.items = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.rooms = new Map();
    this.narrow = false;
  }

  /** Draws a board; what is lit changed at this step, and what differs is otherwise on the other line. @param {Shown} shown */
  show({ board, lit, other }) {
    const table = seated(board, this.order);
    this.board = board;
    this.lit = lit;
    this.differs = other ? differing(board, other.board) : new Set();
    this.other = other?.name ?? "";
    this.narrow = this.root.clientWidth < 560;
    this.names = table.names;
    this.used = new Set();
    place(this.root, [
      this.#where(table.at), this.#fell(table.fell), this.#asked(table.asked), ...table.conflicts.map((one) => this.#conflict(one)),
      this.#around(table), this.#things("things", table.things), this.#nothing(board),
    ].filter(Boolean));
    for (const key of this.items.keys()) if (!this.used.has(key)) this.items.delete(key);
    for (const key of this.rooms.keys()) if (!this.used.has(key)) this.rooms.delete(key);
  }

  /** Brings the first thing that is lit into sight, if it is not. */
  reveal() {
    const found = this.root.querySelector("[data-lit]");
    const box = found?.getBoundingClientRect(), room = this.root.getBoundingClientRect();
    if (box && (box.top < room.top || box.bottom > room.bottom))
      this.root.scrollTop += Math.min(box.top - room.top - 8, Math.max(box.bottom - room.bottom + 8, 0) || box.top - room.top - 8);
  }

  name = (id) => {
    if (typeof id === "string") return id;
    return this.names.get(id)?.name ?? phrase("somebody");
  };

  /** A room of the board, the same element as long as it is in use. */
  #room(key, tag, className, children, label) {
    this.used.add(key);
    let room = this.rooms.get(key);
    if (!room) this.rooms.set(key, (room = make(tag, { class: className })));
    if (label) room.setAttribute("aria-label", label);
    place(room, children.filter(Boolean));
    return room;
  }

  /** Words in an element of their own, that change where they differ: somebody's, or a line of ours. */
  #words(key, tag, className, text, ours = false) {
    if (!text) return null;
    const room = this.#room(key, tag, className, [...(this.rooms.get(key)?.childNodes ?? [])]);
    const told = room.querySelector(":scope > .text");
    if (told?.textContent !== text) room.replaceChildren(ours ? sentence(text, { class: "text" }) : typed(text, { class: "text" }));
    return room;
  }

  /** A thing, drawn anew only where it is another, and lit where it has changed. */
  #item(key, value, on = {}) {
    this.used.add(key);
    const kind = key.split(":", 1)[0], known = this.items.get(key);
    const around = { name: this.name, narrow: this.narrow, ...on };
    const stamp = JSON.stringify([on, this.narrow && kind === "map", [...mentioned(value)].map(this.name)]);
    let item = known;
    if (!known || known.on !== stamp || !same(known.value, value)) {
      const drawn = (DRAWN[kind] ?? plain(key))(value, around, known?.drawn);
      const element = known?.element ?? make("div", { class: `item of-${DRAWN[kind] ? kind : "other"}` });
      if (drawn !== known?.drawn) place(element, [drawn]);
      this.items.set(key, (item = { element, drawn, value, on: stamp }));
    }
    this.#light(item.element, key);
    return item.element;
  }

  #light(element, key) {
    const moved = key.startsWith("map:") && [...this.lit].some((one) => one.startsWith(`place${key.slice(3)}:`));
    const lit = this.lit.has(key) || moved, differs = this.differs.has(key);
    const words = [lit && phrase("just-now"), differs && phrase("otherwise", { line: this.other })].filter(Boolean).join(", ");
    const said = words && `(${words}) `, known = element.querySelector(":scope > .unseen");
    element.toggleAttribute("data-lit", lit);
    element.toggleAttribute("data-differs", differs);
    if ((known?.textContent ?? "") === said) return;
    known?.remove();
    if (said) element.prepend(unseen(said));
  }

  #where(at) {
    const evening = [at.session !== undefined ? phrase("session", { number: at.session }) : "", at.title, dated(at.date)].filter(Boolean).join(" · ");
    return this.#room("where", "div", "where", [this.#words("where:evening", "p", "soft", evening, true), this.#words("where:place", "p", "place", at.place)]);
  }

  #fell(fell) {
    if (!fell) return null;
    return this.#room("falling", "section", "fell", [this.#item("fell", fell)], phrase("fell-last"));
  }

  #asked(asked) {
    const one = (key, value) => this.#item(key, value);
    return asked.length ? this.#room("asked", "section", "asked", asked.map(([key, value]) => one(key, value)), phrase("to-be-ruled")) : null;
  }

  #conflict(conflict) {
    const { number, value, middle, things, sides } = conflict, key = `conflict:${number}`;
    const people = placed(this.board, number);
    const facing = this.#room(`${key}:sides`, "div", `sides of-${Math.min(sides.length, 3)}`, sides.map((side, i) =>
      this.#room(`${key}:side:${i}`, "div", "side", side.map((seat) => this.#seat(`${key}:${i}`, seat)), phrase("side", { number: i + 1 }))));
    for (const side of facing.children) side.setAttribute("role", "group");
    return this.#room(key, "article", "conflict", [
      this.#words(`${key}:title`, "h3", "", value.title),
      this.#words(`${key}:game`, "p", "soft", [value.system, value.count].filter(Boolean).join(" · "), true),
      this.#words(`${key}:stakes`, "p", "stakes", value.stakes),
      this.#stands(key, value),
      this.#room(`${key}:middle`, "div", "middle", middle.map(([one, what]) => this.#item(one, what, one.startsWith("map") ? { people } : { sides: value.sides }))),
      facing, this.#things(`${key}:things`, things),
    ]);
  }

  /** Where a conflict stands; it is lit for the conflict. */
  #stands(key, { stands, title }) {
    const said = this.#words(`${key}:stands`, "p", "stands", stands ?? title, true);
    if (said) this.#light(said, key);
    return said;
  }

  #around({ around }) {
    if (!around.length) return null;
    const seats = around.map((seat) => this.#seat("around", seat));
    return this.#room("around", "div", "around", this.#folded("around", seats, PEOPLE));
  }

  /** Elements, those beyond the first `most` in a fold, which opens where one of them is lit. */
  #folded(key, all, most) {
    if (all.length <= most + 1) return all;
    const fold = this.#room(`${key}:fold`, "details", "fold", [this.#words(`${key}:more`, "summary", "", phrase("more", { number: all.length - most })), ...all.slice(most)]);
    fold.open ||= Boolean(fold.querySelector("[data-lit]"));
    return [...all.slice(0, most), fold];
  }

  #seat(where, { id, items }) {
    const key = `${where}:seat:${id}`, person = this.names.get(id) ?? {};
    const room = this.#room(key, "section", `seat${person.out ? " is-out" : ""}`, [
      this.#words(`${key}:name`, where === "around" ? "h3" : "h4", "", this.name(id)),
      person.out ? this.#words(`${key}:out`, "p", "soft", phrase("out")) : null,
      ...this.#folded(key, items.map(([one, value]) => this.#item(one, value)), THINGS),
    ]);
    room.classList.toggle("is-out", Boolean(person.out));
    this.#light(room, `who:${id}`);
    return room;
  }

  #things(key, things) {
    const owner = (value) => [value?.who, value?.on].find((one) => typeof one === "string") ?? "";
    const named = [...new Set(things.map(([, value]) => owner(value)))];
    if (!things.length) return null;
    return this.#room(key, "div", "around things", named.map((name) => this.#room(`${key}:${name}`, "section", "seat thing", [
      this.#words(`${key}:${name}:name`, key === "things" ? "h3" : "h4", "", name),
      ...things.filter(([, value]) => owner(value) === name).map(([one, value]) => this.#item(one, value)),
    ])));
  }

  #nothing(board) {
    return [...board.keys()].every((key) => key === "at" || key.startsWith("who:"))
      ? this.#words("nothing", "p", "soft nothing", phrase("nothing-there")) : null;
  }
}

/** Whom a thing speaks of, by number: it is drawn anew if they are called otherwise. */
function* mentioned(value) {
  if (typeof value === "number") yield value;
  else if (value && typeof value === "object") for (const one of Object.values(value)) yield* mentioned(one);
}

function pool({ dice: faces, kept = [], approach, out }, { name }) {
  return make("div", { class: "pool" },
    approach ? make("span", { class: "what" }, typed(approach)) : null,
    dice(pooled(faces, kept), `${phrase("in-pool")}${phrase("colon")} `), out ? make("p", { class: "soft" }, phrase("has-given")) : null);
}

function aspect({ wording, free, holder, boxes, marked, lasting }, { name }) {
  const left = phrase(typeof holder === "number" ? "free-for" : "free", { number: free, who: name(holder) });
  return make("div", { class: lasting ? "aspect lasting" : "aspect" },
    typed(wording, { class: "wording" }),
    free ? make("span", { class: "free" }, left) : null,
    boxes ? row({ what: phrase("boxes"), picture: "boxes", value: marked?.length ?? 0, most: boxes, boxes: marked ?? [] }) : null);
}

DRAWN.fell = (value, { name }) => {
  const { who, cards: drawn, dice: thrown, total, against, under, whose, margin } = value;
  const by = typeof who === "number" ? `${name(who)}${phrase("colon")} ` : "";
  return make("div", { class: "fallen" },
    by ? make("p", { class: "name" }, make("bdi", {}, name(who))) : null,
    drawn ? cards(drawn, by) : null, thrown?.length ? dice(thrown, by) : null,
    total === undefined ? null : make("p", { class: "total" }, make("strong", {}, `${total}`),
      against === undefined ? null : ` ${phrase(under ? "against-or-less" : "against", { number: against })}`,
      whose === undefined ? null : [" (", typed(name(whose)), ")"]),
    margin === undefined ? null : make("p", { class: "soft" }, phrase(margin < 0 ? "missed" : "made", { number: Math.abs(margin) })));
};

DRAWN.pending = ({ asked, answers = [] }) => make("div", { class: "question" },
  make("p", {}, sentence(asked)), answers.length ? make("p", { class: "soft" }, answers.flatMap((one, i) => [i ? " · " : "", typed(one)])) : null);

/** What nobody has taught us to draw: a row of its words and numbers. */
function plain(key) {
  return (value) => make("p", { class: "plain-row" }, make("span", { class: "what" }, typed(key)), " ", typed(inWords(value)));
}

/** Any value in words. */
export function inWords(value) {
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  if (value && typeof value === "object") return Object.entries(value).map(([name, one]) => `${name} ${inWords(one)}`).join("; ");
  return value === null || value === undefined ? "–" : String(value);
}
