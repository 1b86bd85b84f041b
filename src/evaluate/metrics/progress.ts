/** A step that a run should take: a called tool, or an agent that takes part. */
export interface ExpectedStep {
  readonly name: string;
  readonly weight: number;
}

export interface Progress {
  /**
   * Weight of the taken expected steps / weight of all expected steps, from 0 to 1. Repetitions that the spec does not expect do not count.
   */
  readonly share: number;
  /** Like `share`, but counts every repetition of an expected step, and can therefore exceed 1. */
  readonly raw: number;
  /** Names of the expected steps that were not taken. */
  readonly open: readonly string[];
}

/**
 * Returns ProjectScylla's progress rate r_prog = achieved weight / expected weight. Null without expected steps, or if their total weight
 * is 0.
 */
export function progress(expected: readonly ExpectedStep[], taken: readonly string[]): Progress | null {
  const counted = new Uint8Array(taken.length);
  const open: string[] = [];
  let total = 0;
  let achieved = 0;
  for (const { name, weight } of expected) {
    total += weight;
    const at = firstLeft(taken, name, counted);
    if (at === -1) {
      open.push(name);
      continue;
    }
    counted[at] = 1;
    achieved += weight;
  }
  if (total <= 0) return null;
  return { share: achieved / total, raw: (achieved + repeats(expected, taken, counted)) / total, open };
}

function firstLeft(taken: readonly string[], name: string, counted: Uint8Array): number {
  let at = taken.indexOf(name);
  while (at !== -1 && counted[at] === 1) at = taken.indexOf(name, at + 1);
  return at;
}

/** Returns the weight of additional repetitions of expected steps. */
function repeats(expected: readonly ExpectedStep[], taken: readonly string[], counted: Uint8Array): number {
  let weight = 0;
  for (let at = 0; at < taken.length; at++) {
    if (counted[at] === 1) continue;
    for (const step of expected) {
      if (step.name !== taken[at]) continue;
      weight += step.weight;
      break;
    }
  }
  return weight;
}
