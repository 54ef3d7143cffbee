/** A balance that tilts towards whom it favours. */
import { apart, cut, draw, drawing, make, picture } from "./making.js";
import { phrase } from "./phrases.js";

const MOST_TILT = 16;

/** The tilt in degrees, towards the right if positive: full where there is nothing above the level. */
export function tilt({ scale, level, favours, sides }) {
  if (favours === null || favours === undefined || scale.length < 2) return 0;
  return (sideOf(favours, sides) === 0 ? -1 : 1) * (MOST_TILT * level) / (scale.length - 1);
}

function sideOf(person, sides) {
  return Math.max(0, sides.findIndex((side) => side.includes(person)));
}

/** Who is on which pan: two sides, or whom it favours against all others. */
export function pans({ sides, favours }, name) {
  const side = (people) => people.map(name).join(", ");
  if (sides.length <= 2) return [side(sides[0] ?? []), side(sides[1] ?? [])];
  const ahead = favours === null || favours === undefined ? 0 : sideOf(favours, sides);
  const others = sides.filter((_, i) => i !== ahead).map(side).join(" · ");
  return ahead === 0 ? [side(sides[0]), others] : [others, side(sides[ahead])];
}

/** The balance as a picture; given the one drawn before, that tilts. */
export function balance(value, name, before) {
  const [left, right] = pans(value, name);
  const level = value.scale[value.level] ?? "", isEven = value.favours === null || value.favours === undefined;
  const said = isEven ? level : phrase("in-favour", { level, who: name(value.favours) });
  const made = before ?? freshBalance();
  made.setAttribute("aria-label", phrase("balance", { level: said, one: left, other: right }));
  made.querySelector(".left text").textContent = cut(left, 24);
  made.querySelector(".right text").textContent = cut(right, 24);
  made.querySelector("figcaption").replaceChildren(...apart(said));
  turn(made, tilt(value));
  return made;
}

function turn(made, degrees) {
  const reach = 110, angle = (degrees * Math.PI) / 180;
  made.querySelector(".beam").style.transform = `rotate(${degrees}deg)`;
  for (const [which, way] of [["left", -1], ["right", 1]])
    made.querySelector(`.${which}`).style.transform = `translate(${way * reach * Math.cos(angle)}px, ${way * reach * Math.sin(angle)}px)`;
}

function freshBalance() {
  const pan = (which) => draw("g", { class: `pan ${which}` },
    draw("path", { class: "strings", d: "M160 34 132 80M160 34 188 80" }),
    draw("path", { class: "bowl", d: "M128 80H192A32 14 0 0 1 128 80Z" }),
    draw("text", { x: 160, y: 112 }, ""));
  return picture("", { class: "balance" },
    drawing(320, 150, {},
      draw("path", { class: "post", d: "M160 34V136M130 138H190" }),
      draw("g", { class: "beam" }, draw("path", { d: "M50 34H270" }), draw("circle", { cx: 160, cy: 34, r: 5 })),
      pan("left"), pan("right")),
    make("figcaption"));
}
