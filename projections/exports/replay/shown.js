/** Which blocks of a path are shown, and how many of them a moment has come to. */

export class Shown {
  /** @param {(block: any) => boolean} wants */
  constructor(path, wants) {
    const wanted = [];
    for (let b = 0; b < path.blocks; b++) if (wants(path.block(b)) && path.has(b)) wanted.push(b);
    this.blocks = Int32Array.from(wanted);
    this.comes = new Int32Array(path.count);
    wanted.forEach((b, i) => (this.comes[Math.min(path.begins[b], ...path.mechanicsAt(b))] = i + 1));
    for (let n = 1; n < this.comes.length; n++) this.comes[n] = Math.max(this.comes[n], this.comes[n - 1]);
  }

  /** Where a block is among those that are shown, or the last one shown before it. */
  place(block) {
    let low = -1, high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.blocks[middle] <= block) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many lie before what is ahead of step n. */
  before(n) {
    return this.comes[Math.max(0, n)] ?? 0;
  }
}
