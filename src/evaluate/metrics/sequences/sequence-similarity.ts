import { commonSubsequence } from "./common-subsequence.ts";
import { editDistance } from "./edit-distance.ts";

/**
 * 2·LCS(P,R) / (|P|+|R|): 1 for identical sequences, 0 for disjoint ones, symmetric, blind to insertions in so far as order is
 * kept. Both empty: 1; one empty: 0. (AgentCI metrics reference.)
 */
export function sequenceSimilarity(p: readonly string[], r: readonly string[]): number {
  if (p.length === 0 && r.length === 0) return 1;
  return (2 * commonSubsequence(p, r)) / (p.length + r.length);
}

/**
 * 1 − ED(P,R) / max(|P|,|R|), with ED the Levenshtein distance over calls. In 0–1, symmetric. Both empty: 1; one empty: 0.
 * (AgentCI metrics reference, the alternative to `sequenceSimilarity`.)
 */
export function editSimilarity(p: readonly string[], r: readonly string[]): number {
  const longer = Math.max(p.length, r.length);
  return longer === 0 ? 1 : 1 - editDistance(p, r) / longer;
}
