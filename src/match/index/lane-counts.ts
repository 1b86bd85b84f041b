/** Rows are added by so many. */
const STEP = 8;
/** Bits of a count that have a variable of their own; more are needed for more than 63 rows. */
const PLAIN_BITS = 6;

/**
 * Counts rows of bits, 32 lanes of a word at once: bit by bit, the ones of all lanes in one number, the twos in the next, and so on. A row has a
 * word for each 32 lanes.
 */
export class LaneCounts {
  readonly #bits: Int32Array;
  /** Used again from call to call. */
  readonly #reached: Int32Array;
  /** Bits of counts beyond the plain ones. */
  #high = new Int32Array(0);

  constructor(bits: Int32Array, width: number) {
    this.#bits = bits;
    this.#reached = new Int32Array(width);
  }

  /**
   * The lanes that are set in all but `mayMiss[w]` of the rows; none of a word where that is below 0. Counts begin so far below a power of two
   * that reaching it is reaching enough. The answer holds until the next call.
   * @param starts where rows begin
   * @param empty where a row begins that no lane is set in
   */
  lanesIn(starts: Int32Array, empty: number, mayMiss: Int32Array): Int32Array {
    const reached = this.#reached;
    const rows = starts.length;
    const padded = new Int32Array(Math.ceil(rows / STEP) * STEP).fill(empty);
    padded.set(starts);
    const power = Math.max(PLAIN_BITS, 32 - Math.clz32(rows));
    if (this.#high.length !== power - PLAIN_BITS) this.#high = new Int32Array(power - PLAIN_BITS);
    for (let word = 0; word < reached.length; word++) {
      const may = mayMiss[word] ?? -1;
      if (may < 0) reached[word] = 0;
      else reached[word] = may >= rows ? -1 : this.#count(padded, word, rows - may, 1 << power);
    }
    return reached;
  }

  /**
   * The lanes of a word that are set in `least` rows, counting from below `enough`, by full adders: of three bits of one worth, one of it and one
   * of twice the worth. Ends as soon as no lane can come that far: where rare rows are first, that is soon.
   */
  #count(starts: Int32Array, word: number, least: number, enough: number): number {
    const bits = this.#bits;
    const begun = enough - least;
    let one = spread(begun, 0);
    let two = spread(begun, 1);
    let four = spread(begun, 2);
    let eight = spread(begun, 3);
    let sixteen = spread(begun, 4);
    let more = spread(begun, 5);
    for (let bit = 0; bit < this.#high.length; bit++) this.#high[bit] = spread(begun, PLAIN_BITS + bit);
    let reached = 0;
    for (let at = 0; at < starts.length; at += STEP) {
      let a = bits[((starts[at] ?? 0) + word) | 0] ?? 0;
      let b = bits[((starts[at + 1] ?? 0) + word) | 0] ?? 0;
      let differ = one ^ a;
      const twoA = (one & a) | (differ & b);
      one = differ ^ b;
      a = bits[((starts[at + 2] ?? 0) + word) | 0] ?? 0;
      b = bits[((starts[at + 3] ?? 0) + word) | 0] ?? 0;
      differ = one ^ a;
      const twoB = (one & a) | (differ & b);
      one = differ ^ b;
      differ = two ^ twoA;
      const fourA = (two & twoA) | (differ & twoB);
      two = differ ^ twoB;
      a = bits[((starts[at + 4] ?? 0) + word) | 0] ?? 0;
      b = bits[((starts[at + 5] ?? 0) + word) | 0] ?? 0;
      differ = one ^ a;
      const twoC = (one & a) | (differ & b);
      one = differ ^ b;
      a = bits[((starts[at + 6] ?? 0) + word) | 0] ?? 0;
      b = bits[((starts[at + 7] ?? 0) + word) | 0] ?? 0;
      differ = one ^ a;
      const twoD = (one & a) | (differ & b);
      one = differ ^ b;
      differ = two ^ twoC;
      const fourB = (two & twoC) | (differ & twoD);
      two = differ ^ twoD;
      differ = four ^ fourA;
      const toEight = (four & fourA) | (differ & fourB);
      four = differ ^ fourB;
      const toSixteen = eight & toEight;
      eight ^= toEight;
      const toMore = sixteen & toSixteen;
      sixteen ^= toSixteen;
      const beyond = more & toMore;
      more ^= toMore;
      if (beyond !== 0) reached |= this.#carry(beyond);
      const left = starts.length - at - STEP;
      if (left >= least || reached !== 0) continue;
      // Whether adding all that is left would carry.
      let may = one & spread(left, 0);
      may = carried(may, two, spread(left, 1));
      may = carried(may, four, spread(left, 2));
      may = carried(may, eight, spread(left, 3));
      may = carried(may, sixteen, spread(left, 4));
      may = carried(may, more, spread(left, 5));
      for (let bit = 0; bit < this.#high.length; bit++)
        may = carried(may, this.#high[bit] ?? 0, spread(left, PLAIN_BITS + bit));
      if (may === 0) return 0;
    }
    return reached;
  }

  /** Adds to the bits beyond the plain ones. Gives the lanes whose counts have reached the power of two. */
  #carry(from: number): number {
    let carry = from;
    for (let bit = 0; carry !== 0 && bit < this.#high.length; bit++) {
      const before = this.#high[bit] ?? 0;
      this.#high[bit] = before ^ carry;
      carry &= before;
    }
    return carry;
  }
}

/** One bit of a number for all lanes. */
function spread(number: number, bit: number): number {
  return -((number >>> bit) & 1);
}

/** What three bits of one worth carry to the next. */
function carried(a: number, b: number, c: number): number {
  return (a & b) | ((a ^ b) & c);
}
