// Looking up: words that were said, people, threads, places and help, found by one field; and what is asked often, as buttons.

import { make } from "/modules/making.js";
import { answer } from "./answering.js";
import { ask } from "./asking.js";
import { button, field } from "./elements.js";
import { quoted } from "./lines.js";

const ASKED = { Recap: "recap", "Who is who": "show cast", Statistics: "stats", Secrets: "show secrets" };
const WAIT = 250;
/** What a word may also be: a name to ask about, and a word that help explains. */
const NAMED = ["who", "help"];

/** The buttons in `bar`; what is found is shown in `panel`. */
export class Finding {
  /** `below` makes addresses, `asks` answers a line under a heading, `answered` answers one that only reads. */
  constructor(bar, panel, below, asks, answered) {
    Object.assign(this, { panel, below, asks, answered });
    this.offered = make("div", { class: "found" });
    this.words = make("div", { class: "found" });
    this.form = make("form", { role: "search" }, field({ name: "words", label: "A word that was said, a name, or what you need help with", type: "search" }), make("button", { class: "send" }, "Find"));
    this.form.addEventListener("input", () => this.#later());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#search();
    });
    bar.prepend(button("Find", () => this.open(), { "aria-keyshortcuts": "Control+K /" }), ...Object.entries(ASKED).map(([words, line]) => button(words, () => asks(words, line))));
    document.addEventListener("keydown", (event) => {
      const types = event.target.closest("input, textarea, select");
      if ((event.key === "/" && !types) || (event.key === "k" && event.ctrlKey)) {
        event.preventDefault();
        this.open();
      }
    });
  }

  /** Shows the field, ready to type. */
  open() {
    this.panel.show("Find", this.form, this.offered, this.words);
    this.form.elements.words.select();
  }

  get #typed() {
    return this.form.elements.words.value.trim();
  }

  #later() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#offer(), WAIT);
  }

  async #offer() {
    const typed = this.#typed;
    const found = typed ? await Promise.all(NAMED.map(async (verb) => (await ask(`${this.below("complete")}?line=${encodeURIComponent(`${verb} ${typed}`)}`)).offers.map((one) => [`${verb} ${one.text}`, one.about]))) : [];
    if (typed === this.#typed) {
      this.offered.replaceChildren(...found.flat().slice(0, 12).map(([line, about]) => button([line, make("small", {}, about)], () => this.asks(line, line), { class: "choose" })));
    }
  }

  async #search() {
    this.#offer();
    try {
      this.words.replaceChildren(...answer(await this.answered(`search ${quoted(this.#typed)}`)));
    } catch (error) {
      this.words.replaceChildren(make("p", {}, error.message));
    }
  }
}
