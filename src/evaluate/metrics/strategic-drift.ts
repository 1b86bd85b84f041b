/** How much a call serves the goal, and its weight. */
export interface Alignment {
  /** ProjectScylla's `goal_alignment`: 0 (does not serve the goal) to 1. */
  readonly alignment: number;
  readonly weight: number;
}

/** Returns ProjectScylla's strategic drift: 1 − Σ(goal_alignment·weight) / Σ(weight) over the calls, from 0 to 1; 0 without calls. */
export function strategicDrift(calls: readonly string[], of: (name: string) => Alignment): number {
  let total = 0;
  let aligned = 0;
  for (const name of calls) {
    const { alignment, weight } = of(name);
    total += weight;
    aligned += alignment * weight;
  }
  return total === 0 ? 0 : 1 - aligned / total;
}
