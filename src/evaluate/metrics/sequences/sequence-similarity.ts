import { commonSubsequence } from "./common-subsequence.ts";
import { editDistance } from "./edit-distance.ts";

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
