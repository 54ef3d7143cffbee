/** What a game counts, drawn as it wants to be: boxes, clocks, discs, bars, words. */
import { draw, drawing, make, picture, typed } from "./making.js";
import { called, phrase } from "./phrases.js";

const MOST_DRAWN = 20;

/** A row of what is counted, under its name. */
export function row(value) {
  const drawn = (PICTURES[value.picture] ?? number)(value);
  return make("div", { class: `row ${value.picture ?? "number"}${value.out ? " is-out" : ""}` },
    make("span", { class: "what", "aria-hidden": "true" }, typed(called(value.what, value.system))),
    picture(sayRow(value), { class: "drawn" }, ...drawn));
}

/** A row in words. */
export function sayRow({ what, system, value = 0, most, picture: kind, boxes, rows, words, out }) {
  const filled = (words ?? []).filter(Boolean).join(", "), named = `${called(what, system)}${phrase("colon")}`;
  if (kind === "slot") return `${named} ${filled || phrase("unfilled")}`;
  if (isInAWord({ picture: kind, words })) return `${named} ${called(filled, system)}`;
  const amount = most === undefined ? `${value}` : phrase("place", { number: value, count: most });
  const held = rows > 1 && most !== undefined ? phrase("in-rows", { amount, rows }) : amount;
  const marked = kind === "stress" && boxes?.length ? phrase("map-marked", { boxes: boxes.join(", "), threshold: most ?? boxes.length }) : "";
  return `${named} ${[marked || held, filled, out ? phrase("out") : ""].filter(Boolean).join(`${phrase("semicolon")} `)}`;
}

/** Health of which the numbers are hidden from this viewer. */
const isInAWord = ({ picture: kind, words }) => kind === "health" && words?.length > 0;

const PICTURES = { number, counter, boxes: boxed, clock, points, health, stress: boxed, fallout, slot };

function number({ value = 0, most }) {
  return [make("span", { class: "figure" }, `${value}`), most === undefined ? null : make("span", { class: "of" }, phrase("place", { number: "", count: most }))];
}

function counter(value) {
  return [...discs(value.value, "square"), ...number(value)];
}

function points(value) {
  return [...discs(value.value, "disc"), ...number(value)];
}

/** As many small signs as are held, where that is few enough to see. */
function discs(held = 0, sign) {
  if (held < 1 || held > 10) return [];
  const shapes = Array.from({ length: held }, (_, i) =>
    sign === "disc" ? draw("circle", { cx: 7 + i * 15, cy: 7, r: 5.5 }) : draw("rect", { x: 2 + i * 15, y: 2, width: 10, height: 10, rx: 2 }));
  return [drawing(held * 15, 14, { class: `held ${sign}`, width: held * 15, height: 14 }, ...shapes)];
}

function boxed(row) {
  const { value = 0, most = 0, boxes } = row;
  const all = Math.max(most, ...(boxes ?? []), boxes ? 0 : value);
  if (all > MOST_DRAWN) return number(row);
  const marked = (n) => (boxes ? boxes.includes(n) : n <= value);
  return [crossed(Array.from({ length: all }, (_, i) => marked(i + 1)), row.picture === "stress")];
}

/** Boxes in a row, a cross in those that are marked, a number in those that are free and have one. */
function crossed(marks, numbered = false) {
  return drawing(marks.length * 22, 22, { class: "boxed", width: marks.length * 22, height: 22 }, ...marks.flatMap((full, i) => [
    draw("rect", { class: full ? "box full" : "box", x: i * 22 + 2, y: 2, width: 18, height: 18, rx: 3 }),
    full ? draw("path", { class: "cross", d: `M${i * 22 + 6} 6 ${i * 22 + 16} 16M${i * 22 + 16} 6 ${i * 22 + 6} 16` })
      : numbered ? draw("text", { class: "nth", x: i * 22 + 11, y: 15 }, `${i + 1}`) : null,
  ]));
}

function clock(row) {
  const { value = 0, most = 0 } = row;
  if (most < 1 || most > MOST_DRAWN) return number(row);
  const at = (i) => [24 + 21 * Math.sin((2 * Math.PI * i) / most), 24 - 21 * Math.cos((2 * Math.PI * i) / most)].map((one) => one.toFixed(2)).join(" ");
  const segments = Array.from({ length: most }, (_, i) => most === 1
    ? draw("circle", { class: value ? "full" : "free", cx: 24, cy: 24, r: 21 })
    : draw("path", { class: i < value ? "full" : "free", d: `M24 24L${at(i)}A21 21 0 ${most === 2 ? "0" : "0"} 1 ${at(i + 1)}Z` }));
  return [drawing(48, 48, { class: "clock", width: 48, height: 48 }, ...segments), make("span", { class: "of" }, phrase("place", { number: value, count: most }))];
}

function health({ value = 0, most, out, words, system }) {
  const part = most ? Math.max(0, Math.min(1, value / most)) : value > 0 ? 1 : 0;
  const bar = drawing(100, 10, { class: "bar", preserveAspectRatio: "none" },
    draw("rect", { class: "free", x: 0, y: 0, width: 100, height: 10, rx: 3 }),
    draw("rect", { class: part > 1 / 3 ? "full" : "full low", x: 0, y: 0, width: (part * 100).toFixed(1), height: 10, rx: 3 }));
  if (isInAWord({ picture: "health", words })) return [bar, make("span", { class: "of" }, called(words[0], system))];
  return [bar, make("span", { class: "of" }, out ? phrase("out") : most === undefined ? `${value}` : phrase("place", { number: value, count: most }))];
}

function fallout({ value = 0, most = 0, rows = 1, words = [] }) {
  const across = Math.max(1, Math.round(most / rows));
  if (most > 60) return number({ value, most });
  return Array.from({ length: rows }, (_, r) => make("div", { class: "line" },
    crossed(Array.from({ length: Math.min(across, most - r * across) }, (_unused, i) => r * across + i < value)),
    words[r] ? typed(words[r], { class: "words" }) : null));
}

function slot({ words = [] }) {
  const said = words.filter(Boolean);
  return [said.length ? typed(said.join(", "), { class: "words taken" }) : make("span", { class: "words free" }, phrase("unfilled"))];
}
