/** The story as a window on a long list: only what is near is in the document, and what is being told is marked. */
import { asTold, blockElement, guessed, levels } from "./blocks.js";
import { Heights } from "./heights.js";
import { make, place } from "./making.js";
import { onlyFor } from "./phrases.js";
import { NEVER } from "./path.js";
import { Shown } from "./shown.js";
import { note, partsOf, veil } from "./veil.js";

/** LOW: where the end of what is told lies; REST: so long after a leap the next one waits, and more is drawn once none came. */
const LINE = 29, MARGIN = 16, LOW = 2 / 3, TOP = 24, SPARE = 0.25, AROUND_IT = 0.75, REST = 120;

export class Story {
  /** @param {HTMLElement} root what scrolls @param {(step: number) => void} go @param {() => void} lift shows what is ahead */
  constructor(root, go, lift) {
    this.root = root;
    this.list = make("div", { class: "blocks" });
    this.chain = make("div", { class: "unseen" });
    this.note = note(lift);
    root.append(this.chain, this.list, this.note);
    this.director = true;
    this.mechanics = this.ahead = this.recorded = false;
    root.classList.add("without-mechanics");
    this.told = this.n = -1;
    /** the parts of each block that is drawn, each with the step that tells it @type {Map<number, [Element, number][]>} */
    this.parts = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.drawn = new Map();
    root.addEventListener("scroll", () => this.#soon(), { passive: true });
    root.addEventListener("click", (event) => this.#clicked(event, go));
    new ResizeObserver(() => this.#resized()).observe(root);
  }

  /** Tells the story of another path; `address` is where the moment of a step is. */
  follow(path, address) {
    this.path = path;
    this.address = address;
    this.levels = levels(path);
    this.#choose();
  }

  /**
   * Shows or hides the numbers behind the words, what is for some eyes only, and what is ahead of the moment; tells in the
   * words of the record or of a draft.
   */
  choose({ mechanics = this.mechanics, director = this.director, ahead = this.ahead, recorded = this.recorded }) {
    const is = this.mechanics !== mechanics || this.director !== director || this.recorded !== recorded;
    Object.assign(this, { mechanics, director, ahead, recorded });
    if (!is) {
      this.show(this.told);
      return this.#window();
    }
    this.root.classList.toggle("without-mechanics", !mechanics);
    this.#choose();
    this.show(this.told);
  }

  #choose() {
    this.shown = new Shown(this.path, (block) => this.#wants(block));
    this.#forget();
  }

  /** How many blocks lie before the end: what is ahead of the moment takes no room, unless it is shown. */
  get #end() {
    return this.ahead || this.printed ? this.heights.count : this.shown.before(this.n);
  }

  /** A block in the words that are chosen. */
  #block(b) {
    return this.recorded ? asTold(this.path.block(b)) : this.path.block(b);
  }

  #wants({ kind, eyes }) {
    return (this.mechanics || (kind !== "mechanics" && kind !== "ribbon")) && (this.director || !eyes);
  }

