/** What there is to go to: sessions, scenes, conflicts, marks, and where other lines leave. */
import { make, typed } from "./making.js";
import { phrase } from "./phrases.js";

const SAID = new Set(["mark", "branch", "conflict"]);

export class Contents {
  /** @param {HTMLDialogElement} dialog @param {(n: number, line?: number) => void} go */
  constructor(dialog, go) {
    this.dialog = dialog;
    this.list = dialog.querySelector("ol");
    this.list.addEventListener("click", (event) => {
      const pressed = event.target.closest("button");
      if (!pressed) return;
      dialog.close();
      go(Number(pressed.dataset.n), pressed.dataset.line === undefined ? undefined : Number(pressed.dataset.line));
    });
  }

  /** Opens it at the step n of a path. */
  open(path, n) {
    if (this.path !== path) this.#fill(path);
    this.path = path;
    const rows = [...this.list.querySelectorAll("button")];
    rows.forEach((one) => one.removeAttribute("aria-current"));
    const here = rows.findLast((one) => Number(one.dataset.n) <= n && one.dataset.line === undefined);
    here?.setAttribute("aria-current", "step");
    this.dialog.showModal();
    here?.focus();
    here?.scrollIntoView({ block: "center" });
  }

  #fill(path) {
    const found = path.contents();
    this.list.replaceChildren(...found.map(({ n, sort, text, line }) => make("li", { class: sort },
      make("button", { type: "button", "data-n": n, "data-line": line ?? null }, SAID.has(sort) ? `${phrase(sort)} ` : "", typed(text)))));
    if (!found.length) this.list.append(make("li", {}, phrase("nothing-to-choose")));
  }
}
