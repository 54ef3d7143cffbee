// The game master's line: what may stand at its end is offered beneath the arrows, Tab and Enter.

import { make, sentence, typed } from "/modules/making.js";

const WAITS = 120;
const MOST = 8;

/** A combobox: an input, and the list of what may stand there. */
export class Completing {
  /** `ask` gives what may stand at the end of a line. */
  constructor(field, list, ask) {
    Object.assign(this, { field, list, ask });
    this.offers = [];
    this.at = -1;
    field.addEventListener("input", () => {
      this.#point(-1);
      this.#soon();
    });
    field.addEventListener("keydown", (event) => this.#key(event));
    field.addEventListener("blur", () => this.close());
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) {
        this.#take(Array.from(list.children).indexOf(option));
      }
    });
  }

  /** Nothing is offered, until something is typed. */
  close() {
    clearTimeout(this.waiting);
    this.#show([], "");
  }

  #soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#look(), WAITS);
  }

  async #look() {
    const line = this.field.value;
    const { replaces, offers } = line ? await this.ask(line).catch(() => ({ replaces: "", offers: [] })) : { replaces: "", offers: [] };
    if (line === this.field.value && document.activeElement === this.field) {
      this.#show(offers.slice(0, MOST), replaces);
    }
  }

  /** An answer that comes late leaves the choice where it was made. */
  #show(offers, replaces) {
    const chosen = this.offers[this.at]?.text;
    Object.assign(this, { offers, replaces });
    this.list.replaceChildren(...offers.map((one, number) =>
      make("li", { role: "option", id: `offer-${number}`, "aria-selected": "false" }, typed(one.text), one.about ? make("small", {}, sentence(one.about)) : null)));
    this.list.hidden = !offers.length;
    this.field.setAttribute("aria-expanded", String(offers.length > 0));
    this.#point(offers.findIndex((one) => one.text === chosen));
  }

  #point(at) {
    this.at = at;
    Array.from(this.list.children).forEach((one, number) => one.setAttribute("aria-selected", String(number === at)));
    if (at < 0) {
      this.field.removeAttribute("aria-activedescendant");
    } else {
      this.field.setAttribute("aria-activedescendant", `offer-${at}`);
      this.list.children[at].scrollIntoView({ block: "nearest" });
    }
  }

  #key(event) {
    const { length } = this.offers;
    if (!length || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const done = {
      ArrowDown: () => this.#point(this.at + 1 < length ? this.at + 1 : -1),
      ArrowUp: () => this.#point(this.at < 0 ? length - 1 : this.at - 1),
      Tab: () => (event.shiftKey ? false : this.#take(Math.max(0, this.at))),
      Enter: () => (this.at < 0 ? false : this.#take(this.at)),
      Escape: () => this.close(),
    }[event.key]?.() ?? (event.key in { ArrowDown: 1, ArrowUp: 1, Tab: 1, Enter: 1, Escape: 1 });
    if (done) {
      event.preventDefault();
    }
  }

  #take(at) {
    const line = this.field.value;
    this.field.value = `${line.slice(0, line.length - this.replaces.length)}${this.offers[at].text} `;
    this.field.focus();
    this.close();
    this.#soon();
    return true;
  }
}
