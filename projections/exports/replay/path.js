/**
 * A path: the steps from the beginning to the end of a line, those it shares with others first, and what tells each.
 *
 * @typedef {Map<string, any>} Board what lies on the table, by key
 * @typedef {{line: number, from: number, count: number, block: number, blocks: number}} Segment
 *   `count` steps of a line, which are the path's from `from` on; its first `blocks` blocks are the path's from `block` on
 * @typedef {{n: number, sort: string, text: string, line?: number}} Entry something to be found at a step
 * @typedef {"event" | "act" | "turn" | "scene"} Unit
 */

/** A step that no path comes to: that of what is told after it left. */
export const NEVER = 2 ** 31 - 1;

export const FLAG = { act: 1, turn: 2, scene: 4, session: 8, opens: 16, ends: 32, hidden: 64 };

/** How many steps two paths have in common. */
export function shared(one, other) {
  let common = 0;
  for (let k = 0; k < Math.min(one.segments.length, other.segments.length); k++) {
    const a = one.segments[k], b = other.segments[k];
    if (a.line !== b.line) break;
    common += Math.min(a.count, b.count);
    if (a.count !== b.count) break;
  }
  return common;
}

/** The first of a line's own steps that leads to each of its blocks, to one that none does as to the one before. */
export function ledOf({ blocks, steps }) {
  const first = new Int32Array(blocks.length).fill(-1);
  steps.block.forEach((block, own) => { if (block >= 0 && first[block] < 0) first[block] = own; });
  for (let block = 0, own = 0; block < first.length; block++) own = first[block] = first[block] < 0 ? own : first[block];
  return first;
}

export class Path {
  constructor(replay, line) {
    this.replay = replay;
    this.line = line;
    this.name = replay.lines[line].name;
    /** @type {Segment[]} */
    this.segments = segmentsOf(replay, line);
    const last = this.segments.at(-1);
    this.count = last.from + last.count;
    this.blocks = last.block + last.blocks;
    this.flags = new Uint8Array(this.count);
    /** the block that tells each step, -1 for none */
    this.tells = new Int32Array(this.count).fill(-1);
    /** the step with which the words of each block are told, or its first numbers where it has no words */
    this.begins = new Int32Array(this.blocks);
    for (const one of this.segments) this.#take(one);
  }

