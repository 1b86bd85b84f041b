import { editDistance } from "./edit-distance.ts";
import {
  commonPrefix,
  commonSuffix,
  extendSubsequence,
  patternBits,
  subsequenceLength,
  WORD_MASK,
} from "./pattern-bits.ts";

/**
 * Returns 2·LCS(P,R) / (|P|+|R|): 1 for equal sequences, 0 without common items. LCS is the length of the longest common subsequence. Two
 * empty sequences give 1. (AgentCI metrics reference)
 */
export function sequenceSimilarity(p: readonly string[], r: readonly string[]): number {
  if (p.length === 0 && r.length === 0) return 1;
  return (2 * commonSubsequence(p, r)) / (p.length + r.length);
}

/**
 * Returns 1 − ED(P,R) / max(|P|,|R|), from 0 to 1. ED is the Levenshtein distance. Two empty sequences give 1. (AgentCI metrics reference,
 * alternative to `sequenceSimilarity`)
 */
export function editSimilarity(p: readonly string[], r: readonly string[]): number {
  const longer = Math.max(p.length, r.length);
  return longer === 0 ? 1 : 1 - editDistance(p, r) / longer;
}

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
    if (mask !== undefined) extendSubsequence(row, mask);
  }
  return subsequenceLength(row);
}
