/** Wires the page: one moment is looked at, and board, story, timeline and address show it. */
import { addressOf, moment, opening } from "./address.js";
import { Board } from "./board.js";
import { captionOf, placeOf, spoken, whereOf } from "./captions.js";
import { Contents } from "./contents.js";
import { Cover, placeIn } from "./cover.js";
import { kept, keep } from "./keeping.js";
import { listen } from "./keys.js";
import { Lines } from "./lines.js";
import { apart } from "./making.js";
import { phrase } from "./phrases.js";
import { FLAG } from "./path.js";
import { Player, staysFor } from "./player.js";
import { Replay } from "./record.js";
import { Search } from "./searching.js";
import { copyLink, embedded, help } from "./sharing.js";
import { Story } from "./story.js";
import { Timeline } from "./timeline.js";
import { touched } from "./touch.js";

const SETTLED = 350;

export class Page {
  /** @param {any} value the replay @param {Document} page */
  constructor(value, page = document) {
    this.replay = new Replay(value);
    this.find = (name) => page.querySelector(name);
    this.n = 0;
    this.director = true;
    this.mechanics = this.ahead = this.recorded = false;
    this.board = new Board(this.find("#board"), this.replay.order);
    this.story = new Story(this.find("#story"), (n) => this.go(n), () => this.heed("ahead"));
    this.timeline = new Timeline(this.find("#slider"), this.find("#ticks"), (n) => this.scrub(n), () => this.settle());
    this.player = new Player(() => this.#further(), (playing) => this.#played(playing));
    this.search = new Search(this.find("#search"), (n) => this.go(n));
    this.contents = new Contents(this.find("#contents"), (n, line) => this.go(n, line));
    this.lines = new Lines(this.find("#lines"), this.replay, (line) => this.go(this.n, line), (line) => this.leave(line));
    this.#begin();
  }

  #begin() {
    this.find("#director").hidden = !this.replay.value.director;
    for (const button of document.querySelectorAll("[data-wish]"))
      button.addEventListener("click", () => this.heed(button.dataset.wish.replace("unit", this.unit)));
    for (const dialog of document.querySelectorAll("dialog"))
      dialog.addEventListener("click", (event) => (event.target === dialog || event.target.closest(".close")) && dialog.close());
    listen((wish) => this.heed(wish));
    for (const name of ["#board", "#story"])
      touched(this.find(name), name === "#board", (wish) => this.heed(`${wish} ${this.unit}`));
    addEventListener("hashchange", () => this.#addressed());
    addEventListener("beforeprint", () => this.story.unroll(true));
    addEventListener("afterprint", () => this.story.unroll(false));
    new ResizeObserver(() => this.path?.count && this.redraw()).observe(this.find("#board"));
    if (new URLSearchParams(location.search).has("embed")) embedded(this.find(".titles"));
    const asked = opening(this.replay, location);
    this.#follow(asked?.line ?? 0);
    if (kept(`ahead ${this.replay.value.source}`)) this.#toggle("ahead");
    if (kept("mechanics")) this.#toggle("mechanics");
    this.find("#mechanics").hidden = this.replay.value.mechanics === false;
    this.n = asked?.n ?? Math.max(0, this.path.tells.findIndex((block) => block >= 0));
    this.astray = !asked && (location.hash.length > 1 || /[?&]at=/.test(location.search));
    this.still = Boolean(kept("still"));
    if (!location.hash && !asked && this.path.count) this.cover = new Cover(this);
    if (this.path.count) this.#show(false);
    else this.find("#told").textContent = phrase("nothing-recorded");
    document.documentElement.dataset.ready = "";
  }

  get moves() { return !this.still && !matchMedia("(prefers-reduced-motion: reduce)").matches; }
  get unit() { return this.find("#unit").value; }
  get speed() { return Number(this.find("#speed").value); }

  #follow(line) {
    this.path = this.replay.path(line);
    this.timeline.follow(this.path);
    this.story.follow(this.path, (n) => this.addressOf(n));
  }

