/**
 * Returns the cost of one pass: the mean cost of a run, divided by the pass rate. Returns null if no run
 * passed, where ProjectScylla's result is infinite, or if a value is unknown.
 */
export function costOfPass(meanCost: number | null, passRate: number | null): number | null {
  return meanCost === null || passRate === null || passRate <= 0 ? null : meanCost / passRate;
}

/** Returns (value − base)/base as a fraction; null if a value is unknown or the base is not above 0. */
export function uplift(value: number | null, base: number | null): number | null {
  return value === null || base === null || base <= 0 ? null : (value - base) / base;
}

/** How much the score depends on a component, as in ProjectScylla's ablation study. */
export type AblationImpact = "critical" | "contributing" | "redundant";

/**
 * Returns how much the score depends on a component, by the decrease of the score without it: `critical` from
 * 0.1, `redundant` up to 0.01, otherwise `contributing`.
 */
export function ablationImpact(withAll: number, without: number): AblationImpact {
  const loss = withAll - without;
  if (loss >= 0.1) return "critical";
  return loss <= 0.01 ? "redundant" : "contributing";
}

export interface Transition {
  /** Mean of the change in pass rate and the change in quality. */
  readonly qualityGain: number;
  /** Increase of the cost as a fraction of the old cost. 0 if the old cost is 0, as in ProjectScylla. */
  readonly costIncrease: number;
  /** Whether the quality gain is more than half of the cost increase. */
  readonly worthwhile: boolean;
}

/** Pass rate (0 to 1), quality (0 to 1) and cost of one group. */
export interface GroupMeasures {
  readonly passRate: number;
  readonly quality: number;
  readonly cost: number;
}

/** Compares two groups. The change is worthwhile if quality gain > 0.5 × cost increase. */
export function assessTransition(from: GroupMeasures, to: GroupMeasures): Transition {
  const qualityGain = (to.passRate - from.passRate + to.quality - from.quality) / 2;
  const costIncrease = from.cost > 0 ? (to.cost - from.cost) / from.cost : 0;
  return { qualityGain, costIncrease, worthwhile: qualityGain > 0.5 * costIncrease };
}

export type Sensitivity = "low" | "medium" | "high";

/**
 * Returns how much a measure depends on the group, by its variance across groups: `low` below 0.05, `medium`
 * below 0.15, otherwise `high`, as in ProjectScylla.
 */
export function sensitivity(variance: number): Sensitivity {
  if (variance < 0.05) return "low";
  return variance < 0.15 ? "medium" : "high";
}

/** A group's key with its value; null if the value is unknown. */
export interface Keyed {
  readonly key: string;
  readonly value: number | null;
}

export interface Best {
  readonly value: number | null;
  readonly key: string | null;
}

/**
 * Returns the smallest known value with its group's key. If several groups have the smallest value, returns
 * the first. If no value is known, `value` and `key` are null.
 */
export function smallest(candidates: Iterable<Keyed>): Best {
  let best: Best = { value: null, key: null };
  for (const { key, value } of candidates) {
    if (value !== null && (best.value === null || value < best.value)) best = { value, key };
  }
  return best;
}
