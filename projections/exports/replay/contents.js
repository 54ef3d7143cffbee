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

  /** Opens it at the step n of a path; what is `ahead` of that is named only if it is shown elsewhere too. */
  open(path, n, ahead) {
    this.#fill(path.contents(), ahead ? path.count : n);
    const rows = [...this.list.querySelectorAll("button")];
    rows.forEach((one) => one.removeAttribute("aria-current"));
    const here = rows.findLast((one) => Number(one.dataset.n) <= n && one.dataset.line === undefined);
    here?.setAttribute("aria-current", "step");
    this.dialog.showModal();
    here?.focus();
    here?.scrollIntoView({ block: "center" });
  }

  #fill(found, n) {
    const told = found.filter((one) => one.n <= n), more = found.length - told.length;
    this.list.replaceChildren(...told.map(({ n, sort, text, line }) => make("li", { class: sort },
      make("button", { type: "button", "data-n": n, "data-line": line ?? null }, SAID.has(sort) ? `${phrase(sort)} ` : "", typed(text)))));
    if (more) this.list.append(make("li", { class: "soft" }, phrase("more-ahead", { number: more })));
    if (!found.length) this.list.append(make("li", {}, phrase("nothing-to-choose")));
  }
}