  #uncover() {
    if (!this.cover) return;
    this.cover = this.cover.leave(this.moves);
    this.redraw();
  }

  /** The address of a step of this line. */
  addressOf(n) {
    return this.path.count ? addressOf(this.path.line === 0 ? null : this.path.name, this.path.id(n)) : "#";
  }

  /** Goes to a step of a line, and stays there. */
  go(n, line = this.path.line) {
    this.player.pause();
    this.#to(n, line);
    this.settle();
  }

  #to(n, line = this.path.line, smoothly = true) {
    this.astray = false;
    if (line !== this.path.line) this.#follow(line);
    if (!this.path.count) return;
    this.n = Math.min(Math.max(0, n), this.path.count - 1);
    this.smoothly = smoothly && this.moves;
    this.#uncover();
    document.documentElement.classList.remove("fresh");
    this.redraw();
  }

  /** Goes there while the slider is still held: at most once a frame. */
  scrub(n) {
    this.player.pause();
    this.#to(n, this.path.line, false);
  }

  /** Shows the moment again, at most once a frame. */
  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.#show(this.smoothly ?? false);
    });
  }

  #show(smoothly) {
    document.documentElement.classList.toggle("moves", smoothly);
    const { path, n } = this, board = path.boardAt(n), { parent } = this.replay.lines[path.line];
    const apart = parent !== null && n >= path.leaves ? this.replay.path(parent) : null;
    this.board.show({
      board, lit: path.changedAt(n),
      other: apart && { name: apart.name, board: apart.boardAt(Math.min(n, apart.count - 1)) },
    });
    this.lines.show(path, n);
    this.said = spoken(path, n, board);
    this.timeline.show(n, `${this.said}; ${placeOf(path, n)}`, this.ahead, whereOf(board));
    this.#caption();
    this.story.show(path.tells[n], smoothly, n); // from here on the page is measured
    this.board.reveal();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.#settled(), SETTLED);
  }

  /** The address is that of the moment; the cover offers it again. */
  #settled() {
    if (this.cover) return;
    history.replaceState(null, "", this.addressOf(this.n));
    keep(placeIn(this.replay), this.addressOf(this.n));
  }

  #caption() {
    const { told, place, time } = captionOf(this.path, this.n);
    const hidden = (this.path.flags[this.n] & FLAG.hidden) !== 0;
    const said = this.astray ? phrase("no-moment") : hidden && !this.director ? phrase("for-the-gm") : told;
    this.find("#told").replaceChildren(...apart(said));
    this.find("#told").classList.toggle("for-eyes", hidden);
    this.find("#count").textContent = [time, place].filter(Boolean).join(" · ");
  }

  /** Says where we are, once nothing moves any more; what the slider says itself is not said twice. */
  settle() {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      if (document.activeElement !== this.timeline.slider) this.say(this.said);
    }, SETTLED);
  }

  /** Words for those who listen. */
  say(words) {
    this.find("#said").textContent = words;
  }

  /** Goes to a line that this one leaves, at the step where it does. */
  leave(line) {
    let at = this.path.line;
    while (this.replay.lines[at].parent !== line && this.replay.lines[at].parent !== null) at = this.replay.lines[at].parent;
    this.go(this.replay.path(at).leaves - 1, line);
  }

  #further() {
    if (this.n + 1 >= this.path.count) return null;
    this.#to(this.n + 1);
    return staysFor(this.path, this.n, this.speed);
  }

  #played(playing) {
    this.find("#play").setAttribute("aria-label", phrase(playing ? "pause" : "play"));
    this.find("#play").classList.toggle("playing", playing);
    if (!playing) this.settle();
  }

  #addressed() {
    const asked = moment(this.replay, location.hash);
    if (asked) return this.go(asked.n, asked.line);
    this.astray = location.hash.length > 1;
    this.#caption();
    return this.say(phrase("no-moment"));
  }

  /** Does what a key or a button asks for; false if there was nothing to do. */
  heed(wish) {
    const [what, unit] = wish.split(" ");
    if (this.cover && !["help", "play"].includes(what)) this.#uncover();
    if (this.path.count === 0 && !["help", "search", "contents"].includes(what)) return false;
    return (this.#wishes[what] ?? (() => false))(unit) !== false;
  }

  #wishes = {
    on: (unit = "event") => this.go(this.path.on(this.n, unit)),
    back: (unit = "event") => this.go(this.path.back(this.n, unit)),
    first: () => this.go(0),
    last: () => this.go(this.path.count - 1),
    play: () => this.play(),
    enter: () => this.#enter(),
    leave: () => (this.replay.lines[this.path.line].parent === null ? false : this.leave(this.replay.lines[this.path.line].parent)),
    mechanics: () => { this.#toggle("mechanics"); keep("mechanics", this.mechanics); },
    director: () => (this.replay.value.director ? this.#toggle("director") : false),
    recorded: () => (this.find("#recorded") ? this.#toggle("recorded") : false),
    ahead: () => this.#unveil(),
    still: () => keep("still", (this.still = !this.still)),
    search: () => this.search.open(this.path, (n) => this.#wants(n), !this.ahead && this.n + 1 < this.path.count),
    contents: () => this.contents.open(this.path, this.n, this.ahead),
    help: () => help(this),
    copy: () => copyLink(this),
  };

  /** Plays on, or stops. */
  play() {
    if (this.cover) {
      this.#uncover();
      document.documentElement.classList.add("fresh");
    }
    if (this.player.playing) return this.player.pause();
    if (this.n + 1 >= this.path.count) this.#to(0);
    return this.player.play(staysFor(this.path, this.n, this.speed) / 2);
  }

  /** From one of the lines that part here to the next. */
  #enter() {
    const ways = [this.path.line, ...this.replay.others(this.path, this.n)].sort((one, other) => one - other);
    if (ways.length < 2) return false;
    return this.go(this.n, ways[(ways.indexOf(this.path.line) + 1) % ways.length]);
  }

  #toggle(which) {
    this[which] = !this[which];
    this.find(`#${which}`).setAttribute("aria-pressed", String(this[which]));
    this.story.choose({ [which]: this[which] });
    this.#caption();
  }

  /** Shows what is ahead of the moment, or veils it again; this browser keeps it for the campaign. */
  #unveil() {
    this.#toggle("ahead");
    keep(`ahead ${this.replay.value.source}`, this.ahead);
    this.redraw();
  }

  #wants(n) {
    return (this.ahead || n <= this.n) && (this.director || (this.path.flags[n] & FLAG.hidden) === 0);
  }
}
