// Numbers that a line changes: hit points, coins, marks; − and + say it.

import { make, place, typed } from "/modules/making.js";

/** The numbers in an element that folds, by person. */
export class Counting {
  /** `say` is told a whole line, and what to do once it is taken. */
  constructor(root, say) {
    Object.assign(this, { root, say });
    this.list = root.querySelector("ul");
    this.by = root.querySelector("[name=by]");
    this.known = new Map();
  }

  /** These may be changed now. */
  show(counts) {
    this.known = new Map(counts.map((one) => {
      const known = this.known.get(one.line) ?? this.#item(one);
      known.number.textContent = one.most === null ? one.value : `${one.value} of ${one.most}`;
      return [one.line, known];
    }));
    place(this.list, Array.from(this.known.values(), (one) => one.element));
    this.root.hidden = !counts.length;
  }

  #item({ who, what, line }) {
    const number = make("output", {});
    const button = (sign, said) => {
      const made = make("button", { type: "button", "aria-label": `${said} ${what} of ${who}` }, sign === "-" ? "−" : "+");
      made.addEventListener("click", () => this.say(`${line} ${sign}${Math.max(1, Math.abs(Number(this.by.value) || 1))}`, () => {}));
      return made;
    };
    return { number, element: make("li", {}, make("span", {}, typed(who), " ", typed(what)), button("-", "less"), number, button("+", "more")) };
  }
}
