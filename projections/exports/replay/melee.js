/** Who is on whom: people in two columns, and an arrow from each to the one they are after. */
import { apart, cut, draw, drawing, make, picture } from "./making.js";
import { phrase } from "./phrases.js";

const EACH = 46, PAPER = 340, BOX = 118;

/** Everybody in it by the column they stand in: the first side on the left, all others on the right. */
export function columns({ aims, pairs }, sides) {
  const people = [...new Set([...aims.flatMap((one) => [one.who, one.target]), ...pairs.flatMap((one) => [one.one, one.other])])];
  const here = people.filter((one) => one !== null && one !== undefined);
  const left = here.filter((one) => (sides[0] ?? []).includes(one));
  return [left, here.filter((one) => !left.includes(one))];
}

/** The fight as a picture, and everybody's aim in words. */
export function melee(value, name, sides) {
  const [left, right] = columns(value, sides);
  const spots = new Map();
  const high = Math.max(left.length, right.length, 1) * EACH;
  [left, right].forEach((side, column) => side.forEach((one, i) =>
    spots.set(one, { x: column ? PAPER - BOX : 0, y: (i + 0.5) * (high / side.length) - 15, column })));
  const links = value.pairs.map((one) => pair(one, spots));
  const arrows = value.aims.filter((one) => one.target !== null && one.target !== undefined && one.target !== one.who && !paired(value, one)).map((one) => arrow(one, spots));
  const marks = value.pairs.map((one) => checks(one, spots));
  const boxes = [...spots].map(([one, spot]) => person(name(one), spot));
  return make("div", { class: "melee" },
    spots.size ? picture(sayMelee(value, name), { class: "who-on-whom" }, drawing(PAPER, high, {}, ...links, ...arrows, ...boxes, ...marks)) : null,
    make("ul", { class: "aims" }, ...value.aims.map((one) => make("li", {}, ...apart(sayAim(one, name))))));
}

function paired({ pairs }, { who, target }) {
  return pairs.some((one) => (one.one === who && one.other === target) || (one.one === target && one.other === who));
}

/** Who clashes with whom, in words. */
export function sayMelee({ phase, pairs }, name) {
  const clashes = pairs.map(({ one, other, checker, winner }) => {
    const how = (winner ?? null) !== null ? phrase("wins", { who: name(winner) }) : (checker ?? null) !== null ? phrase("checks", { who: name(checker) }) : "";
    return [phrase("clashes", { one: name(one), other: name(other) }), how].filter(Boolean).join(", ");
  });
  return phrase("phase", { number: phase, clashes: clashes.join(`${phrase("semicolon")} `) || phrase("no-clash") });
}

/** What somebody means to do, in words. */
export function sayAim({ who, act, target, outcome, by }, name) {
  const whom = target === null || target === undefined ? "" : ` ${name(target)}`;
  const through = by?.length ? ` (${by.map(name).join(", ")})` : "";
  return `${name(who)}: ${act}${whom}${outcome ? ` – ${outcome}${through}` : ""}`;
}

function edge(spot, towards) {
  const inwards = spot.column !== towards.column;
  return [spot.x + (inwards === !spot.column ? BOX : 0), spot.y + 15];
}

function between(one, other) {
  const [x, y] = edge(one, other), [a, b] = edge(other, one);
  const bend = one.column === other.column ? (one.column ? -46 : 46) : 0;
  const middle = one.column === other.column ? x + bend : (x + a) / 2;
  return { d: `M${x} ${y}C${middle} ${y} ${middle} ${b} ${a} ${b}`, x: bend ? x + bend * 0.75 : (x + a) / 2, y: (y + b) / 2 };
}

function pair({ one, other, winner }, spots) {
  const { d, x, y } = between(spots.get(one), spots.get(other));
  return draw("g", { class: (winner ?? null) === null ? "pair" : "pair settled" }, draw("path", { d }),
    draw("path", { class: "swords", d: `M${x - 7} ${y - 7} ${x + 7} ${y + 7}M${x + 7} ${y - 7} ${x - 7} ${y + 7}` }));
}

/** A ring where somebody checks, a full one where somebody has won. */
function checks({ one, other, winner, checker }, spots) {
  const ahead = winner ?? checker ?? null;
  if (!spots.has(ahead)) return null;
  const [cx, cy] = edge(spots.get(ahead), spots.get(ahead === one ? other : one));
  return draw("circle", { class: (winner ?? null) === null ? "checks" : "won", cx, cy, r: 6 });
}

function arrow({ who, target }, spots) {
  const { d } = between(spots.get(who), spots.get(target));
  const [x, y] = edge(spots.get(target), spots.get(who));
  const way = x > spots.get(target).x ? 9 : -9;
  return draw("g", { class: "aim" }, draw("path", { d }), draw("path", { class: "head", d: `M${x} ${y}l${way} -5v10Z` }));
}

function person(called, { x, y }) {
  return draw("g", { class: "person" },
    draw("rect", { x: x + 1, y, width: BOX - 2, height: 30, rx: 15 }),
    draw("text", { x: x + BOX / 2, y: y + 20 }, cut(called, 14)));
}
