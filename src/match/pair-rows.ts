const LANES = 32;
/** Most words of bits that are kept, 64 MiB; a pair that there is no row for counts as shared. */
const MOST_WORDS = 2 ** 24;
const NO_ROW = -1;
const none = new Int32Array(0);

/** A pair of letters that some text has. */
interface Pair {
  /** For its first, second and following occurrence in one text. */
  readonly rows: number[];
  /** Occurrences in the text that is being read. */
  seen: number;
}

/**
 * For each pair of neighbouring letters a row of bits, one for each text that has it; for those that have it twice another row, and so on. Rare
 * pairs have the first rows. Shared pairs are counted for 32 texts at once.
 */
export class PairRows {
  readonly #pairs = new Map<number, Pair>();
  readonly #width: number;
  readonly #bits: Int32Array;
  /** A row of zeros. */
  readonly #empty: number;
  /** Used again from call to call. */
  readonly #counts: Int32Array[] = [];
  readonly #reached: Int32Array;

  constructor(texts: readonly string[]) {
    this.#width = Math.ceil(texts.length / LANES);
    this.#reached = new Int32Array(this.#width);
    const counts: number[] = [];
    for (const text of texts) this.#number(text, counts);
    this.#empty = this.#rank(counts);
    this.#bits = new Int32Array((this.#empty + 1) * this.#width);
    for (const [lane, text] of texts.entries()) for (const row of this.of(text).rows) this.#set(row, lane);
  }

  /** The rows of a text's pairs in order; `unknown` counts those that some text may share and that have no row. */
  of(text: string): { readonly rows: Int32Array; readonly unknown: number } {
    const rows = new Int32Array(text.length + 1);
    let found = 0;
    let unknown = 0;
    for (const row of this.#numbersOf(text)) {
      if (row === NO_ROW) unknown++;
      else rows[found++] = row;
    }
    return { rows: rows.subarray(0, found).sort(), unknown };
  }

  /**
   * The texts that are in enough of the rows, a bit for each: of texts 32 · w and following, in `least[w]` of them. Counts begin so far below a
   * power of two that reaching it is reaching `least`. The answer holds until the next call.
   */
  textsIn(rows: Int32Array, least: Int32Array): Int32Array {
    const worths = Math.max(4, 32 - Math.clz32(rows.length));
    const begun = least.map((one) => Math.max(0, 2 ** worths - Math.max(0, one)));
    const counts = this.#countsFrom(begun, worths);
    const reached = this.#reached.fill(0);
    for (let at = 0; at < rows.length; at += 8) this.#countEight(rows, at, counts, reached);
    for (let word = 0; word < least.length; word++) if ((least[word] ?? 0) <= 0) reached[word] = -1;
    return reached;
  }

  /** Numbers, one for each word, as 32 counts each: bits worth 1, bits worth 2, and so on. */
  #countsFrom(begun: Int32Array, worths: number): readonly Int32Array[] {
    while (this.#counts.length < worths) this.#counts.push(new Int32Array(this.#width));
    const counts = this.#counts.slice(0, worths);
    for (const [worth, bits] of counts.entries())
      for (let word = 0; word < bits.length; word++) bits[word] = -(((begun[word] ?? 0) >>> worth) & 1);
    return counts;
  }

