/** Set measures of tool names from AgentCI's metrics reference, each from 0 to 1, with the expected tools E and the used tools U. */

/** Returns the recall |E ∩ U| / |E|; 1 if no tool is expected. */
export function toolRecall(
  expected: readonly string[],
  used: readonly (string | null)[],
  wasCalled = isAmong,
): number {
  const found = toolsFound(expected, wasCalled);
  return found.of === 0 ? 1 : found.in(used) / found.of;
}

/** Decides whether a tool of the spec is among the used tools. */
export type WasCalled = (wanted: string, used: readonly (string | null)[]) => boolean;

/** Compares tool names exactly. */
export const isAmong: WasCalled = (wanted, used) => used.includes(wanted);

/**
 * Returns the parts of the recall |E ∩ U| / |E| for fixed expected tools E: |E| (`of`), and a function that returns |E ∩ U| for used tools
 * U (`in`).
 */
export function toolsFound(
  expected: readonly string[],
  wasCalled = isAmong,
): {
  readonly of: number;
  in(used: readonly (string | null)[]): number;
  /** Returns the tools of E that are not in U, in the order of E. */
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

/** Returns the precision |E ∩ U| / |U|. If no tool was used: 1 if no tool is expected, otherwise 0. */
export function toolPrecision(
  expected: readonly string[],
  used: readonly (string | null)[],
  isExpected = (name: string | null): boolean => name !== null && expected.includes(name),
): number {
  if (used.length === 0) return expected.length === 0 ? 1 : 0;
  const names = used.length <= FEW ? used : [...new Set(used)];
  let distinct = 0;
  let found = 0;
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string | null;
    if (names !== used || names.indexOf(name) === at) {
      distinct++;
      if (isExpected(name)) found++;
    }
  }
  return found / distinct;
}

/** Number of tools up to which comparing all pairs is faster than building a set. */
const FEW = 16;

/** Returns the harmonic mean 2PR/(P+R); 0 if precision and recall are 0. */
export function f1(precision: number, recall: number): number {
  const sum = precision + recall;
  return sum === 0 ? 0 : (2 * precision * recall) / sum;
}
