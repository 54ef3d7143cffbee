/** Dice as dice: pips on six sides, numbers on any other, signs on fudge dice. */
import { apart, cut, draw, drawing, make, picture } from "./making.js";
import { phrase, worded } from "./phrases.js";

const NEAR = 11, HALF = 20, FAR = 29;
const PIPS = {
  1: [[HALF, HALF]],
  2: [[NEAR, NEAR], [FAR, FAR]],
  3: [[NEAR, NEAR], [HALF, HALF], [FAR, FAR]],
  4: [[NEAR, NEAR], [NEAR, FAR], [FAR, NEAR], [FAR, FAR]],
  5: [[NEAR, NEAR], [NEAR, FAR], [HALF, HALF], [FAR, NEAR], [FAR, FAR]],
  6: [[NEAR, NEAR], [NEAR, HALF], [NEAR, FAR], [FAR, NEAR], [FAR, HALF], [FAR, FAR]],
};
/** The outline of a die by its sides; those not named are round. */
const OUTLINES = {
  4: "20,3 38,35 2,35", 8: "20,1 39,20 20,39 1,20", 10: "20,1 38,15 20,39 2,15", 12: "20,1 38.5,15 31.5,37 8.5,37 1.5,15",
  20: "20,1 37,10.5 37,29.5 20,39 3,29.5 3,10.5",
};
/** The faces of a fudge die: how each is said, and the lines that draw it. */
const FUDGE = { "-1": ["minus", "M12 20H28"], 1: ["plus", "M12 20H28M20 12V28"], 0: ["blank", ""] };

/** One die as a drawing; of one without a number of sides, what fits on six is shown by pips. */
export function die({ sides, face, kept }) {
  const shape = sides ?? (face <= 6 ? 6 : 8);
  const left = kept === false;
  return drawing(40, 40, { class: `die${kept === true ? " kept" : ""}${left ? " left" : ""}` },
    outline(shape), ...faceOf(shape, String(face)), left ? draw("path", { class: "out", d: "M4 36 36 4" }) : null);
}

function outline(sides) {
  if (sides === 6 || sides === 0) return draw("rect", { class: "body", x: 2, y: 2, width: 36, height: 36, rx: 7 });
  if (OUTLINES[sides]) return draw("polygon", { class: "body", points: OUTLINES[sides] });
  return draw("circle", { class: "body", cx: 20, cy: 20, r: 18.5 });
}

function faceOf(sides, face) {
  if (sides === 0) return [draw("path", { class: "lines", d: (FUDGE[face] ?? FUDGE[0])[1] })];
  if (sides === 6 && PIPS[face]) return PIPS[face].map(([cx, cy]) => draw("circle", { class: "pip", cx, cy, r: 3.6 }));
  return [draw("text", { x: 20, y: sides === 4 ? 31 : 26, class: face.length > 2 ? "face long" : "face" }, cut(face, 4))];
}

/** Dice beside each other, and in words what lies on them. */
export function dice(thrown, alt) {
  return picture(`${alt}${thrown.map(sayDie).join(", ") || phrase("no-dice")}`, { class: "dice" }, ...thrown.map(die));
}

function sayDie({ sides, face, kept }) {
  const fudge = sides === 0 ? FUDGE[face]?.[0] : undefined, shown = fudge ? phrase(`die-${fudge}`) : face;
  const said = sides && sides !== 6 ? phrase("die-of", { face: shown, sides }) : shown;
  return kept === undefined ? `${said}` : phrase(kept ? "die-kept" : "die-left", { die: said });
}

/** The faces of a pool as dice, each kept one marked once. */
export function pooled(faces, kept = []) {
  const still = [...kept];
  return [...faces].sort((a, b) => b - a).map((face) => {
    const at = still.indexOf(face);
    if (at >= 0) still.splice(at, 1);
    return at >= 0 ? { face, kept: true } : { face };
  });
}

/** Dice that were raised: they lie before those who are to see them. */
export function raised(value, name) {
  const to = value.to.map(name).join(", ");
  const seen = to && phrase("to-be-seen", { whom: to });
  const said = [phrase("raises", { who: name(value.by), number: value.total }), seen].filter(Boolean).join(`${phrase("semicolon")} `);
  return make("div", { class: "raise" },
    make("p", {}, ...worded("raises", { who: make("bdi", { class: "name" }, name(value.by)), number: make("strong", {}, String(value.total)) })),
    dice(value.dice.map((face) => ({ face })), `${said}${phrase("colon")} `),
    seen ? make("p", { class: "soft" }, ...apart(seen)) : null);
}
