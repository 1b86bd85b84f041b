/**
 * Set measures over tool names, as AgentCI's metrics reference defines them: E the expected tools, U the tools used, repeats and
 * order ignored. All are in 0–1.
 */

/** |E ∩ U| / |E|; 1 when nothing is expected. */
export function toolRecall(expected: readonly string[], used: readonly (string | null)[]): number {
  const found = toolsFound(expected);
  return found.of === 0 ? 1 : found.in(used) / found.of;
}

/** Whether a tool that a spec names is among those used. */
export type WasCalled = (wanted: string, used: readonly (string | null)[]) => boolean;

/** By equal names. */
export const isAmong: WasCalled = (wanted, used) => used.includes(wanted);

/** The two halves of recall: |E|, and |E ∩ U| for any U. */
export function toolsFound(
  expected: readonly string[],
  wasCalled = isAmong,
): {
  readonly of: number;
  in(used: readonly (string | null)[]): number;
  /** The tools of E that are not in U, in order. */
  missing(used: readonly (string | null)[]): readonly string[];
} {
  const wanted = [...new Set(expected)];
  return {
    of: wanted.length,
    in(used) {
      let found = 0;
      for (let at = 0; at < wanted.length; at++) if (wasCalled(wanted[at] as string, used)) found++;
      return found;
    },
    missing: (used) => wanted.filter((name) => !wasCalled(name, used)),
  };
}

/** |E ∩ U| / |U|; when nothing was used, 1 if nothing was expected, else 0. */
export function toolPrecision(expected: readonly string[], used: readonly (string | null)[]): number {
  if (used.length === 0) return expected.length === 0 ? 1 : 0;
  const names = used.length <= FEW ? used : [...new Set(used)];
  let distinct = 0;
  let found = 0;
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string | null;
    if (names !== used || names.indexOf(name) === at) {
      distinct++;
      if (name !== null && expected.includes(name)) found++;
    }
  }
  return found / distinct;
}

/** Up to here comparing each with each is faster than building a set. */
const FEW = 16;

/** Harmonic mean 2PR/(P+R); 0 when both are 0. */
export function f1(precision: number, recall: number): number {
  const sum = precision + recall;
  return sum === 0 ? 0 : (2 * precision * recall) / sum;
}
