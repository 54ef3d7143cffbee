/** The boards of a line, one after each of its steps, each found from one that is kept nearby. */

const EVERY = 256;

export class Boards {
  /** @param {string[]} keys @param {{board: Object, steps: {delta: any[][]}}} line */
  constructor(keys, line) {
    this.keys = keys;
    this.deltas = line.steps.delta;
    /** the boards before steps 0, 256, 512 and so on, as far as somebody has asked yet */
    this.kept = [new Map(Object.entries(line.board))];
    /** the things that each step lays down, whole, as far as that */
    this.laid = [];
  }

  /** The board after step n, for -1 before the first. @returns {Map<string, any>} */
  at(n) {
    this.#reach(n);
    const near = Math.floor((n + 1) / EVERY), board = new Map(this.kept[near]);
    for (let step = near * EVERY; step <= n; step++) laidOn(board, this.laid[step]);
    return board;
  }

  /** The keys that step n changes. @returns {Set<string>} */
  changed(n) {
    return new Set(this.deltas[n].filter((_, i) => i % 2 === 0).map((key) => this.#named(key)));
  }

  #named(key) { return this.keys[key < 0 ? ~key : key]; }

  #reach(n) {
    if (this.laid.length > n) return;
    const board = new Map(this.kept.at(-1));
    for (let step = (this.kept.length - 1) * EVERY; step <= n; step++) {
      this.laid[step] ??= this.#whole(board, this.deltas[step]);
      laidOn(board, this.laid[step]);
      if ((step + 1) % EVERY === 0) this.kept.push(new Map(board));
    }
  }

  /** What a step lays on a board: where only fields are told, the thing there with these. @returns {[string, any][]} */
  #whole(board, delta) {
    const found = [];
    for (let i = 0; i < delta.length; i += 2) {
      const key = this.#named(delta[i]), told = delta[i + 1];
      found.push([key, delta[i] < 0 ? { ...board.get(key), ...told } : told]);
    }
    return found;
  }
}

function laidOn(board, things) {
  for (const [key, thing] of things) {
    if (thing === null) board.delete(key);
    else board.set(key, thing);
  }
}
