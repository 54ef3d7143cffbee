/** The first screen: what is at stake, who is there, and one button that plays. */
import { moment } from "./address.js";
import { saidOf } from "./blocks.js";
import { kept } from "./keeping.js";
import { apart, draw, drawing, make, typed } from "./making.js";
import { phrase } from "./phrases.js";

/** Kinds of paragraphs that are beside the story. */
const BESIDE = new Set(["note", "ruling", "aside"]);
/** Letters of a paragraph that a cover tells whole, and the part of a story that is its beginning. */
const SHORT = 240, BEGINNING = 1 / 3;
const WORDS_A_MINUTE = 210, A_STEP = 0.4, A_BLOCK = 0.9;

/** About how many minutes a path plays at its own speed: its words are read, and each of its steps is looked at. */
export function minutesOf(path) {
  let words = 0;
  for (let b = 0; b < path.blocks; b++) words += path.block(b).text.split(/\s+/).length;
  return Math.max(1, Math.round(words / WORDS_A_MINUTE + (path.count * A_STEP + path.blocks * A_BLOCK) / 60));
}

/** What it is about: as its writer says, else what the first conflict is about. */
export function stakesOf(value, path) {
  if (value.blurb) return value.blurb;
  for (let b = 0; b < path.blocks; b++) {
    const { sort, against, system } = path.block(b);
    if (sort === "conflict" && against) return against.replace(`${system}${phrase("colon")} `, "");
  }
  return "";
}

/** The first sentence of the story, or the whole of a short paragraph: where it begins, and nothing of how it goes on. */
export function openingOf(path, whole = false) {
  for (let b = 0; b < path.blocks; b++) {
    const { sort, kind, text } = path.block(b);
    if (sort === "told" && text && !BESIDE.has(kind)) return whole && text.length <= SHORT ? text : /^.+?[.!?…]["”“»’]*(?=\s|$)/su.exec(text)?.[0] ?? text;
  }
  return "";
}

/** What somebody says near the beginning, for a cover that knows nothing else of them. */
export function firstWordsOf(path, name) {
  for (let b = 0; b < path.blocks * BEGINNING; b++) {
    const block = path.block(b);
    if (block.kind === "speech" && block.label === name) return saidOf(block);
  }
  return "";
}

/** The first letters of the first and the last word of a name. */
export function initialsOf(name) {
  const words = name.split(/[\s-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return [...new Set([words[0], words.at(-1)])].map((word) => [...(word ?? "?")][0].toUpperCase()).join("");
}

function faceOf({ name, portrait }, pictures) {
  return portrait === undefined
    ? make("span", { class: "initials", "aria-hidden": "true" }, initialsOf(name))
    : make("img", { src: pictures[portrait], alt: "" });
}

/** Under which name the place of a reader in a replay is kept. */
export function placeIn({ value: { source, title } }) {
  return `place ${source} ${title}`;
}

/** Covers a page until it is left: by Play, or from where its reader was. */
export class Cover {
  constructor(page) {
    const { replay, path } = page, { title, campaign, people = [], pictures = [], cover } = replay.value;
    const before = moment(replay, kept(placeIn(replay)) ?? ""), stakes = stakesOf(replay.value, path), opening = replay.value.blurb ? "" : openingOf(path, !stakes), minutes = minutesOf(path);
    const play = make("button", { type: "button", class: "start" },
      drawing(24, 24, {}, draw("path", { d: "M8 4.5 19 12 8 19.5Z" })), phrase("play"));
    play.addEventListener("click", () => page.play());
    const on = before && make("button", { type: "button" }, phrase("go-on"));
    on?.addEventListener("click", () => page.go(before.n, before.line));
    this.root = page.find("#cover");
    this.root.replaceChildren(make("div", {},
      cover === undefined ? null : make("img", { class: "behind", src: pictures[cover], alt: "" }),
      campaign && campaign !== title ? make("p", { class: "of" }, typed(campaign)) : null,
      make("h1", { id: "of-cover" }, ...apart(title)),
      opening ? make("p", { class: "opening" }, ...apart(opening)) : null,
      stakes ? make("p", { class: "about" }, ...apart(stakes)) : null,
      make("ul", {}, ...people.map((one) => [one, one.about || firstWordsOf(path, one.name)]).map(([one, about]) => make("li", {}, faceOf(one, pictures),
        make("p", {}, typed(one.name, { class: "name" }), about ? typed(about, { class: "said" }) : null)))),
      make("p", { class: "go" }, play, make("span", {}, phrase(minutes === 1 ? "minute" : "minutes", { number: minutes })), on)));
    this.root.hidden = false;
    document.documentElement.classList.add("covered");
    play.focus({ preventScroll: true });
  }

  /** Fades into the table. */
  leave(smoothly) {
    document.documentElement.classList.remove("covered");
    this.root.classList.add("leaves");
    this.root.inert = true;
    setTimeout(() => this.root.remove(), smoothly ? 400 : 0);
  }
}