  #take(segment) {
    const { line, from, count, block, blocks } = segment, { steps, blocks: told } = this.replay.lines[line];
    for (let own = 0; own < count; own++) {
      const n = from + own;
      this.flags[n] = steps.flags[own];
      this.tells[n] = steps.block[own] >= 0 ? block + steps.block[own] : n ? this.tells[n - 1] : -1;
    }
    for (let own = 0; own < blocks; own++) this.begins[block + own] = this.#step(segment, own, told[own].after);
  }

  /** The step so many after the first that leads to a block of a segment; NEVER for one after the path has left its line. */
  #step({ line, from, count }, block, after = 0) {
    const own = Math.max(0, this.replay.led[line][block] + after);
    return own < count || this.replay.lines[line].steps.id.length === count ? from + own : NEVER;
  }

  #segment(b) {
    return this.segments.findLast((one) => one.block <= b && one.blocks) ?? this.segments[0];
  }

  /** The steps with which the mechanics of a block are told. @returns {number[]} */
  mechanicsAt(b) {
    const segment = this.#segment(b), own = b - segment.block;
    return (this.replay.lines[segment.line].blocks[own].mechanics ?? []).map(({ after }) => this.#step(segment, own, after));
  }

  /** Whether anything of a block has been told by step n. */
  reached(b, n) {
    return this.begins[b] <= n || this.mechanicsAt(b).some((at) => at <= n);
  }

  /** The segment a step is of, and which of its line's own steps it is. */
  find(n) {
    const segment = this.segments.findLast((one) => one.from <= n) ?? this.segments[0];
    const { lines, boards, hidden } = this.replay;
    return { line: lines[segment.line], boards: boards[segment.line], hidden: hidden[segment.line], own: n - segment.from };
  }

  #column(name, n) {
    const { line, own } = this.find(n);
    return line.steps[name][own];
  }

  id(n) { return this.#column("id", n); }

  /** A step in the notation of the log; what its block says too is taken from there. */
  told(n) {
    const { line, own } = this.find(n), told = line.steps.told[own];
    if (typeof told === "string") return told;
    const [before, which, after] = told, block = line.blocks[line.steps.block[own]];
    return before + (which ? block.mechanics[which - 1] : block).text + after;
  }

  seconds(n) { return this.#column("t", n); }

  /** Who may see a step: `table`, `gm` or names. */
  visibleTo(n) {
    if (!(this.flags[n] & FLAG.hidden)) return "table";
    const { hidden, own } = this.find(n);
    return hidden.get(own) ?? "gm";
  }

  /** Who may see a block, by the step it tells first. */
  blockVisibleTo(b) {
    const n = this.begins[b];
    return this.tells[n] === b ? this.visibleTo(n) : "table";
  }

  block(b) {
    const segment = this.#segment(b);
    return this.replay.lines[segment.line].blocks[b - segment.block];
  }

  /** Whether a block has anything that belongs to this path: what its line tells of it later does not. */
  has(b) {
    return this.reached(b, this.count - 1);
  }

  /** The step of an id, -1 if this path has none. */
  stepOf(id) {
    for (const { line, from, count } of this.segments) {
      const own = this.replay.lines[line].steps.id.indexOf(id);
      if (own >= 0 && own < count) return from + own;
    }
    return -1;
  }

  /** The board after a step, for -1 before the first. @returns {Board} */
  boardAt(n) {
    const { boards, own } = this.find(Math.max(n, 0));
    return boards.at(n < 0 ? -1 : own);
  }

  /** The keys that a step changed. @returns {Set<string>} */
  changedAt(n) {
    const { boards, own } = this.find(n);
    return this.count ? boards.changed(own) : new Set();
  }

  /** The step at which the next unit is over, or begins if it is a scene; the last one if there is none. */
  on(n, unit) {
    for (let m = n + 1; m < this.count - 1; m++) if (this.#stops(m, unit)) return m;
    return Math.max(0, this.count - 1);
  }

  /** The same backwards; 0 if there is none. */
  back(n, unit) {
    for (let m = n - 1; m > 0; m--) if (this.#stops(m, unit)) return m;
    return 0;
  }

  #stops(n, unit) {
    if (unit === "act") return (this.flags[n + 1] & FLAG.act) !== 0;
    if (unit === "turn") return (this.flags[n] & FLAG.turn) !== 0;
    if (unit === "scene") return (this.flags[n] & (FLAG.scene | FLAG.session)) !== 0;
    return true;
  }

  /** Every heading, mark and branch point, in the order of steps. @returns {Entry[]} */
  contents() {
    const found = [];
    for (let b = 0; b < this.blocks; b++) {
      const { sort, text } = this.block(b);
      if (sort !== "told" && this.has(b)) found.push({ n: this.begins[b], sort, text });
    }
    for (const { line, from, count } of this.segments)
      for (const [own, text] of this.replay.lines[line].marks)
        if (own < count) found.push({ n: from + own, sort: "mark", text });
    return [...found, ...this.forks()].sort((a, b) => a.n - b.n);
  }

  /** Where other lines leave. @returns {Entry[]} */
  forks() {
    const points = new Set(this.replay.lines.map((_, other) => shared(this, this.replay.path(other)) - 1));
    return [...points].filter((n) => n >= 0).flatMap((n) =>
      this.replay.others(this, n).map((line) => ({ n, sort: "branch", text: this.replay.lines[line].name, line })));
  }

  /** How many steps the line this path is of shares with the one it leaves; 0 for the first. */
  get leaves() {
    const { parent, at } = this.replay.lines[this.line];
    return parent === null ? 0 : Math.min(at, this.count);
  }
}

function segmentsOf(replay, line) {
  const { parent, at, steps, blocks } = replay.lines[line];
  const before = parent === null ? [] : firstOf(replay, replay.path(parent), at);
  const last = before.at(-1);
  const own = {
    line, count: steps.id.length, blocks: blocks.length,
    from: last ? last.from + last.count : 0, block: last ? last.block + last.blocks : 0,
  };
  return [...before, own];
}

/** The first steps of a path, with the blocks that tell these. */
function firstOf(replay, path, at) {
  return path.segments.filter((one) => one.from < at).map((one) => {
    const count = Math.min(one.count, at - one.from);
    if (count === one.count && one !== path.segments.at(-1)) return one;
    const { block } = replay.lines[one.line].steps;
    let most = -1;
    for (let own = 0; own < count; own++) most = Math.max(most, block[own]);
    return { ...one, count, blocks: most + 1 };
  });
}
