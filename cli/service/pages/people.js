// The people: a card each, with the numbers that a line changes, their sheet as a form, and an eye for who is hidden.

import { draw, make, place, typed } from "/modules/making.js";
import { ask } from "./asking.js";
import { button, field } from "./elements.js";
import { quoted } from "./lines.js";

/** Keys of `cast` that are on no sheet. */
const OF_NAMES = new Set(["by", "alias", "name", "opens", "pronouns"]);
/** Other keys that one form has room for. */
const MORE = 3;
/** Fields that are shown at once; of more, those without a value are folded. */
const MOST = 12;
const EYE = "M2 12c3-5 7-7 10-7s7 2 10 7c-3 5-7 7-10 7s-7-2-10-7zM12 9a3 3 0 100 6 3 3 0 000-6z";

/** The cards in an element that folds. */
export class People {
  /** `say` is told a whole line, and what to do once it is taken; `acting` and `building` open forms; `below` makes addresses. */
  constructor(root, below, say, acting, building) {
    Object.assign(this, { root, below, say, acting, building, cast: [], counts: [] });
    this.list = root.querySelector("ul");
    this.by = root.querySelector("[name=by]");
    this.known = new Map();
    root.addEventListener("toggle", async () => {
      if (root.open) {
        const { offers } = await ask(`${this.below("complete")}?line=status`);
        this.hasConditions = offers.some(({ text }) => text === "status");
        this.show(this.counts);
      }
    });
  }

  /** These numbers may be changed now; while it is open, the people are asked for too. */
  async show(counts) {
    this.counts = counts;
    if (this.root.open || !this.cast.length) {
      this.cast = await this.#cast();
    }
    this.#draw();
  }

  async #cast() {
    return (await ask(this.below("view/cast"))).cast.filter((one) => (one.role === "character" || one.role === "side") && !one.retired);
  }

  #draw() {
    const names = [...new Set([...this.cast, ...this.counts.map(({ who }) => ({ name: who }))].map((one) => one.name))];
    const before = this.known;
    this.known = new Map(names.map((name) => {
      const one = this.cast.find((person) => person.name === name), stamp = JSON.stringify([one?.player, one?.secret, this.hasConditions]);
      const known = before.get(name)?.stamp === stamp ? before.get(name) : this.#card(name, one, stamp);
      known.numbers = new Map(this.counts.filter(({ who }) => who === name).map((count) => {
        const row = known.numbers.get(count.line) ?? this.#number(count);
        row.number.textContent = count.most === null ? count.value : `${count.value} of ${count.most}`;
        return [count.line, row];
      }));
      place(known.list, Array.from(known.numbers.values(), (row) => row.element));
      return [name, known];
    }));
    place(this.list, Array.from(this.known.values(), (one) => one.element));
    this.root.hidden = !names.length;
  }

  #card(name, one, stamp) {
    const list = make("ul", {});
    const sheet = one ? button("Sheet", () => this.#sheet(name, sheet), { "aria-label": `Sheet of ${name}` }) : null;
    const state = one && this.hasConditions ? button("Condition", () => this.building.open(["status", quoted(name)], state, `Condition of ${name}`), { "aria-label": `Condition of ${name}` }) : null;
    const reveal = one?.secret ? button("Hidden", () => this.acting.open({ says: "Reveal", heading: `Reveal ${name}`, previews: true, fields: [], line: () => `reveal ${quoted(name)}` }, reveal), { class: "eye", "aria-label": `${name} is hidden: reveal them` }) : null;
    reveal?.prepend(draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: EYE })));
    const player = one?.player ? [" ", make("small", {}, typed(one.player.name))] : [];
    return { stamp, list, numbers: new Map(), element: make("li", {}, make("div", { class: "head" }, make("h3", {}, typed(name), ...player), reveal, state, sheet), list) };
  }

  #number({ who, what, line }) {
    const number = make("output", {});
    const change = (sign, said) => button(sign === "-" ? "−" : "+", () => this.say(`${line}${line.endsWith("=") ? "" : " "}${sign}${Math.max(1, Math.abs(Number(this.by.value) || 1))}`, () => {}), { "aria-label": `${said} ${what} of ${who}`, title: `${line}${line.endsWith("=") ? "" : " "}${sign}…` });
    return { number, element: make("li", {}, make("span", {}, typed(what)), change("-", "less"), number, change("+", "more")) };
  }

  /** The sheet as a form: a field for each key that the game declares, and one for any other. */
  async #sheet(name, from) {
    const start = `cast ${quoted(name)} `;
    const [{ offers }, cast] = await Promise.all([ask(`${this.below("complete")}?line=${encodeURIComponent(start)}`), this.#cast()]);
    const values = valuesOf(cast.find((one) => one.name === name)?.sheets ?? {});
    const keys = offers.filter(({ text }) => /^[^.]+=$/.test(text) && !OF_NAMES.has(text.slice(0, -1))).map(({ text, about }) => ({ key: text.slice(0, -1), about }));
    const fields = keys.map(({ key, about }) => ({ name: `key-${key}`, label: key, about, value: values.get(key) ?? "" }));
    const before = new Map(fields.map((one) => [one.name, String(one.value)]));
    const empty = fields.length > MOST ? fields.filter((one) => one.value === "") : [];
    const folded = empty.length ? [{ element: make("details", { class: "folded", open: empty.length === fields.length }, make("summary", {}, "What else a sheet can have"), make("div", {}, ...empty.map(field))) }] : [];
    const dotted = offers.map(({ text }) => text.slice(0, -1)).filter((text) => /^(?!forms\.).+\../.test(text));
    const other = Array.from({ length: MORE }, () => [{ name: "other", label: "Another: its name", about: ["a skill or a trait", ...dotted].join(", ") }, { name: "worth", label: "and its value" }]).flat();
    this.acting.open({ says: "Change the sheet", look: "sheet", heading: `Sheet of ${name}`, previews: true, blank: start.trim(), fields: [...fields.filter((one) => !empty.includes(one)), ...folded, ...other], line: (v) => {
      const changed = v.all.filter(([field, value]) => field.startsWith("key-") && value.trim() !== before.get(field)).map(([field, value]) => [field.slice(4), value]);
      const [names, worths] = ["other", "worth"].map((name) => v.all.filter(([field]) => field === name).map(([, value]) => value.trim()));
      const added = names.map((name, number) => [name, worths[number]]).filter((pair) => pair.every(Boolean));
      return start.trim() + [...changed, ...added].map(([key, value]) => ` ${quoted(key)}=${value.trim() ? quoted(value) : "none"}`).join("");
    } }, from);
  }
}

/** Numbers and words on sheets, by their key, at whatever depth a game keeps them. */
function valuesOf(sheets) {
  return new Map(Object.entries(sheets).flatMap(([key, value]) => (value && typeof value === "object" && !Array.isArray(value) ? [...valuesOf(value)] : typeof value === "number" || typeof value === "string" ? [[key, value]] : [])));
}