  /** Adds eight rows to the counts, with full adders: of three bits of one worth, one of it and one of twice the worth. */
  #countEight(rows: Int32Array, from: number, counts: readonly Int32Array[], reached: Int32Array): void {
    const bits = this.#bits;
    const [ones = none, twos = none, fours = none, ...high] = counts;
    const startOf = (at: number): number => (rows[from + at] ?? this.#empty) * this.#width;
    const [r0, r1, r2, r3] = [startOf(0), startOf(1), startOf(2), startOf(3)];
    const [r4, r5, r6, r7] = [startOf(4), startOf(5), startOf(6), startOf(7)];
    for (let word = 0; word < ones.length; word++) {
      let one = ones[word] ?? 0;
      let two = twos[word] ?? 0;
      let a = bits[r0 + word] ?? 0;
      let b = bits[r1 + word] ?? 0;
      let differ = one ^ a;
      const twoA = (one & a) | (differ & b);
      one = differ ^ b;
      a = bits[r2 + word] ?? 0;
      b = bits[r3 + word] ?? 0;
      differ = one ^ a;
      const twoB = (one & a) | (differ & b);
      one = differ ^ b;
      differ = two ^ twoA;
      const fourA = (two & twoA) | (differ & twoB);
      two = differ ^ twoB;
      a = bits[r4 + word] ?? 0;
      b = bits[r5 + word] ?? 0;
      differ = one ^ a;
      const twoC = (one & a) | (differ & b);
      one = differ ^ b;
      a = bits[r6 + word] ?? 0;
      b = bits[r7 + word] ?? 0;
      differ = one ^ a;
      const twoD = (one & a) | (differ & b);
      ones[word] = differ ^ b;
      differ = two ^ twoC;
      const fourB = (two & twoC) | (differ & twoD);
      twos[word] = differ ^ twoD;
      const four = fours[word] ?? 0;
      differ = four ^ fourA;
      let carry = (four & fourA) | (differ & fourB);
      fours[word] = differ ^ fourB;
      for (let worth = 0; carry !== 0 && worth < high.length; worth++) {
        const count = high[worth] ?? none;
        const before = count[word] ?? 0;
        count[word] = before ^ carry;
        carry &= before;
      }
      if (carry !== 0) reached[word] = (reached[word] ?? 0) | carry;
    }
  }

  /** How many of the rows a text is in. */
  shared(rows: Int32Array, lane: number): number {
    const word = Math.floor(lane / LANES);
    let shared = 0;
    for (const row of rows) shared += ((this.#bits[row * this.#width + word] ?? 0) >>> (lane % LANES)) & 1;
    return shared;
  }

  /** Gives the pairs of a text numbers, and counts the texts with each number. */
  #number(text: string, counts: number[]): void {
    const codes = codesOf(text);
    for (const code of codes) {
      let pair = this.#pairs.get(code);
      if (pair === undefined) this.#pairs.set(code, (pair = { rows: [], seen: 0 }));
      const number = (pair.rows[pair.seen++] ??= counts.length);
      counts[number] = (counts[number] ?? 0) + 1;
    }
    this.#unsee(codes);
  }

  /** Makes rows of the numbers, rare ones first. Gives how many there are. */
  #rank(counts: readonly number[]): number {
    const order = counts.map((_, number) => number).sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
    const dropped = Math.max(0, order.length + 1 - Math.floor(MOST_WORDS / Math.max(1, this.#width)));
    const rows = new Int32Array(order.length);
    for (const [rank, number] of order.entries()) rows[number] = rank < dropped ? NO_ROW : rank - dropped;
    for (const pair of this.#pairs.values())
      for (const [turn, number] of pair.rows.entries()) pair.rows[turn] = rows[number] ?? NO_ROW;
    return order.length - dropped;
  }

  /** Of each pair that some text has as often. */
  #numbersOf(text: string): number[] {
    const codes = codesOf(text);
    const numbers: number[] = [];
    for (const code of codes) {
      const pair = this.#pairs.get(code);
      const number = pair?.rows[pair.seen];
      if (pair === undefined || number === undefined) continue;
      numbers.push(number);
      pair.seen++;
    }
    this.#unsee(codes);
    return numbers;
  }

  #unsee(codes: readonly number[]): void {
    for (const code of codes) {
      const pair = this.#pairs.get(code);
      if (pair !== undefined) pair.seen = 0;
    }
  }

  #set(row: number, lane: number): void {
    const at = row * this.#width + Math.floor(lane / LANES);
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (lane % LANES));
  }
}

/** Pairs of neighbouring letters of a text with a space before and after it. */
function codesOf(text: string): number[] {
  const codes: number[] = [];
  let before = 0x20;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    codes.push(before * 0x10000 + code);
    before = code;
  }
  return codes;
}
