/** A map as a picture: places, what lies between them, and people who move over the borders. */
import { cut, draw, drawing, picture, place } from "./making.js";
import { phrase } from "./phrases.js";

const NAMED = 30, TALL = 22;
/** How wide a place is, and how much room there is between two, across and down, on a wide and on a narrow page. */
const WIDE = { place: 150, across: 96, down: 62 }, NARROW = { place: 112, across: 40, down: 46 };
const MOST_ABREAST = 2.1;

/** @typedef {{x: number, y: number, wide: number, high: number}} Plot a place's box, by its upper left corner */

/** Where everything of a map lies: upright where the paper is narrow and the map is wide. */
export function laidOut({ spots }, people, narrow) {
  const crowd = spots.map((_, i) => people.filter((one) => one.spot === i).length);
  const high = NAMED + TALL * Math.max(1, ...crowd);
  const span = (axis) => Math.max(0, ...spots.map((one) => one[axis])) - Math.min(...spots.map((one) => one[axis]));
  const size = narrow ? NARROW : WIDE;
  const turned = narrow && span("x") > MOST_ABREAST && span("x") > span("y");
  const [right, down] = turned ? ["y", "x"] : ["x", "y"];
  const least = (axis) => Math.min(...spots.map((one) => one[axis]));
  const plots = spots.map((one, i) => {
    const own = NAMED + TALL * Math.max(1, crowd[i]);
    return {
      x: (one[right] - least(right)) * (size.place + size.across) + 4,
      y: (one[down] - least(down)) * (high + size.down) + (high - own) / 2 + 4, wide: size.place, high: own,
    };
  });
  const width = Math.max(...plots.map((one) => one.x)) + size.place + 4;
  const height = Math.max(...plots.map((one) => one.y + one.high / 2)) + high / 2 + 4;
  return { plots, width, height };
}

/** Who is where and what lies between, in words. */
export function sayMap({ spots, lines }, people, name) {
  const where = spots.map((spot, i) => {
    const here = people.filter((one) => one.spot === i).map((one) => (one.out ? phrase("map-out", { who: name(one.who) }) : name(one.who)));
    return `${spot.name}${phrase("colon")} ${here.join(", ") || phrase("map-nobody")}`;
  });
  const between = lines.map((one) => `${spots[one.one]?.name} - ${spots[one.other]?.name}${phrase("colon")} ${signs(one).join(", ")}`);
  const next = `${phrase("semicolon")} `;
  return `${phrase("map")}. ${where.join(next)}. ${between.join(next)}`;
}

/** What stands on a border, line by line. */
export function signs({ there = [], back = [], harm }) {
  const alike = there.length === back.length && there.every((one, i) => one === back[i]);
  const ways = alike ? there : [...there.map((one) => `→ ${one}`), ...back.map((one) => `← ${one}`)];
  return [...(ways.length ? ways : [phrase("map-closed")]), ...(harm ? [harm] : [])];
}

const drawn = new WeakMap();

/** The map as a picture; given the one drawn before, its people move. */
export function map(value, people, name, narrow, before) {
  if (!value.spots.length) return before ?? picture(phrase("empty-map"), { class: "map" });
  const made = before ?? freshMap();
  const kept = drawn.get(made);
  const { plots, width, height } = laidOut(value, people, narrow);
  const stamp = JSON.stringify([value, plots]);
  if (kept.stamp !== stamp) {
    kept.stamp = stamp;
    made.firstChild.setAttribute("viewBox", `0 0 ${width} ${height}`);
    made.firstChild.style.maxWidth = `${width * 1.15}px`;
    kept.ground.replaceChildren(...borders(value, plots), ...value.spots.map((spot, i) => plot(spot, plots[i])));
  }
  move(kept, people, plots, name);
  made.setAttribute("aria-label", sayMap(value, people, name));
  return made;
}

function freshMap() {
  const ground = draw("g"), crowd = draw("g");
  const made = picture("", { class: "map" }, drawing(1, 1, {}, ground, crowd));
  drawn.set(made, { ground, crowd, tokens: new Map(), stamp: "" });
  return made;
}

function move(kept, people, plots, name) {
  const taken = plots.map(() => 0);
  const here = people.filter((one) => plots[one.spot]).map((one) => {
    const token = kept.tokens.get(one.who) ?? draw("g", {}, draw("rect", { height: 19, rx: 9.5 }), draw("text", { y: 14 }));
    kept.tokens.set(one.who, token);
    token.setAttribute("class", one.out ? "token is-out" : "token");
    const { x, y, wide } = plots[one.spot];
    token.firstChild.setAttribute("width", String(wide - 16));
    token.lastChild.setAttribute("x", String(wide / 2 - 8));
    token.lastChild.textContent = cut(name(one.who), wide / 8.6);
    token.style.transform = `translate(${x + 8}px, ${y + NAMED + TALL * taken[one.spot]++}px)`;
    return token;
  });
  for (const who of kept.tokens.keys()) if (!people.some((one) => one.who === who)) kept.tokens.delete(who);
  place(kept.crowd, here);
}

function plot(spot, { x, y, wide, high }) {
  return draw("g", { class: "spot" },
    draw("rect", { x, y, width: wide, height: high, rx: 9 }),
    draw("text", { x: x + wide / 2, y: y + 20 }, cut(spot.name, wide / 8)));
}

function borders({ lines }, plots) {
  const met = new Map();
  const all = lines.filter((one) => plots[one.one] && plots[one.other]).map((one) => {
    const key = [one.one, one.other].sort().join("-");
    met.set(key, (met.get(key) ?? -1) + 1);
    return border(one, plots, met.get(key));
  });
  return [...all.map(([path]) => path), ...all.map(([, label]) => label)];
}

/** A line between two boxes, and what stands on it in the room between them; the nth of the same two lies beside the others. */
function border(line, plots, nth) {
  const [one, other] = [plots[line.one], plots[line.other]];
  const [a, b] = [centre(one), centre(other)];
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const aside = { x: (-(b.y - a.y) / long) * 30 * nth, y: ((b.x - a.x) / long) * 30 * nth };
  const from = leaving(a, b, one), to = leaving(b, a, other);
  const middle = { x: (from.x + to.x) / 2 + aside.x, y: (from.y + to.y) / 2 + aside.y };
  const closed = !line.there?.length && !line.back?.length;
  const said = signs(line);
  return [
    draw("path", { class: closed ? "border closed" : "border", d: `M${a.x} ${a.y}Q${middle.x + aside.x} ${middle.y + aside.y} ${b.x} ${b.y}` }),
    draw("text", { class: "sign", x: middle.x, y: middle.y - (said.length - 1) * 7 + 4 },
      ...said.map((text, i) => draw("tspan", { x: middle.x, dy: i ? 14 : 0 }, cut(text, 16)))),
  ];
}

function centre({ x, y, wide, high }) {
  return { x: x + wide / 2, y: y + high / 2 };
}

/** Where the way from a to b leaves the box around a. */
function leaving(a, b, { wide, high }) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const part = Math.min(wide / 2 / (Math.abs(dx) || 1e-9), high / 2 / (Math.abs(dy) || 1e-9), 1);
  return { x: a.x + dx * part, y: a.y + dy * part };
}
