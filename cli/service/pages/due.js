// What can happen now: each line that may be said now is a button; where words are yet to be found, it opens a field for them.

import { make, place, sentence } from "/modules/making.js";
import { inWords, quoted, withoutTraits, written } from "./lines.js";

/** More choices than so many are folded, but for the first. */
const MOST = 12, FIRST = 6;

/** The choices in an element, as they come and go; one that stays keeps what was typed into it. */
export class Due {
  /** `say` is told a whole line, and what to do once it is taken; the choices are several people's if `ofMany` is set. */
  constructor(root, say) {
    Object.assign(this, { root, say, ofMany: false });
    this.known = new Map();
    this.others = make("ul", {});
    this.counted = make("summary", {});
    this.folded = make("li", { class: "others" }, make("details", {}, this.counted, this.others));
  }

  /** These may be said now. */
  show(choices) {
    const rank = ({ line, comes_to }) => (comes_to.includes("%") ? 0 : line.startsWith("end ") ? 2 : 1); // what has odds is the likeliest
    const turn = new Map(), counted = choices.map((one) => {
      turn.set(one.who, (turn.get(one.who) ?? 0) + 1);
      return { one, order: [rank(one), turn.get(one.who)] }; // then the first of everybody's, the second, and so on
    });
    const shown = counted.toSorted(({ order: [rank, nth] }, { order: [other, later] }) => rank - other || nth - later).map(({ one }) => [`${one.line}\n${one.comes_to}`, one]);
    this.known = new Map(shown.map(([key, one]) => [key, this.known.get(key) ?? this.#choice(one)]));
    const all = [...this.known.values()], first = all.slice(0, all.length > MOST ? FIRST : MOST), others = all.slice(first.length);
    place(this.others, others);
    this.counted.textContent = `${others.length} more`;
    place(this.root, others.length ? [...first, this.folded] : first);
    this.root.ariaBusy = "false";
  }

  #choice({ who, line, comes_to }) {
    const parts = line.split("…"), words = inWords(line, who);
    const named = [sentence(this.ofMany && line.includes(quoted(who)) && !words.includes(who) ? `${who}: ${words}` : words), make("small", {}, sentence(withoutTraits(comes_to))), make("code", { class: "line", dir: "ltr" }, line)];
    if (parts.length === 1) {
      return make("li", {}, this.#pressed(make("button", { type: "button", class: "choose" }, named), line));
    }
    const fields = parts.slice(1).map(() => make("textarea", { rows: 2, dir: "auto", required: true, "aria-label": `${parts[0].trim()} …` }));
    const form = make("form", {}, fields, make("button", { class: "send" }, "Say it"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.say(parts.reduce((said, part, number) => said + written(fields[number - 1].value) + part), () => form.reset());
    });
    return make("li", {}, make("details", {}, make("summary", { class: "choose" }, named), form));
  }

  /** Once one of them is pressed, all wait until it is known what may be said then. */
  #pressed(button, line) {
    button.addEventListener("click", () => {
      if (this.root.ariaBusy !== "true") {
        this.root.ariaBusy = "true";
        this.say(line, () => {});
      }
    });
    return button;
  }
}
