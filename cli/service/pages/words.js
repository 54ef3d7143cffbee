// The words of the table: what happened, line by line, the last one kept in sight.

import { make, sentence } from "/modules/making.js";
import { onlyFor } from "/modules/phrases.js";

const MOST = 200;
const NEAR = 60;
const PICTURE = "table.picture-added";
const TOTAL = "table.total-reached";

/** An event in words, and behind them in brackets whom it is for if not for everybody; empty for what a page does not tell. */
export function heardOf({ heading, words, numbers, visible_to }) {
  const only = onlyFor(visible_to);
  const said = [heading, ...words.map(({ label, text }) => `${label} ${text}`.trim())].filter(Boolean).join(" ") || numbers;
  return said && only ? `${said} (${only})` : said;
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

  /** Puts events at the end, one block for an act; none stands there twice, and none without words or numbers. */
  tell(events) {
    const known = new Set(Array.from(this.list.querySelectorAll("[data-id]"), (one) => one.dataset.id));
    const follows = this.follows;
    for (const one of events) {
      if (one.begins) {
        this.block = null;
      }
      if (heardOf(one) && !known.has(one.id)) {
        this.events.set(one.id, { ...one, told: heardOf(one) });
        this.#put(one);
      }
    }
    while (this.list.children.length > this.most) {
      this.list.firstElementChild.querySelectorAll("[data-id]").forEach((one) => this.events.delete(one.dataset.id));
      this.list.firstElementChild.remove();
    }
    if (this.chosen) {
      this.list.querySelectorAll("[tabindex='0']").forEach((one) => one.setAttribute("tabindex", -1));
      [...this.list.querySelectorAll("[tabindex]")].at(-1)?.setAttribute("tabindex", 0);
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
    const line = target.closest("[data-id]");
    if (this.chosen && this.events.has(line?.dataset.id)) {
      this.chosen(this.events.get(line.dataset.id), line);
    }
  }

  /** Arrows go from line to line, Enter chooses one. */
  #key(event) {
    const lines = [...this.list.querySelectorAll("[tabindex]")].filter((one) => one.checkVisibility()), step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Enter" && event.target.closest("[data-id]")) {
      this.#choose(event.target);
    } else if (step) {
      lines[lines.indexOf(event.target) + step]?.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Puts an event into the block of its act: its words below those before, its numbers among those folded beneath. */
  #put({ id, kind, heading, words, numbers, visible_to }) {
    if (!this.block?.isConnected) {
      this.block = make("li", { dir: "ltr" });
      this.list.append(this.block);
    }
    const only = onlyFor(visible_to), whom = only ? [" ", make("small", { class: "only" }, sentence(`(${only})`))] : [];
    const shown = [
      heading && make("h3", { dir: "auto" }, sentence(heading)),
      ...words.map(({ label, text, ours }) => make("p", ours ? { class: "ours" } : { dir: "auto" }, label && make("span", { class: "label" }, sentence(label)), label && " ", ours ? sentence(text) : text)),
      kind === PICTURE ? this.#shown(id) : null,
    ].filter(Boolean);
    if (shown.length) {
      const told = make("div", { "data-id": id, "data-kind": kind, tabindex: this.chosen ? -1 : null }, ...shown);
      told.lastElementChild.append(...whom);
      this.block.insertBefore(told, this.block.querySelector(".mechanics"));
    }
    if (numbers) {
      this.#count(make("p", { "data-id": shown.length ? null : id, "data-kind": kind, tabindex: this.chosen && !shown.length ? -1 : null }, sentence(numbers), ...(shown.length ? [] : whom)));
    }
  }

  /** Folds numbers beneath the words of their act; what the first throw comes to is in sight. */
  #count(line) {
    const before = this.block.querySelector(".mechanics");
    const lines = [...(before?.querySelectorAll("p") ?? []), line];
    const first = lines.find((one) => one.dataset.kind === TOTAL) ?? lines[0];
    const folded = lines.length > 1
      ? make("details", { class: "mechanics", open: before?.open }, make("summary", {}, first), ...lines.filter((one) => one !== first))
      : make("div", { class: "mechanics" }, line);
    before?.remove();
    this.block.append(folded);
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
    this.block = null;
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
