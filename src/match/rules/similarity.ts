/**
 * Returns the similarity of two normalised texts, from 0 to 1: twice the length of their longest common subsequence of characters / the sum
 * of their lengths. Also compares the texts with sorted words, and returns the greater value, so that word order does not matter.
 * Symmetric; 1 for equal texts.
 */
export function similarity(a: string, b: string): number {
  return new Likeness(a).to(new Wording(b));
}

/** A normalised text with letter counts and sorted words, which are computed once for many comparisons. */
export class Wording {
  readonly text: string;
  readonly #letters: Uint16Array;
  /** Sorted words, computed at the first use. */
  #sorted: string | undefined;

  constructor(text: string) {
    this.text = text;
    this.#letters = letterCounts(text);
  }

  /** The words of the text in alphabetical order, so that word order does not matter. */
  get sorted(): string {
    return (this.#sorted ??= this.text.split(" ").sort().join(" "));
  }

  /** Returns an upper bound of the similarity of two texts, from the letters that both contain. */
  bound(other: Wording): number {
    const sum = this.text.length + other.text.length;
    const shortest = Math.min(this.text.length, other.text.length);
    if (sum === 0) return 1;
    let shared = 0;
    for (let at = 0; at < buckets; at++) shared += Math.min(this.#letters[at] ?? 0, other.#letters[at] ?? 0);
    return (2 * Math.min(shared, shortest)) / sum;
  }
}

const buckets = 64;

/** Counts letters in buckets, by character code. Different letters in one bucket can only increase the upper bound of the similarity. */
function letterCounts(text: string): Uint16Array {
  const counts = new Uint16Array(buckets);
  for (let at = 0; at < text.length; at++) {
    const bucket = text.charCodeAt(at) % buckets;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

/** A text with tables for the longest common subsequence, for comparisons with many `Wording`s. */
export class Likeness {
  readonly wording: Wording;
  private readonly plain: SubsequenceTable;
  /** Table of the sorted words, created at the first use. */
  private sorted: SubsequenceTable | undefined;

  constructor(text: string) {
    this.wording = new Wording(text);
    this.plain = new SubsequenceTable(text);
  }

  /**
   * Returns the similarity to another text, from 0 to 1. If the similarity is below `least`, returns any value below `least`, which is
   * faster.
   */
  to(other: Wording, least = 0): number {
    const { length } = this.wording.text;
    const sum = length + other.text.length;
    if (sum === 0 || this.wording.text === other.text) return 1;
    // Minus one, so that rounding excludes no text.
    const enough = Math.floor((least * sum) / 2) - 1;
    const inOrder = this.plain.with(other.text, enough);
    if (inOrder === Math.min(length, other.text.length)) return (2 * inOrder) / sum;
    this.sorted ??= new SubsequenceTable(this.wording.sorted);
    return (2 * Math.max(inOrder, this.sorted.with(other.sorted, enough))) / sum;
  }
}

const wordBits = 30;
const full = 2 ** wordBits - 1;

/**
 * Computes the longest common subsequence of one text with others, 30 table cells at a time. A row is a bit set with a zero where the
 * length grows (Hyyrö 2004, "Bit-parallel LCS-length computation revisited").
 */
class SubsequenceTable {
  private readonly words: number;
  /** For each letter, a bit mask of its positions in the text, as `words` consecutive numbers. */
  private readonly masks: Int32Array;
  /** Index in `masks` of the first number of each letter's mask. */
  private readonly starts = new Map<number, number>();

  constructor(text: string) {
    this.words = Math.ceil(text.length / wordBits);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (!this.starts.has(code)) this.starts.set(code, this.starts.size * this.words);
    }
    this.masks = new Int32Array(this.starts.size * this.words);
    for (let at = 0; at < text.length; at++) {
      const word = (this.starts.get(text.charCodeAt(at)) ?? 0) + Math.floor(at / wordBits);
      this.masks[word] = (this.masks[word] ?? 0) | (1 << (at % wordBits));
    }
  }

  /** Returns the length of the longest common subsequence. If the length is below `enough`, the result can be smaller than the length. */
  with(other: string, enough: number): number {
    const row = new Int32Array(this.words).fill(full);
    for (let j = 0; j < other.length; j++) {
      // Each remaining letter of `other` makes the common subsequence at most one letter longer.
      if (j % wordBits === wordBits - 1 && this.common(row) + other.length - j < enough) return 0;
      const start = this.starts.get(other.charCodeAt(j));
      if (start !== undefined) this.advance(row, start);
    }
    return this.common(row);
  }

  /**
   * Returns the length of the common subsequence so far: the number of zeros in the row. Bits after the end of the text are always ones.
   */
  private common(row: Int32Array): number {
    let zeros = 0;
    for (let w = 0; w < this.words; w++) zeros += ones(~(row[w] ?? 0) & full);
    return zeros;
  }

  private advance(row: Int32Array, start: number): void {
    let carry = 0;
    for (let w = 0; w < this.words; w++) {
      const bits = row[w] ?? 0;
      const mask = this.masks[start + w] ?? 0;
      const sum = bits + (bits & mask) + carry;
      carry = sum > full ? 1 : 0;
      row[w] = (sum & full) | (bits & ~mask);
    }
  }
}

/** Returns the number of one bits: counts pairs of bits, then sums groups of four and eight. */
function ones(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
