import {
  costDifferences,
  answerDifferences,
  fingerprintDifferences,
} from "./differences/measure-differences.ts";
import type { Difference, DifferenceSeverity } from "./differences/difference.ts";
import { improved, newWarnings, regressions } from "./differences/regressions.ts";
import { layers, type Outcome } from "../../model/outcome.ts";
import type { Side } from "./side.ts";
import { routingDifferences, toolDifferences } from "./differences/structure-differences.ts";

/** Differences between two runs. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Whether there is a `REGRESSION` or any other error. False if the verdict improved. */
  readonly regressed: boolean;
  /** Whether the verdict improved: from fail to warn or pass, or from warn to pass. */
  readonly improved: boolean;
  /** Whether the newer run could not be judged, or a check that was decided before is undecided now. */
  readonly undecided: boolean;
}

/** Compares two runs of one query. Equal runs have no differences. */
export function compareSides(before: Side, after: Side): Comparison {
  const others = [
    ...newWarnings(before, after),
    ...answerDifferences(before.run, after.run),
    ...routingDifferences(before.run, after.run),
    ...toolDifferences(before.run, after.run),
    ...costDifferences(before.run, after.run),
    ...fingerprintDifferences(before.run, after.run),
  ];
  // The verdict decides: changes with a better verdict, including more calls, are not regressions.
  const better = improved(before, after);
  const worse = better ? [] : regressions(before, after, others);
  const errors = others.some(({ severity }) => severity === "error");
  const found = [...worse, ...others].sort((a, b) => ranks[a.severity] - ranks[b.severity]);
  return {
    differences: found,
    regressed: worse.length > 0 || (errors && !better),
    improved: better,
    undecided: isOpen(after) || hidesCheck(before, after) || lacksJudge(before, after),
  };
}

/** Whether a check that a judge decided before is skipped now, in a run that does not fail. */
function lacksJudge({ judged: before }: Side, { judged: after }: Side): boolean {
  if (before === null || after === null || after.outcome === "fail") return false;
  return layers.some((layer) => {
    const skipped = after.layers[layer].checks.filter(({ outcome }) => outcome === "skip");
    return before.layers[layer].checks.some(
      ({ check, turn, judge, outcome }) =>
        judge !== null &&
        (outcome === "pass" || outcome === "warn" || outcome === "fail") &&
        skipped.some((now) => now.check === check && now.turn === turn),
    );
  });
}

/**
 * Whether a check was decided before but is undecided in a failed run. An earlier failure of the run does not
 * decide the check.
 */
function hidesCheck({ judged: before }: Side, { judged: after }: Side): boolean {
  if (before === null || after === null || after.outcome !== "fail") return false;
  return layers.some((layer) => {
    const open = after.layers[layer].checks.filter(({ outcome }) => isUndecided(outcome));
    return open.some((now) =>
      before.layers[layer].checks.some(
        ({ check, turn, outcome }) =>
          check === now.check && turn === now.turn && outcome !== "skip" && !isUndecided(outcome),
      ),
    );
  });
}

const ranks: Readonly<Record<DifferenceSeverity, number>> = { error: 0, warn: 1, info: 2 };

function isOpen({ judged }: Side): boolean {
  return judged !== null && isUndecided(judged.outcome);
}

function isUndecided(outcome: Outcome): boolean {
  return outcome === "incomplete" || outcome === "error";
}

/**
 * Returns the saved run with the smallest weight of differences. If several are equal, returns the first of
 * them; null if none is saved.
 */
export function nearest<Saved extends Side>(
  variants: readonly Saved[],
  after: Side,
): NearestSaved<Saved> | null {
  let best: NearestSaved<Saved> | null = null;
  for (const saved of variants) {
    const comparison = compareSides(saved, after);
    const weight = weightOf(comparison);
    if (best === null || weight < best.weight) best = { saved, comparison, weight };
  }
  return best;
}

export interface NearestSaved<Saved extends Side> {
  readonly saved: Saved;
  readonly comparison: Comparison;
  readonly weight: number;
}

const weights: Readonly<Record<DifferenceSeverity, number>> = { error: 100, warn: 10, info: 1 };

/** Returns the sum of the differences by severity; a higher value means less similar. */
export function weightOf({ differences }: Pick<Comparison, "differences">): number {
  return differences.reduce((sum, { severity }) => sum + weights[severity], 0);
}
