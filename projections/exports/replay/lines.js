/** Other lines as variations: the way back to the first, and what leaves here. */
import { make, place, typed } from "./making.js";
import { phrase } from "./phrases.js";

/** From the first line to this one. */
export function ancestry(replay, line) {
  const { parent } = replay.lines[line];
  return parent === null ? [line] : [...ancestry(replay, parent), line];
}

export class Lines {
  /** @param {HTMLElement} root @param {import("./record.js").Replay} replay @param {(line: number) => void} enter @param {(line: number) => void} leave */
  constructor(root, replay, enter, leave) {
    this.root = root;
    this.replay = replay;
    root.hidden = replay.lines.length < 2;
    root.addEventListener("click", (event) => {
      const pressed = event.target.closest("button");
      if (pressed) (pressed.dataset.enter ? enter : leave)(Number(pressed.dataset.enter ?? pressed.dataset.leave));
    });
  }

  /** Shows which line this is, and which others leave at its step n. */
  show(path, n) {
    const others = this.replay.others(path, n), stamp = `${path.line}/${others}`;
    if (this.stamp === stamp || this.root.hidden) return;
    this.stamp = stamp;
    const name = (line) => typed(this.replay.lines[line].name);
    const way = ancestry(this.replay, path.line).map((line) => make("li", {}, line === path.line
      ? make("strong", { "aria-current": "true" }, name(line)) : make("button", { type: "button", "data-leave": line }, name(line))));
    const ways = others.map((line) => make("li", {}, make("button", { type: "button", "data-enter": line, class: "variation" },
      name(line), this.replay.lines[line].why ? make("span", { class: "why" }, " ", typed(this.replay.lines[line].why)) : null)));
    place(this.root, [make("ol", { class: "way" }, ...way),
      ...(ways.length ? [make("p", { class: "fork" }, phrase("other-ways")), make("ul", { class: "ways" }, ...ways)] : [])]);
  }
}
