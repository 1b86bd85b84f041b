/** Finds the last of some numbers, up to a place, that reaches a height. */
export class MaxEndTree {
  readonly #leaves: number;
  /** A heap: over each two the greater, the numbers themselves at its end. */
  readonly #greatest: Float64Array;

  constructor(numbers: readonly number[]) {
    let leaves = 1;
    while (leaves < numbers.length) leaves *= 2;
    this.#leaves = leaves;
    this.#greatest = new Float64Array(2 * leaves).fill(-Infinity);
    this.#greatest.set(numbers, leaves);
    for (let at = leaves - 1; at > 0; at--)
      this.#greatest[at] = Math.max(this.#at(2 * at), this.#at(2 * at + 1));
  }

  #at(node: number): number {
    return this.#greatest[node] ?? -Infinity;
  }

  /** Its place; -1 when none does. `until`: a place of one of them. */
  place(until: number, height: number): number {
    let node = this.#leaves + until;
    while (node > 0 && this.#at(node) < height) {
      // On to what lies before: the left neighbour, once this is a right one.
      while (node > 1 && node % 2 === 0) node /= 2;
      if (node === 1) return -1;
      node--;
    }
    while (node < this.#leaves) node = this.#at(2 * node + 1) >= height ? 2 * node + 1 : 2 * node;
    return node - this.#leaves;
  }
}