  #forget() {
    const letters = Math.max(24, this.root.clientWidth / 8.6);
    this.width = this.root.clientWidth;
    this.#measure();
    this.heights = new Heights(Float64Array.from(this.shown.blocks, (b) => {
      const block = this.#block(b);
      return guessed(this.mechanics ? block : { ...block, mechanics: [] }, letters) * LINE + MARGIN;
    }));
    this.drawn.clear();
    this.parts.clear();
    this.from = this.to = -1;
    clearTimeout(this.resting); // where it has leapt to lies elsewhere now
    this.resting = 0;
    this.list.replaceChildren();
    this.#window();
  }

  #measure() {
    this.room = this.root.clientHeight || 600;
    this.root.style.setProperty("--room", `${this.room}px`);
  }

  #resized() {
    if (this.printed) return;
    this.#measure();
    if (!this.path || Math.abs(this.root.clientWidth - this.width) < 1) return void (this.path && this.#window());
    this.#forget();
    this.show(this.told);
  }

  #soon() {
    if (this.asked || this.printed || this.resting) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.#window();
    });
  }

  /** Marks the block that is told at step n, and brings it into sight. */
  show(block, smoothly = false, n = this.n) {
    this.told = block;
    this.n = n;
    const at = this.shown.place(block);
    if (at < 0) {
      this.#mark();
      this.root.scrollTop = 0;
    } else this.#bring(at, smoothly);
  }

  #bring(at, smoothly) {
    if (at < this.from || at > this.to) return this.#land(at);
    this.#spread(this.from, Math.max(at + 1, Math.min(this.to, this.#end)));
    const { room } = this, top = this.root.scrollTop, [lies, high] = this.#spot(at);
    if (this.ahead && lies >= top && lies + Math.min(high, room / 2) <= top + room - TOP) return;
    if (smoothly) this.root.scrollTo({ top: this.#rolled(lies, high), behavior: "smooth" });
    else this.#land(at);
  }

  /** How far it is rolled where the end of something lies low in the pane, and its beginning is in sight. */
  #rolled(lies, high) {
    return Math.max(0, Math.min(lies, lies + high - this.room * LOW) + TOP);
  }

  /** Where a block lies and how high it is; of a long one, the part of it that has just been told. */
  #spot(at) {
    const lies = this.heights.above(at), high = this.heights.each[at];
    const part = high > this.room / 2 && this.drawn.get(at).querySelector(".now");
    return part ? [lies + part.offsetTop, part.offsetHeight] : [lies, high];
  }

  /** Leaps to a block that may be far: draws what will be in sight there, and the rest once nothing moves any more. */
  #land(at) {
    this.next = at;
    if (this.resting || this.printed) return;
    const { room } = this, top = this.heights.above(at + 1) - room * LOW;
    const to = Math.min(this.heights.at(top + room * (1 + SPARE)) + 1, this.#end);
    this.#spread(this.heights.at(top - room * SPARE), Math.max(at + 1, to));
    this.root.scrollTop = this.#rolled(...this.#spot(at));
    this.resting = setTimeout(() => {
      this.resting = 0;
      if (this.next === at) this.#window();
      else this.show(this.told);
    }, REST);
  }

  /** Draws what is near, measures it, and leaves what is in sight where it is. */
  #window() {
    if (this.printed || !this.heights.count) return;
    const { room } = this, top = this.root.scrollTop;
    const to = Math.min(this.heights.at(top + room * (1 + AROUND_IT)) + 1, this.#end);
    const from = Math.min(this.heights.at(top - room * AROUND_IT), to);
    if (from === this.from && to === this.to) return;
    const anchor = this.heights.at(top), off = top - this.heights.above(anchor);
    this.#spread(from, to);
    const wanted = this.heights.above(anchor) + off;
    if (Math.abs(wanted - top) > 1 && this.root.scrollTop === top) this.root.scrollTop = wanted;
  }

  /** Draws blocks and measures them: first all is written, then all is read, for a page is laid out anew in between. */
  #spread(from, to) {
    [this.from, this.to] = [from, to];
    this.#draw();
    for (let i = from; i < to; i++) this.heights.set(i, this.drawn.get(i).getBoundingClientRect().height);
    this.#pad();
  }

  #draw() {
    for (const i of this.drawn.keys()) if (i < this.from || i >= this.to) this.drawn.delete(i) && this.parts.delete(i);
    const wanted = [];
    for (let i = this.from; i < this.to; i++) {
      if (!this.drawn.has(i)) this.drawn.set(i, this.#element(i));
      wanted.push(this.drawn.get(i));
    }
    place(this.list, wanted);
    this.#pad();
    this.#lead();
    this.#mark();
  }

  #element(i) {
    const b = this.shown.blocks[i], { path } = this;
    const block = this.#block(b), only = onlyFor(path.blockVisibleTo(b)) || block.eyes;
    const element = blockElement(block, this.levels[b], this.address(this.#leads(b)), only);
    element.dataset.block = String(b);
    this.parts.set(i, partsOf(element, path.begins[b], path.mechanicsAt(b)));
    return element;
  }

  /** The step that a block leads to: the one that tells its words, or its first numbers. */
  #leads(b) {
    return this.path.begins[b] === NEVER ? Math.min(...this.path.mechanicsAt(b)) : this.path.begins[b];
  }

  #pad() {
    this.list.style.paddingTop = `${this.heights.above(this.from)}px`;
    this.list.style.paddingBottom = `${Math.max(0, this.heights.above(this.#end) - this.heights.above(this.to))}px`;
  }

  /** The headings above what is in the document, so that its own are not without theirs. */
  #lead() {
    const above = [];
    for (let b = this.shown.blocks[this.from] - 1, least = 9; b >= 0 && least > 3; b--) {
      const level = this.levels[b];
      if (level && level < least && this.path.has(b) && (this.ahead || this.path.begins[b] <= this.n)) above.unshift(make(`h${(least = level)}`, {}, this.path.block(b).text || "·"));
    }
    this.chain.replaceChildren(...above);
  }

  #mark() {
    const at = this.shown.place(this.told);
    for (const [i, element] of this.drawn) {
      if (i === at) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
      const known = veil(this.parts.get(i), this.n, this.ahead);
      element.classList.toggle("veiled", !known);
      element.querySelector(".here").tabIndex = i === at ? 0 : -1;
    }
    this.note.hidden = this.ahead || this.n + 1 >= this.path.count;
  }

  #clicked(event, go) {
    const block = event.target.closest("[data-block]");
    if (!block || event.target.closest("a[href]:not(.here), .veil-note") || String(getSelection())) return;
    event.preventDefault();
    go(this.#leads(Number(block.dataset.block)));
  }

  /** The whole story, for paper; and back. */
  unroll(whole) {
    this.printed = whole;
    if (whole) {
      [this.from, this.to] = [0, this.heights.count];
      this.#draw();
    } else {
      this.from = this.to = -1;
      this.show(this.told);
      this.#window();
    }
  }
}
