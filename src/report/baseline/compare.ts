import {
  costDifferences,
  answerDifferences,
  fingerprintDifferences,
} from "./differences/measure-differences.ts";
import type { Difference, DifferenceSeverity } from "./differences/difference.ts";
import { improved, newWarnings, regressions } from "./differences/regressions.ts";
import { layers, type Outcome } from "../../model/outcome.ts";
import type { Side } from "./side.ts";
import { lostValues, routingDifferences, toolDifferences } from "./differences/structure-differences.ts";

export interface Comparison {
  readonly differences: readonly Difference[];
  /**
   * Whether the newer run is worse: it has a `REGRESSION` or another difference of severity `error`, and its
   * verdict did not improve.
   */
  readonly regressed: boolean;
  /** Whether the verdict improved: from fail to warn or pass, or from warn to pass. */
  readonly improved: boolean;
  /**
   * Whether the newer verdict is undecided, or no longer decides a check that the older verdict decided: the check is undecided, or it
   * needs a judge model and is skipped. Also if a value is `lost`.
   */
  readonly undecided: boolean;
  /** Which of tools, hand-offs and guardrails are known for the older run only. */
  readonly lost: readonly string[];
}

/** Compares two runs of one query. Two equal runs have no differences. */
export function compareSides(before: Side, after: Side): Comparison {
  const others = [
    ...newWarnings(before, after),
    ...answerDifferences(before.run, after.run),
    ...routingDifferences(before.run, after.run),
    ...toolDifferences(before.run, after.run),
    ...costDifferences(before.run, after.run),
    ...fingerprintDifferences(before.run, after.run),
  ];
  // If the verdict improved, other differences (such as more calls) do not count as regressions.
  const better = improved(before, after);
  const worse = better ? [] : regressions(before, after, others);
  const errors = others.some(({ severity }) => severity === "error");
  const lost = lostValues(before.run, after.run);
  const found = [...worse, ...others].sort((a, b) => ranks[a.severity] - ranks[b.severity]);
  return {
    differences: found,
    regressed: worse.length > 0 || (errors && !better),
    improved: better,
    undecided: isOpen(after) || hidesCheck(before, after) || lacksJudge(before, after) || lost.length > 0,
    lost,
  };
}

/**
 * Whether the newer run did not fail, and its verdict skips a check that a judge model decided for the older
 * run.
 */
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
 * Whether the newer run failed, and a check that was decided for the older run is now undecided, maybe
 * because of the failure.
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
 * Returns the saved run that is most similar to `after`: the run with the lowest `weightOf`. If several runs
 * are equally similar, returns the first. Returns null if there is no saved run.
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

/** Returns the weighted number of differences. A higher value means that the runs are less similar. */
export function weightOf({ differences }: Pick<Comparison, "differences">): number {
  return differences.reduce((sum, { severity }) => sum + weights[severity], 0);
}
