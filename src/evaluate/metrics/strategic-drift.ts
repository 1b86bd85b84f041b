/** How a call counts in strategic drift. */
export interface Alignment {
  /** ProjectScylla's `goal_alignment`: 1 serves the goal, 0 does not. */
  readonly alignment: number;
  readonly weight: number;
}

/**
 * ProjectScylla's strategic drift: 1 − Σ(goal_alignment·weight) / Σ(weight) over the calls made. In 0–1 for alignments there; without
 * calls 0.
 */
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
