import { LaneCounts } from "./lane-counts.ts";

const LANES = 32;
/** Most words of bits that are kept, 64 MiB; a pair that there is no row for counts as shared. */
const MOST_WORDS = 2 ** 24;
const NO_ROW = -1;

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
  readonly #counts: LaneCounts;

  constructor(texts: readonly string[]) {
    this.#width = Math.ceil(texts.length / LANES);
    const counts: number[] = [];
    for (const text of texts) this.#number(text, counts);
    this.#empty = this.#rank(counts);
    this.#bits = new Int32Array((this.#empty + 1) * this.#width);
    for (const [lane, text] of texts.entries()) for (const row of this.of(text).rows) this.#set(row, lane);
    this.#counts = new LaneCounts(this.#bits, this.#width);
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

  /** The texts that are in all but `mayMiss[w]` of the rows, a bit for each of texts 32 · w and following. The answer holds until the next call. */
  textsIn(rows: Int32Array, mayMiss: Int32Array): Int32Array {
    const starts = rows.map((row) => row * this.#width);
    return this.#counts.lanesIn(starts, this.#empty * this.#width, mayMiss);
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
    const seen: Pair[] = [];
    for (const code of codesOf(text)) {
      let pair = this.#pairs.get(code);
      if (pair === undefined) this.#pairs.set(code, (pair = { rows: [], seen: 0 }));
      const number = (pair.rows[pair.seen++] ??= counts.length);
      counts[number] = (counts[number] ?? 0) + 1;
      seen.push(pair);
    }
    unsee(seen);
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
    const numbers: number[] = [];
    const seen: Pair[] = [];
    for (const code of codesOf(text)) {
      const pair = this.#pairs.get(code);
      const number = pair?.rows[pair.seen];
      if (pair === undefined || number === undefined) continue;
      numbers.push(number);
      pair.seen++;
      seen.push(pair);
    }
    unsee(seen);
    return numbers;
  }

  #set(row: number, lane: number): void {
    const at = row * this.#width + Math.floor(lane / LANES);
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (lane % LANES));
  }
}

function unsee(pairs: readonly Pair[]): void {
  for (const pair of pairs) pair.seen = 0;
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
