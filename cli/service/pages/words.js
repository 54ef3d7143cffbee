// The words of the table: what happened, line by line, the last one kept in sight.

import { make, sentence } from "/modules/making.js";
import { onlyFor } from "/modules/phrases.js";

const MOST = 200;
const NEAR = 60;
const PICTURE = "table.picture-added";

/** An event in words, and behind them in brackets whom it is for if not for everybody. */
export function heardOf({ told, visible_to }) {
  const only = onlyFor(visible_to);
  return only ? `${told} (${only})` : told;
}

/** What is told in `room`, which scrolls; who scrolled back is left there. */
export class Words {
  /** `picture` returns the address of a picture, by the id of its event. */
  constructor(room, picture, most = MOST) {
    Object.assign(this, { room, picture, most });
    this.list = room.querySelector("ol");
    this.follows = true;
    this.last = 0;
    this.events = new Map();
    this.list.addEventListener("click", (event) => getSelection().isCollapsed && this.#choose(event.target));
    this.list.addEventListener("keydown", (event) => this.#key(event));
    room.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#end()).observe(room);
  }

  /** Puts events at the end; none stands there twice, and none without words. */
  tell(events) {
    const known = new Set(Array.from(this.list.children, (one) => one.dataset.id));
    const follows = this.follows;
    for (const { id, kind, told, visible_to } of events) {
      if (told && !known.has(id)) {
        const only = onlyFor(visible_to), whom = only ? [" ", make("small", { class: "only" }, sentence(`(${only})`))] : [];
        const shown = kind === PICTURE ? this.#shown(id) : null;
        this.events.set(id, { id, kind, told, visible_to });
        this.list.append(make("li", { "data-id": id, "data-kind": kind, dir: "ltr", tabindex: this.chosen ? -1 : null }, sentence(told), ...whom, shown));
      }
    }
    while (this.list.children.length > this.most) {
      this.events.delete(this.list.firstElementChild.dataset.id);
      this.list.firstElementChild.remove();
    }
    if (this.chosen) {
      this.list.querySelectorAll("[tabindex='0']").forEach((one) => one.setAttribute("tabindex", -1));
      this.list.lastElementChild?.setAttribute("tabindex", 0);
    }
    this.follows = follows;
    this.#end();
  }

  /** From now on a line that is pressed is told to `chosen`, with its event. */
  choosing(chosen) {
    this.chosen = chosen;
    this.list.classList.add("chosen");
  }

  #choose(target) {
    const line = target.closest("li");
    if (line && this.chosen) {
      this.chosen(this.events.get(line.dataset.id), line);
    }
  }

  /** Arrows go from line to line, Enter chooses one. */
  #key(event) {
    const step = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
    if (event.key === "Enter") {
      this.#choose(event.target);
    } else if (step) {
      event.target.closest("li")?.[step]?.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** A picture under the sentence that says what it shows; none where it is gone. */
  #shown(id) {
    const image = make("img", { src: this.picture(id), alt: "" });
    image.addEventListener("error", () => image.remove());
    image.addEventListener("load", () => this.#end());
    return image;
  }

  /** Forgets what was told, and tells this, the end of it in sight. */
  tellAnew(events) {
    this.list.replaceChildren();
    this.follows = true;
    this.tell(events);
  }

  /** Who scrolls back looks at what was; where the room alone became smaller, nobody did. */
  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.room;
    const near = scrollHeight - scrollTop - clientHeight < NEAR;
    this.follows = near || (this.follows && scrollTop >= this.last);
    this.last = scrollTop;
  }

  #end() {
    if (this.follows) {
      this.room.scrollTop = this.room.scrollHeight;
      this.last = this.room.scrollTop;
    }
  }
}
