/**
 * Returns the cost of one pass: mean cost of a run divided by the pass rate. Null if nothing passed (infinite
 * in ProjectScylla), or if rate or cost is unknown.
 */
export function costOfPass(meanCost: number | null, passRate: number | null): number | null {
  return meanCost === null || passRate === null || passRate <= 0 ? null : meanCost / passRate;
}

/**
 * Returns (value − base)/base as a fraction; negative for a decrease. Null if a value is unknown or the base
 * is 0 or less.
 */
export function uplift(value: number | null, base: number | null): number | null {
  return value === null || base === null || base <= 0 ? null : (value - base) / base;
}

/** Effect of a component on a score, as in ProjectScylla's ablation study. */
export type AblationImpact = "critical" | "contributing" | "redundant";

/**
 * Returns the impact of a component by the score with everything minus the score without the component:
 * critical from 0.1 on, redundant up to 0.01.
 */
export function ablationImpact(withAll: number, without: number): AblationImpact {
  const loss = withAll - without;
  if (loss >= 0.1) return "critical";
  return loss <= 0.01 ? "redundant" : "contributing";
}

export interface Transition {
  /** Mean of the changes in pass rate and quality. */
  readonly qualityGain: number;
  /** Relative cost increase; 0 for an old cost of 0 (ProjectScylla). */
  readonly costIncrease: number;
  /** Whether the quality gain is above half the cost increase. */
  readonly worthwhile: boolean;
}

/** Figures of one group for a transition; rates in 0–1. */
export interface Standing {
  readonly passRate: number;
  readonly quality: number;
  readonly cost: number;
}

/**
 * Returns whether a change from one group to another is worth its cost: if quality gain > 0.5 × cost
 * increase.
 */
export function assessTransition(from: Standing, to: Standing): Transition {
  const qualityGain = (to.passRate - from.passRate + to.quality - from.quality) / 2;
  const costIncrease = from.cost > 0 ? (to.cost - from.cost) / from.cost : 0;
  return { qualityGain, costIncrease, worthwhile: qualityGain > 0.5 * costIncrease };
}

export type Sensitivity = "low" | "medium" | "high";

/**
 * Returns the sensitivity of a measure to the group, by its variance across groups: low < 0.05, medium < 0.15
 * (ProjectScylla).
 */
export function sensitivity(variance: number): Sensitivity {
  if (variance < 0.05) return "low";
  return variance < 0.15 ? "medium" : "high";
}

/** A number of a group. */
export interface Keyed {
  readonly key: string;
  readonly value: number | null;
}

export interface Best {
  readonly value: number | null;
  readonly key: string | null;
}

/** Returns the smallest known value with its group; the first of equal ones; null if none is known. */
export function smallest(candidates: Iterable<Keyed>): Best {
  let best: Best = { value: null, key: null };
  for (const { key, value } of candidates) {
    if (value !== null && (best.value === null || value < best.value)) best = { value, key };
  }
  return best;
}
