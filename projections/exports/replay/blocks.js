/** The blocks of a story as elements: headings, and paragraphs with the numbers behind them. */
import { apart, make, typed, unseen } from "./making.js";
import { phrase } from "./phrases.js";

const HEADINGS = ["chapter", "scene", "conflict"];
/** Lines that the highest picture takes. */
const TALLEST = 18;
const SLANTED = new Set(["ribbon"]);

/** What a paragraph says, with the signs around it that say whose words they are. */
export function saidOf({ text, kind, quotes, direction, ours }) {
  if (kind === "speech" && quotes) return `${quotes[0]}${text}${quotes[1]}`;
  if (direction) return `(${text})`;
  return ours ? `[${text}]` : text;
}

/** A block in the record's own words, where it has those of a draft. */
export function asTold(block) {
  return block.recorded ? { ...block, text: block.recorded } : block;
}

/** How deep each heading lies, none deeper than one below the heading before it; 0 for what is none. */
export function levels(path) {
  const found = new Uint8Array(path.blocks), met = new Set();
  for (let b = 0; b < path.blocks; b++) met.add(path.block(b).sort);
  const kept = HEADINGS.filter((sort) => met.has(sort));
  for (let b = 0, last = 2; b < path.blocks; b++) {
    const depth = kept.indexOf(path.block(b).sort);
    if (depth >= 0) last = found[b] = Math.min(3 + depth, last + 1);
  }
  return found;
}

/** Roughly how high a block will be, in lines of that many letters. */
export function guessed(block, letters) {
  if (block.sort !== "told") return 3;
  if (block.image) return Math.min((letters * 0.32 * block.height) / block.width, TALLEST) + 2;
  const lines = Math.ceil((block.text.length + (block.label?.length ?? 0)) / letters);
  return lines + 0.6 + (block.mechanics?.length ?? 0);
}

/** A block as an element; `to` is the address of its moment, `only` says in words whom it is for if not for everybody. */
export function blockElement(block, level, to, only = "") {
  const here = make("a", { class: "here", href: to, tabindex: -1, "aria-label": phrase("to-moment") }, "¶");
  if (level) return make("div", { class: `block ${block.sort}` }, here, ...heading(block, level));
  if (block.image) return make("div", { class: `block told picture ${only ? "for-eyes" : ""}`.trim() }, here, figure(block));
  const marks = ["struck", "later", "direction", "ours"].filter((one) => block[one]);
  return make("div", { class: ["block", "told", block.kind, only ? "for-eyes" : "", ...marks].filter(Boolean).join(" ") },
    here, ...paragraphs(block, only), mechanics(block.mechanics));
}

function heading(block, level) {
  const below = block.sort === "conflict" ? [block.against || block.system] : [];
  const title = block.text;
  return [
    make(`h${level}`, {}, ...(block.sort === "chapter" ? apart(title) : [typed(title || "·")])),
    ...below.filter((one) => one && one !== title).map((one) => make("p", { class: "stakes" }, ...apart(one))),
    mechanics(block.mechanics),
  ];
}

/** A picture with the line under it, which says whom it is for too. */
function figure({ image, width, height, text, caption }) {
  return make("figure", {},
    make("img", { src: image, alt: text, width, height, decoding: "async" }),
    caption ? make("figcaption", {}, ...apart(caption)) : null);
}

/** The label before a paragraph, in the speaker's colour if there is one. */
function labelled({ label, colour }) {
  const shown = make("span", { class: colour ? "label by" : "label" }, make("bdi", {}, ...apart(label)), phrase("colon"));
  if (colour) {
    shown.style.setProperty("--by-light", colour[0]);
    shown.style.setProperty("--by-dark", colour[1]);
  }
  return shown;
}

/** Whom a block is for, unless its label says so already. */
function whomOf(block, only) {
  const named = block.eyes && block.label?.includes(block.eyes);
  return only && !named ? make("bdi", { class: "only" }, ...apart(`(${only})`)) : null;
}

function paragraphs(block, only) {
  const said = saidOf(block), whom = whomOf(block, only);
  if (!said) return whom ? [make("p", {}, whom)] : [];
  const tag = block.ours || block.direction || SLANTED.has(block.kind) ? "em" : "span";
  return said.split(/\n[ \t]*\n\s*/).map((text, i) => make("p", { dir: "auto" },
    ...(i === 0 && block.label ? [labelled(block), " "] : []),
    ...(i === 0 && whom ? [whom, " "] : []),
    i === 0 && block.struck ? unseen(`${phrase("struck")} `) : null,
    make(tag, { class: "words" }, ...(block.ours ? apart(text) : [text]))));
}

function mechanics(all) {
  if (!all?.length) return null;
  return make("ul", { class: "mechanics" }, ...all.map(({ text, luck }) =>
    make("li", {}, ...apart(text), luck ? make("span", { class: "luck" }, ` [${luck}]`) : null)));
}
