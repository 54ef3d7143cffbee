// The lines of the campaign as a small tree: switched to, compared with the one that is played, promoted, begun.

import { make, typed } from "/modules/making.js";
import { button } from "./elements.js";
import { quoted } from "./lines.js";

/** The panel of lines. */
export class Branching {
  /** `read` answers a line that only reads, `asks` does under a heading, `say` is told a line, `acting` opens forms. */
  constructor(read, asks, say, acting) {
    Object.assign(this, { read, asks, say, acting });
    this.element = make("div", { class: "lines" });
  }

  /** Asks for the lines, and shows them. */
  async open() {
    const { branches } = JSON.parse((await this.read("branches --json")).join("\n"));
    const begin = button("A line from now on", () => this.acting.open({ says: "Branch", heading: "A line from now on", previews: true, fields: [{ name: "name", label: "What to call it", needed: true }], line: (v) => `branch ${quoted(v.name)}` }, begin));
    this.element.replaceChildren(make("p", {}, "A line is the story from a moment on, told another way. Only you see it, until it is shown or promoted."), this.#tree(branches, null), begin);
  }

  #tree(branches, parent) {
    const found = branches.filter((one) => one.parent === parent);
    return found.length ? make("ul", { class: "holders" }, ...found.map((one) => make("li", {}, ...this.#line(one), this.#tree(branches, one.name)))) : null;
  }

  #line({ name, parent, forked_at, written_to }) {
    const state = [written_to ? "played now" : "", parent ? `leaves ${parent} at ${forked_at}` : ""].filter(Boolean).join(", ");
    const again = () => this.open();
    const promote = button("Promote", () => this.acting.open({ says: "Promote", heading: `${name} becomes the mainline`, previews: true, fields: [], line: () => `branch promote ${quoted(name)}` }, promote), { "aria-label": `Promote: ${name}` });
    return [make("span", {}, typed(name), " ", make("small", {}, state)),
      ...(written_to ? [] : [button("Switch", () => this.say(`switch ${quoted(name)}`, again), { "aria-label": `Switch: ${name}` }), button("Compare", () => this.asks(`Compared with ${name}`, `diff ${quoted(name)}`), { "aria-label": `Compare: ${name}` })]), parent ? promote : null];
  }
}
