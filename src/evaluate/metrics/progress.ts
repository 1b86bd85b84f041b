/** A step a run should take: a tool it calls or an agent it hands over to. */
export interface ExpectedStep {
  readonly name: string;
  readonly weight: number;
}

export interface Progress {
  /** Weight of the expected steps that were taken, each as often as it is written, over the weight of all; 0–1. */
  readonly share: number;
  /** The same with repeated steps counted again, so that it can exceed 1. */
  readonly raw: number;
  /** Names of the steps that were not taken. */
  readonly open: readonly string[];
}

/**
 * ProjectScylla's fine-grained progress rate r_prog = achieved weighted steps / expected weighted steps. Null without expected
 * steps, or when they weigh nothing: nothing was to be achieved, which is not the same as 0 or 1.
 */
export function progress(expected: readonly ExpectedStep[], taken: readonly string[]): Progress | null {
  const left = new Map<string, number>();
  for (const name of taken) left.set(name, (left.get(name) ?? 0) + 1);
  const weights = new Map<string, number>();
  const open: string[] = [];
  let total = 0;
  let achieved = 0;
  for (const { name, weight } of expected) {
    total += weight;
    if (!weights.has(name)) weights.set(name, weight);
    const count = left.get(name) ?? 0;
    if (count === 0) {
      open.push(name);
      continue;
    }
    left.set(name, count - 1);
    achieved += weight;
  }
  if (total <= 0) return null;
  let repeated = 0;
  for (const [name, count] of left) repeated += count * (weights.get(name) ?? 0);
  return { share: achieved / total, raw: (achieved + repeated) / total, open };
}
