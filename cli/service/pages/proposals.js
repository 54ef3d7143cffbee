// What was handed in, and what became of it; the game master takes or refuses it, with a key each for the first.

import { make, place, sentence, typed } from "/modules/making.js";

const SETTLED = 2;
const LETTERS = 400;
const LINES = 5;

/** The proposals in an element; whose reason is being typed stays as it is. */
export class Proposals {
  /** `answer` is told one of them and what is answered. */
  constructor(root, director, answer) {
    Object.assign(this, { root, director, answer });
    this.known = new Map();
  }

  /** These were handed in: all that wait are shown, and the last of the others. */
  show(proposals) {
    const settled = proposals.filter((one) => one.state !== "waiting").slice(-SETTLED);
    const shown = proposals.filter((one) => one.state === "waiting" || settled.includes(one));
    const before = this.known;
    this.known = new Map(shown.map((one) => {
      const stamp = JSON.stringify(one), known = before.get(one.id);
      return [one.id, known?.stamp === stamp ? known : { stamp, element: this.#item(one) }];
    }));
    place(this.root, [...this.known.values()].map((one) => one.element));
  }

  /** The first that waits is taken; false if none does. */
  takeFirst() {
    return this.#press(".take");
  }

  /** Asks why the first that waits is refused; false if none waits. */
  refuseFirst() {
    const why = this.root.querySelector(".why");
    why?.focus();
    return Boolean(why);
  }

  #press(name) {
    const button = this.root.querySelector(name);
    button?.click();
    return Boolean(button);
  }

  #item(one) {
    const waits = one.state === "waiting";
    const state = [waits ? "" : one.state, one.why].filter(Boolean).join(": ");
    const said = make("p", {}, this.director ? make("strong", {}, typed(one.who), " ") : null, sentence(one.line));
    return make("li", { "data-state": one.state }, said, isLong(one.line) ? folding(said) : null,
      state || !this.director ? make("small", { class: "became" }, sentence(state || "waiting")) : null,
      waits ? (this.director ? this.#answers(one) : button("Withdraw", "withdraw", () => this.answer(one, { withdraw: true }))) : null);
  }

  #answers(one) {
    const why = make("input", { class: "why", dir: "auto", placeholder: "Why not", "aria-label": "Why it is refused", "aria-keyshortcuts": "F9" });
    const form = make("form", { class: "answers" },
      button("Take", "take", () => this.answer(one, { take: true }), "F8"), why, make("button", { class: "refuse" }, "Refuse"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer(one, { refuse: why.value });
    });
    return form;
  }
}

function isLong(line) {
  return line.length > LETTERS || line.split("\n").length > LINES;
}

/** A long line shows how it begins; a button shows the rest, and folds it again. */
function folding(said) {
  const made = button("All of it", "more", () => fold(said.classList.contains("whole")));
  const fold = (shut) => {
    said.classList.toggle("whole", !shut);
    made.textContent = shut ? "All of it" : "Less of it";
    made.setAttribute("aria-expanded", String(!shut));
  };
  said.classList.add("folded");
  fold(true);
  return made;
}

function button(text, name, act, keys = null) {
  const made = make("button", { type: "button", class: name, "aria-keyshortcuts": keys }, text);
  made.addEventListener("click", act);
  return made;
}
