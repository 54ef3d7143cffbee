// Any act of the table, put together: a verb by what it does, then names, words and numbers that may stand in it.

import { make, sentence, typed } from "/modules/making.js";
import { ask } from "./asking.js";
import { button, field } from "./elements.js";
import { behind, piece } from "./lines.js";

const MOST = 24;
const WAIT = 150;

/** The forms of acts that have no button of their own. */
export class Building {
  /** `below` makes addresses, `acting` opens forms. */
  constructor(below, acting) {
    Object.assign(this, { below, acting });
  }

  async #offers(line) {
    return (await ask(`${this.below("complete")}?line=${encodeURIComponent(line)}`)).offers;
  }

  /** Offers every verb, by what it does; `from` is the button that was pressed. */
  async verbs(from) {
    const all = (await this.#offers("")).map(({ text, about }) => ({ text, about, element: this.#offer(text, about, () => this.open([text], from, about)) }));
    const found = make("div", { class: "found" }, ...all.map((one) => one.element));
    const looked = field({ name: "looked", label: "What should happen", type: "search" });
    looked.addEventListener("input", (event) => all.forEach(({ text, about, element }) => {
      element.hidden = !`${text} ${about}`.toLowerCase().includes(event.target.value.trim().toLowerCase());
    }));
    this.acting.put("Any act of the table", [looked, found], from);
  }

  /** Opens the form of a line that begins with these pieces, below a heading. */
  open(begun, from, heading) {
    const pieces = [...begun], offered = make("div", { class: "found row" });
    const own = field({ name: "own", label: "A name, a number or a word", maxlength: 200 }), input = own.querySelector("input");
    const line = (words) => `${[...pieces, piece(input.value)].filter(Boolean).join(" ")}${behind(words)}`;
    const add = (text) => {
      pieces.push(text);
      input.value = "";
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.focus();
    };
    const look = async () => {
      const said = `${pieces.join(" ")} ${input.value}`, found = await this.#offers(said);
      if (said === `${pieces.join(" ")} ${input.value}`) {
        offered.replaceChildren(...found.slice(0, MOST).map(({ text, about }) => this.#offer(text, about, () => (text.endsWith("=") ? Object.assign(input, { value: text }).focus() : add(text)))));
      }
    };
    const back = button("One piece back", () => {
      pieces.splice(Math.max(1, pieces.length - 1));
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    input.addEventListener("input", () => {
      back.disabled = pieces.length < 2;
      clearTimeout(this.waiting);
      this.waiting = setTimeout(look, WAIT);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && input.value.trim()) {
        event.preventDefault();
        add(piece(input.value));
      }
    });
    this.acting.open({ says: "Do it", heading, previews: true, fields: [{ element: own }, { element: offered }, { element: make("div", { class: "ends" }, back) }, { name: "words", label: "Words to it", long: true }], line: (v) => line(v.words) }, from);
    input.dispatchEvent(new Event("input"));
  }

  #offer(text, about, act) {
    return button([typed(text), about ? make("small", {}, sentence(about)) : null], act, { class: "choose" });
  }
}
