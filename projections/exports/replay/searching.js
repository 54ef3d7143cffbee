/** The search: words in, a list of moments out; it looks through long records in slices, so that nothing stands still. */
import { apart, make } from "./making.js";
import { phrase } from "./phrases.js";
import { searched } from "./record.js";

const MOST = 200, SLICE = 4000, AROUND = 60;

/** The text around the words that were found: what stands before, the words, what stands after. */
export function excerpt(text, at, long) {
  const from = Math.max(0, at - AROUND), to = Math.min(text.length, at + long + AROUND);
  return [`${from ? "…" : ""}${text.slice(from, at)}`, text.slice(at, at + long), `${text.slice(at + long, to)}${to < text.length ? "…" : ""}`];
}

export class Search {
  /** @param {HTMLDialogElement} dialog @param {(n: number) => void} go */
  constructor(dialog, go) {
    this.dialog = dialog;
    this.field = dialog.querySelector("input");
    this.list = dialog.querySelector("ol");
    this.count = dialog.querySelector(".count");
    this.about = dialog.querySelector(".about");
    this.field.addEventListener("input", () => this.#later());
    dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.list.querySelector("button")?.click();
    });
    this.list.addEventListener("click", (event) => {
      const found = event.target.closest("button");
      if (!found) return;
      dialog.close();
      go(Number(found.dataset.n));
    });
  }

  /** Opens it for a path; `wants` says whether a step is to be found, and `veiled` that there are more behind the veil. */
  open(path, wants, veiled) {
    this.path = path;
    this.wants = wants;
    this.about.textContent = veiled ? phrase("searched-so-far") : "";
    this.dialog.showModal();
    this.field.select();
    this.#begin();
  }

  #later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#begin(), 120);
  }

  #begin() {
    const words = this.field.value.trim(), turn = (this.turn = (this.turn ?? 0) + 1);
    const found = [], met = new Set();
    const slice = (sort, from) => {
      if (turn !== this.turn) return;
      const all = sort === "blocks" ? this.path.blocks : this.path.count;
      const to = Math.min(all, from + SLICE);
      for (const one of searched(this.path, words, from, to, sort)) {
        if (!met.has(one.n) && this.wants(one.n)) found.push(one);
        met.add(one.n);
      }
      if (found.length < MOST && to < all) setTimeout(slice, 0, sort, to);
      else if (found.length < MOST && sort === "blocks") setTimeout(slice, 0, "steps", 0);
      else this.#show(found, words, true);
    };
    if (words) slice("blocks", 0);
    else this.#show([], "", false);
  }

  #show(found, words, asked) {
    const some = found.slice(0, MOST).sort((one, other) => one.n - other.n);
    this.list.replaceChildren(...some.map(({ n, text, at, ours }) => {
      const [before, hit, after] = excerpt(text, at, words.length), said = (one) => (ours ? apart(one) : one);
      return make("li", {}, make("button", { type: "button", "data-n": n, dir: ours ? null : "auto" }, said(before), make("mark", {}, hit), said(after)));
    }));
    const which = found.length > MOST ? "found-first" : found.length === 1 ? "found-one" : "found";
    this.count.textContent = asked ? phrase(which, { number: Math.min(found.length, MOST) }) : "";
  }
}
