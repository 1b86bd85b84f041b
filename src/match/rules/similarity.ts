import {
  extendSubsequence,
  subsequenceLength,
  WORD_BITS,
  WORD_MASK,
} from "../../evaluate/metrics/sequences/pattern-bits.ts";

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
   * Returns the similarity to another text, from 0 to 1. If the similarity is below `least`, returns any value below `least`, to save the
   * time for the exact value.
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

/** Computes the longest common subsequence of one text with others, 30 table cells at a time. */
class SubsequenceTable {
  private readonly words: number;
  /** For each letter, a bit mask of its positions in the text, as `words` consecutive numbers. */
  private readonly masks: Int32Array;
  /** Index in `masks` of the first number of each letter's mask. */
  private readonly starts = new Map<number, number>();

  constructor(text: string) {
    this.words = Math.ceil(text.length / WORD_BITS);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (!this.starts.has(code)) this.starts.set(code, this.starts.size * this.words);
    }
    this.masks = new Int32Array(this.starts.size * this.words);
    for (let at = 0; at < text.length; at++) {
      const word = (this.starts.get(text.charCodeAt(at)) ?? 0) + Math.floor(at / WORD_BITS);
      this.masks[word] = (this.masks[word] ?? 0) | (1 << (at % WORD_BITS));
    }
  }

  /** Returns the length of the longest common subsequence. If the length is below `enough`, the result can be smaller than the length. */
  with(other: string, enough: number): number {
    const row = new Int32Array(this.words).fill(WORD_MASK);
    for (let j = 0; j < other.length; j++) {
      // Each remaining letter of `other` makes the common subsequence at most one letter longer.
      if (j % WORD_BITS === WORD_BITS - 1 && subsequenceLength(row) + other.length - j < enough) return 0;
      const start = this.starts.get(other.charCodeAt(j));
      if (start !== undefined) extendSubsequence(row, this.masks, start);
    }
    return subsequenceLength(row);
  }
}
