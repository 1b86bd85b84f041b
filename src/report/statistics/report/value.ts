/**
 * Cost of one pass: mean cost of a run divided by the pass rate. Null if nothing passed (infinite in ProjectScylla), or if rate or cost is
 * unknown.
 */
export function costOfPass(meanCost: number | null, passRate: number | null): number | null {
  return meanCost === null || passRate === null || passRate <= 0 ? null : meanCost / passRate;
}

/**
 * (value − base)/base as a fraction, not per cent; negative when it got less. Null when unknown or from 0 or
 * less.
 */
export function uplift(value: number | null, base: number | null): number | null {
  return value === null || base === null || base <= 0 ? null : (value - base) / base;
}

/** Effect of a component on a score, as in ProjectScylla's ablation study. */
export type AblationImpact = "critical" | "contributing" | "redundant";

/** Score with everything minus score without the component: critical from 0.1 on, redundant up to 0.01. */
export function ablationImpact(withAll: number, without: number): AblationImpact {
  const loss = withAll - without;
  if (loss >= 0.1) return "critical";
  return loss <= 0.01 ? "redundant" : "contributing";
}

export interface Transition {
  /** Mean of the changes in pass rate and quality. */
  readonly qualityGain: number;
  /** Relative; 0 from a cost of 0 (ProjectScylla). */
  readonly costIncrease: number;
  /** Quality gain above half the cost increase. */
  readonly worthwhile: boolean;
}

/** One group's figures as a transition compares them; rates in 0–1. */
export interface Standing {
  readonly passRate: number;
  readonly quality: number;
  readonly cost: number;
}

/** Is moving from one group to another worth its price? Worthwhile if quality gain > 0.5 × cost increase. */
export function assessTransition(from: Standing, to: Standing): Transition {
  const qualityGain = (to.passRate - from.passRate + to.quality - from.quality) / 2;
  const costIncrease = from.cost > 0 ? (to.cost - from.cost) / from.cost : 0;
  return { qualityGain, costIncrease, worthwhile: qualityGain > 0.5 * costIncrease };
}

export type Sensitivity = "low" | "medium" | "high";

/**
 * How much a measure depends on the group, by its variance across groups: low < 0.05, medium < 0.15
 * (ProjectScylla).
 */
export function sensitivity(variance: number): Sensitivity {
  if (variance < 0.05) return "low";
  return variance < 0.15 ? "medium" : "high";
}

/** A number that belongs to a group. */
export interface Keyed {
  readonly key: string;
  readonly value: number | null;
}

export interface Best {
  readonly value: number | null;
  readonly key: string | null;
}

/** The smallest known value and whose it is; the first of equals; nulls when none is known. */
export function smallest(candidates: Iterable<Keyed>): Best {
  let best: Best = { value: null, key: null };
  for (const { key, value } of candidates) {
    if (value !== null && (best.value === null || value < best.value)) best = { value, key };
  }
  return best;
}
