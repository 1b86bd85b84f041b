/**
 * Set measures over tool names, as AgentCI's metrics reference defines them: E the expected tools, U the tools used, repeats and
 * order ignored. All are in 0–1.
 */

/** |E ∩ U| / |E|; 1 when nothing is expected. */
export function toolRecall(expected: readonly string[], used: readonly (string | null)[]): number {
  let wanted = 0;
  let found = 0;
  for (let at = 0; at < expected.length; at++) {
    const name = expected[at] as string;
    if (expected.indexOf(name) !== at) continue;
    wanted++;
    if (used.includes(name)) found++;
  }
  return wanted === 0 ? 1 : found / wanted;
}

/** |E ∩ U| / |U|; when nothing was used, 1 if nothing was expected, else 0. */
export function toolPrecision(expected: readonly string[], used: readonly (string | null)[]): number {
  if (used.length === 0) return expected.length === 0 ? 1 : 0;
  const distinct = used.length <= FEW ? used.filter(isFirst) : [...new Set(used)];
  let found = 0;
  for (const name of distinct) if (name !== null && expected.includes(name)) found++;
  return found / distinct.length;
}

/** Up to here comparing each with each is faster than building a set. */
const FEW = 16;

function isFirst(name: string | null, at: number, names: readonly (string | null)[]): boolean {
  return names.indexOf(name) === at;
}

/** Harmonic mean 2PR/(P+R); 0 when both are 0. */
export function f1(precision: number, recall: number): number {
  const sum = precision + recall;
  return sum === 0 ? 0 : (2 * precision * recall) / sum;
}
