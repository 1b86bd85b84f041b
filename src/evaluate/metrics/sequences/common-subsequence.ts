import { commonPrefix, commonSuffix, patternBits, WORD_BITS, WORD_MASK } from "./pattern-bits.ts";

/**
 * Returns the length of the longest common subsequence (LCS). Bit-parallel (Crochemore et al. 2001, Hyyrö 2004): takes |a|·|b|/30 steps,
 * milliseconds for ten thousand calls.
 */
export function commonSubsequence(a: readonly string[], b: readonly string[]): number {
  const prefix = commonPrefix(a, b);
  const suffix = commonSuffix(a, b, prefix);
  const outer = prefix + suffix;
  if (outer === a.length || outer === b.length) return outer;
  return outer + inner(a.slice(prefix, a.length - suffix), b.slice(prefix, b.length - suffix));
}

function inner(pattern: readonly string[], text: readonly string[]): number {
  const { words, masks } = patternBits(pattern);
  const row = new Int32Array(words).fill(WORD_MASK);
  for (const symbol of text) {
    const mask = masks.get(symbol);
    if (mask === undefined) continue;
    let carry = 0;
    for (let word = 0; word < words; word++) {
      const bits = row[word] as number;
      const hits = bits & (mask[word] as number);
      const sum = bits + hits + carry;
      carry = sum > WORD_MASK ? 1 : 0;
      row[word] = (sum & WORD_MASK) | (bits & ~(mask[word] as number));
    }
  }
  return zeroBits(row, pattern.length);
}

function zeroBits(row: Int32Array, length: number): number {
  let zeros = 0;
  for (let at = 0; at < length; at++) {
    if ((((row[Math.floor(at / WORD_BITS)] as number) >>> (at % WORD_BITS)) & 1) === 0) zeros++;
  }
  return zeros;
}
