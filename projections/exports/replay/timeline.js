/** The timeline: a slider over all steps, with ticks where something begins, is marked, or leaves. */
import { apart, draw, place } from "./making.js";

/** How each sort of tick is drawn: from where to where, of a height of 20. */
const TICKS = { chapter: [0, 20], scene: [4, 14], conflict: [7, 12], mark: [0, 6], branch: [13, 20] };
/** What shows how long it is, and nothing of what happens: it stands ahead of the moment too. */
const MEASURES = new Set(["chapter", "scene"]);

/** Where each entry stands on a line 1000 long, by its sort; entries that fall on the same spot stand once. */
export function ticks(entries, count) {
  const found = {};
  for (const { n, sort } of entries) (found[sort] ??= new Set()).add(Math.round((1000 * n) / Math.max(1, count - 1)));
  return found;
}

/** The lines of one sort of ticks as one path. */
export function tickPath(places, [from, to]) {
  return [...places].map((x) => `M${x} ${from}V${to}`).join("");
}

/** A moment in words: 1 h 02 min 05 s as `1:02:05`. */
export function clockTime(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.max(0, Math.round(seconds)), two = (one) => String(one).padStart(2, "0");
  const hours = Math.floor(whole / 3600), rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

export class Timeline {
  /** @param {HTMLInputElement} slider @param {SVGElement} drawing @param {(n: number) => void} scrub @param {() => void} settle */
  constructor(slider, drawing, scrub, settle) {
    this.slider = slider;
    this.drawing = drawing;
    this.where = slider.parentElement.querySelector("#where");
    slider.addEventListener("input", () => scrub(Number(slider.value)));
    slider.addEventListener("change", () => settle());
  }

  /** Shows the ticks of a path. */
  follow(path) {
    this.slider.max = String(Math.max(0, path.count - 1));
    this.slider.disabled = path.count < 2;
    const found = ticks(path.contents(), path.count);
    this.come = draw("rect", { y: -10, height: 40, x: -10 });
    place(this.drawing, [draw("clipPath", { id: "come" }, this.come), ...Object.keys(TICKS).filter((sort) => found[sort]).map((sort) =>
      draw("g", { "clip-path": MEASURES.has(sort) ? null : "url(#come)" },
        draw("path", { class: `tick ${sort}`, d: tickPath(found[sort], TICKS[sort]), "vector-effect": "non-scaling-stroke" })))]);
  }

  /** Shows where we are, and says it; what happens ahead of that has ticks only if it is shown elsewhere too. */
  show(n, said, ahead, where) {
    this.where.replaceChildren(...apart(where));
    this.come.setAttribute("width", ahead ? 1020 : 11 + (1000 * n) / Math.max(1, Number(this.slider.max)));
    if (this.slider.value !== String(n)) this.slider.value = String(n);
    this.slider.setAttribute("aria-valuetext", said);
    this.slider.parentElement.style.setProperty("--part", String(n / Math.max(1, Number(this.slider.max))));
  }
}
