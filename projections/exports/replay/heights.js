/** How high each of many things is, and how high they are together: a Fenwick tree, so that asking costs little. */
export class Heights {
  /** @param {Float64Array} each */
  constructor(each) {
    this.each = each;
    this.tree = new Float64Array(each.length + 1);
    for (let i = 1; i <= each.length; i++) {
      this.tree[i] += each[i - 1];
      const next = i + (i & -i);
      if (next <= each.length) this.tree[next] += this.tree[i];
    }
  }

  get count() { return this.each.length; }

  /** The height of the first `count` together. */
  above(count) {
    let sum = 0;
    for (let i = count; i > 0; i -= i & -i) sum += this.tree[i];
    return sum;
  }

  /** Says how high one is, now that it is known. */
  set(index, height) {
    const more = height - this.each[index];
    if (!more) return;
    this.each[index] = height;
    for (let i = index + 1; i < this.tree.length; i += i & -i) this.tree[i] += more;
  }

  /** Which one lies at a height; the last one for anything beyond. */
  at(y) {
    let index = 0, bit = 1;
    while (bit * 2 < this.tree.length) bit *= 2;
    for (let rest = y; bit; bit >>= 1) {
      if (index + bit < this.tree.length && this.tree[index + bit] <= rest) {
        index += bit;
        rest -= this.tree[index];
      }
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }
}
