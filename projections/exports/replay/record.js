/**
 * A replay's value as a thing to be asked: its lines, the path to the end of each, and the order of what lies on a board.
 * It knows nothing of the page.
 */

import { Boards } from "./boards.js";
import { NEVER, Path, ledOf, shared } from "./path.js";

export class Replay {
  /** @param {any} value the value that docs/replay.md describes */
  constructor(value) {
    this.value = value;
    this.lines = value.lines;
    this.keys = value.keys;
    this.boards = this.lines.map((line) => new Boards(value.keys, line));
    /** @type {Map<number, string | string[]>[]} who may see the steps of each line that are not for everybody */
    this.hidden = this.lines.map((line) => new Map(line.visible_to ?? []));
    this.led = this.lines.map(ledOf);
    /** @type {Map<number, Path>} */
    this.paths = new Map();
    /** @type {Map<string, number>} the order of keys, the same wherever a board is taken from */
    this.order = new Map();
    for (const line of this.lines)
      for (const key of Object.keys(line.board)) this.order.set(key, this.order.get(key) ?? this.order.size);
    for (const key of this.keys) this.order.set(key, this.order.get(key) ?? this.order.size);
  }

  /** The path to the end of a line: what it shares with those it leaves, then its own steps. */
  path(line) {
    let found = this.paths.get(line);
    if (!found) this.paths.set(line, (found = new Path(this, line)));
    return found;
  }

  /** The lines that leave a path at its step n, or from which it leaves there; those that leave these later are left out. */
  others(path, n) {
    const here = this.lines.map((_, other) => (other === path.line ? -1 : shared(path, this.path(other))));
    return here.flatMap((common, other) => {
      const { parent, at } = this.lines[other];
      const follows = parent !== null && here[parent] === n + 1 && at > n + 1;
      return common === n + 1 && !follows ? [other] : [];
    });
  }
}

/** The keys by which two boards differ. @returns {Set<string>} */
export function differing(one, other) {
  const found = new Set();
  for (const [key, value] of one) if (!same(value, other.get(key))) found.add(key);
  for (const key of other.keys()) if (!one.has(key)) found.add(key);
  return found;
}

/** Whether two things of a board are alike. */
export function same(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Looks for words in what steps and paragraphs from..to of a path tell, without regard to case.
 * @returns {{n: number, text: string, at: number, ours: boolean}[]} each with the place of the words in its text, and whether that is a line of ours
 */
export function searched(path, words, from, to, sort) {
  const wanted = words.toLowerCase(), found = [];
  for (let one = from; one < to; one++) {
    const text = sort === "blocks" ? path.block(one).text : path.told(one);
    const at = text.toLowerCase().indexOf(wanted);
    if (at >= 0 && (sort !== "blocks" || path.begins[one] !== NEVER)) found.push({ n: sort === "blocks" ? path.begins[one] : one, text, at, ours: sort !== "blocks" });
  }
  return found;
}
