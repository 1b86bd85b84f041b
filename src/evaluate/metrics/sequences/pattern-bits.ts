/** Used bits of a 32-bit integer. With 30 bits, the sum of two numbers and a carry stays a small positive integer. */
export const WORD_BITS = 30;
export const WORD_MASK = (1 << WORD_BITS) - 1;

/** For each item of a sequence, such as a tool's name: a bit mask of its positions. */
export interface PatternBits {
  readonly words: number;
  readonly masks: ReadonlyMap<string, Int32Array>;
}

export function patternBits(pattern: readonly string[]): PatternBits {
  const words = Math.max(1, Math.ceil(pattern.length / WORD_BITS));
  const masks = new Map<string, Int32Array>();
  for (let at = 0; at < pattern.length; at++) {
    const symbol = pattern[at] as string;
    let mask = masks.get(symbol);
    if (mask === undefined) masks.set(symbol, (mask = new Int32Array(words)));
    const word = Math.floor(at / WORD_BITS);
    mask[word] = (mask[word] as number) | (1 << (at % WORD_BITS));
  }
  return { words, masks };
}

/** Returns the number of equal items at the start of two sequences. */
export function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** Returns the number of equal items at the end of two sequences, not counting the first `from` items. */
export function commonSuffix(a: readonly string[], b: readonly string[], from: number): number {
  const end = Math.min(a.length, b.length) - from;
  let count = 0;
  while (count < end && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

/**
 * Extends a common subsequence by one item of the other sequence. `row` has a zero bit where the length of the subsequence grows, and
 * starts with ones only (Hyyrö 2004, "Bit-parallel LCS-length computation revisited").
 * @param masks contains the mask of the item, from index `start`
 */
export function extendSubsequence(row: Int32Array, masks: Int32Array, start = 0): void {
  let carry = 0;
  for (let word = 0; word < row.length; word++) {
    const bits = row[word] as number;
    const mask = masks[start + word] as number;
    const sum = bits + (bits & mask) + carry;
    carry = sum > WORD_MASK ? 1 : 0;
    row[word] = (sum & WORD_MASK) | (bits & ~mask);
  }
}

/** Returns the length of the common subsequence: the number of zero bits in the row. Bits after the end of the pattern are always ones. */
export function subsequenceLength(row: Int32Array): number {
  let zeros = 0;
  for (let word = 0; word < row.length; word++) zeros += ones(~(row[word] as number) & WORD_MASK);
  return zeros;
}

/** Returns the number of one bits: counts pairs of bits, then sums groups of four and eight. */
function ones(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
