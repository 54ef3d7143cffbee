// Readers' notes on the replay of a service: a button, and a dialog with the notes of this step, all others, and a place for one more.

import { make, typed } from "/modules/making.js";
import { ask, newId } from "./asking.js";
import { begun } from "./replay.js";

const LONGEST = 2000;
const below = (path) => new URL(path, location.href).pathname;

/** A part of the dialog: a heading over notes, if there are any. */
const part = (heading, notes) => (notes.length ? [make("h3", {}, heading), make("ul", {}, ...notes)] : []);

class Notes {
  /** @param {any} page the replay's page @param {any} me the viewer of the link */
  constructor(page, me) {
    Object.assign(this, { page, me, notes: [] });
    this.button = make("button", { type: "button", class: "notes" }, "Notes");
    this.dialog = make("dialog", { id: "notes", "aria-label": "Notes" });
    this.list = make("div", {});
    this.words = make("textarea", { rows: 3, maxLength: LONGEST, required: true, "aria-label": "Your note on this step" });
    this.name = make("input", { maxLength: 40, placeholder: "Your name", "aria-label": "Your name", hidden: me.viewer !== "table" });
    this.said = make("p", { class: "soft", role: "status" });
    const form = make("form", {}, this.words, this.name, make("button", {}, "Leave a note"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#leave();
    });
    const close = make("button", { type: "button", class: "close" }, "Close");
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.append(make("h2", {}, "Notes"), this.list, form, this.said, close);
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation()); // letters are words here, and no keys of the replay
    this.button.addEventListener("click", () => this.#open());
    document.querySelector(".elsewhere").append(this.button);
    document.body.append(this.dialog);
  }

  get event() {
    return this.page.path.id(this.page.n);
  }

  async begin() {
    this.#show((await ask(below("notes"))).notes);
  }

  #open() {
    this.page.player.pause();
    this.#show(this.notes);
    this.dialog.showModal();
  }

  #show(notes) {
    this.notes = notes;
    this.button.textContent = notes.length ? `Notes (${notes.length})` : "Notes";
    const here = notes.filter((one) => one.event === this.event), others = notes.filter((one) => one.event !== this.event);
    this.list.replaceChildren(...part("At this step", here.map((one) => this.#note(one))), ...part("At other steps", others.map((one) => this.#note(one))));
  }

  #note({ id, who, words, event, shown, mine }) {
    const tools = [];
    const tool = (name, body) => {
      const button = make("button", { type: "button" }, name);
      button.addEventListener("click", () => this.#try(async () => this.#show((await ask(below(`notes/${id}`), body)).notes)));
      tools.push(button);
    };
    if (this.me.director) tool(shown ? "Hide from readers" : "Show to readers", { show: !shown });
    if (this.me.director || mine) tool("Delete", { delete: true });
    const name = make("strong", {}, typed(who)), seen = shown ? "" : " (not shown to other readers)";
    const step = event && event !== this.event ? make("a", { href: this.page.addressOf(this.page.path.stepOf(event)) }, "Go there") : "";
    step && step.addEventListener("click", () => this.dialog.close());
    return make("li", {}, make("p", {}, name, make("span", { class: "soft" }, seen)), make("p", { class: "words" }, typed(words)), step, ...tools);
  }

  #leave() {
    return this.#try(async () => {
      const { note } = await ask(below("notes"), { id: newId(), event: this.event, words: this.words.value, by: this.name.value });
      this.words.value = "";
      this.said.textContent = "Sent. The game master sees it, and may show it to other readers.";
      this.#show(this.me.viewer === "table" ? this.notes : [...this.notes, note]);
    });
  }

  async #try(work) {
    this.said.textContent = "";
    try {
      await work();
    } catch (error) {
      this.said.textContent = error.message;
    }
  }
}

begun.then(({ page, me }) => new Notes(page, me).begin()).catch(() => {}); // the page itself says why it did not begin
