import { commonPrefix, commonSuffix, patternBits, WORD_BITS, WORD_MASK } from "./pattern-bits.ts";

/**
 * Returns the Levenshtein distance: the minimum number of insertions, deletions and substitutions. Bit-parallel (Myers 1999, in Hyyrö's
 * form of 2003): takes |a|·|b|/30 steps.
 */
export function editDistance(a: readonly string[], b: readonly string[]): number {
  const prefix = commonPrefix(a, b);
  const suffix = commonSuffix(a, b, prefix);
  const left = a.slice(prefix, a.length - suffix);
  const right = b.slice(prefix, b.length - suffix);
  if (left.length === 0 || right.length === 0) return left.length + right.length;
  return inner(left, right);
}

/** Returns the edit distance. Bits hold the vertical differences of one column of the distance matrix: `plus` for +1, `minus` for −1. */
function inner(pattern: readonly string[], text: readonly string[]): number {
  const { words, masks } = patternBits(pattern);
  const plus = new Int32Array(words).fill(WORD_MASK);
  const minus = new Int32Array(words);
  const lastWord = words - 1;
  const lastBit = (pattern.length - 1) % WORD_BITS;
  let distance = pattern.length;

  for (const symbol of text) {
    const mask = masks.get(symbol);
    // Carry into the first row of the matrix: the values of the first row increase by one from column to column.
    let plusIn = 1;
    let minusIn = 0;
    for (let word = 0; word < words; word++) {
      const grows = plus[word] as number;
      const falls = minus[word] as number;
      const equal = (mask === undefined ? 0 : (mask[word] as number)) | minusIn;
      const sum = (equal & grows) + grows;
      const diagonal = (((sum & WORD_MASK) ^ grows) | equal | falls) & WORD_MASK;
      const across = (falls | ~(diagonal | grows)) & WORD_MASK;
      const down = grows & diagonal;
      if (word === lastWord) distance += ((across >>> lastBit) & 1) - ((down >>> lastBit) & 1);
      const acrossIn = ((across << 1) | plusIn) & WORD_MASK;
      const downIn = ((down << 1) | minusIn) & WORD_MASK;
      plusIn = (across >>> (WORD_BITS - 1)) & 1;
      minusIn = (down >>> (WORD_BITS - 1)) & 1;
      plus[word] = (downIn | ~(diagonal | acrossIn)) & WORD_MASK;
      minus[word] = acrossIn & diagonal;
    }
  }
  return distance;
}
