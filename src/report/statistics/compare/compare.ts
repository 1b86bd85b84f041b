import { meansByQuery, pairByQuery, type RunsByQuery } from "../groups/by-query.ts";
import { compareMeasure, type MeasureComparison } from "./compare-measure.ts";
import { friedman, kruskalWallis } from "../tests/rank-tests.ts";
import type { GroupRuns } from "../groups/group-runs.ts";
import { measureOf } from "./measure.ts";
import { type Adjustment, adjustments } from "../tests/multiple-testing.ts";

/** Comparison of one measure between two groups. If the report has a base, the base is group `a`. */
export interface Comparison extends MeasureComparison {
  readonly a: string;
  readonly b: string;
  /** Name of the measure: `pass_rate` or the name of a metric. */
  readonly metric: string;
  /** p-value, corrected for all comparisons of the report; null without a test. */
  readonly pAdjusted: number | null;
  /**
   * Magnitude of the effect; null if there is no effect size, or if the effect size is a rank-biserial
   * correlation.
   */
  readonly magnitude: Magnitude | null;
  /** Why no p-value was computed; null if one was computed. */
  readonly reason: string | null;
}

/** Names of two compared groups, the number of queries that both have, and counts of what is not compared. */
export interface PairOfGroups extends Omit<RunsByQuery, "shared"> {
  readonly a: string;
  readonly b: string;
  readonly queries: number;
}

export interface Comparisons {
  readonly pairs: readonly PairOfGroups[];
  readonly comparisons: readonly Comparison[];
}

export interface ComparisonSettings {
  readonly confidence: number;
  readonly adjustment: Adjustment;
}

/** Result of testing one measure of three or more groups at once. */
export interface Omnibus {
  readonly metric: string;
  readonly test: "kruskal_wallis" | "friedman";
  readonly statistic: number;
  readonly degrees: number;
  readonly p: number;
}

function reasonFor({ p }: MeasureComparison, { shared }: RunsByQuery): string | null {
  if (p !== null) return null;
  return shared.length === 0
    ? "no query has runs in both groups"
    : "no query has a known value in both groups";
}

/**
 * Returns the magnitude of a Cliff's delta. A difference of pass rates is the Cliff's delta of 0 and 1
 * values.
 */
function magnitudeOf({ test, effect }: MeasureComparison, metric: string): Magnitude | null {
  const isDelta = metric === "pass_rate" || test === "mann_whitney" || test === "stratified_mann_whitney";
  return effect === null || !isDelta ? null : magnitude(effect);
}

/** Compares two groups. Metrics that no run of either group has are left out. */
function compareTwo(
  [a, b]: readonly [GroupRuns, GroupRuns],
  runs: RunsByQuery,
  metrics: readonly string[],
  confidence: number,
): Comparison[] {
  const isKnown = (metric: string): boolean => {
    const value = measureOf(metric);
    return [...a.runs, ...b.runs].some((run) => value(run) !== null);
  };
  return ["pass_rate", ...metrics.filter(isKnown)].map((metric) => {
    const measured = compareMeasure(runs.shared, metric, confidence);
    const { test, p, effect, change, ...others } = measured;
    const magnitude = magnitudeOf(measured, metric);
    const reason = reasonFor(measured, runs);
    const tested = { test, p, pAdjusted: null, effect, magnitude };
    return { a: a.key, b: b.key, metric, ...tested, ...others, change, reason };
  });
}

/** Corrects all p-values of a report for multiple comparisons. */
function adjust(comparisons: readonly Comparison[], adjustment: Adjustment): Comparison[] {
  const adjusted = adjustments[adjustment](comparisons.flatMap(({ p }) => (p === null ? [] : [p])));
  let next = 0;
  return comparisons.map((comparison) => ({
    ...comparison,
    pAdjusted: comparison.p === null ? null : (adjusted[next++] ?? null),
  }));
}

/** Compares the pass rate and the metrics of each pair of groups, query by query. */
export function comparePairs(
  pairs: readonly (readonly [GroupRuns, GroupRuns])[],
  metrics: readonly string[],
  { confidence, adjustment }: ComparisonSettings,
): Comparisons {
  const byQuery = pairs.map((pair) => ({ pair, runs: pairByQuery(pair[0].runs, pair[1].runs) }));
  return {
    pairs: byQuery.map(({ pair: [a, b], runs: { shared, ...rest } }) => {
      return { a: a.key, b: b.key, queries: shared.length, ...rest };
    }),
    comparisons: adjust(
      byQuery.flatMap(({ pair, runs }) => compareTwo(pair, runs, metrics, confidence)),
      adjustment,
    ),
  };
}

/** Returns a block for each query: the mean of each group. A query is left out if a group has no value. */
function blocksOf(groups: readonly GroupRuns[], metric: string): number[][] {
  const means = groups.map(({ runs }) => meansByQuery(runs, measureOf(metric)));
  return [...(means[0]?.keys() ?? [])].flatMap((query) => {
    // Rounded to 12 digits, so that rounding errors do not make equal means different.
    const block = means.flatMap((group) => group.get(query) ?? []).map((one) => Number(one.toPrecision(12)));
    return block.length === groups.length ? [block] : [];
  });
}

function compareMeasureOfAll(groups: readonly GroupRuns[], metric: string): Omnibus[] {
  const queries = new Set(groups.flatMap(({ runs }) => runs.map(({ query }) => query)));
  if (queries.size > 1) {
    const result = friedman(blocksOf(groups, metric));
    return result === null ? [] : [{ metric, test: "friedman", ...result }];
  }
  const value = measureOf(metric);
  const result = kruskalWallis(groups.map(({ runs }) => runs.flatMap((run) => value(run) ?? [])));
  if (result === null) return [];
  return [{ metric, test: "kruskal_wallis", statistic: result.h, degrees: result.degrees, p: result.p }];
}

/**
 * Tests whether any of the groups differ, for the pass rate and each metric. For one query, the
 * Kruskal–Wallis test compares the runs. For several queries, Friedman's test compares the means, with
 * queries as blocks. Returns an empty list for fewer than three groups.
 */
export function compareAll(groups: readonly GroupRuns[], metrics: readonly string[]): Omnibus[] {
  if (groups.length < 3) return [];
  return ["pass_rate", ...metrics].flatMap((metric) => compareMeasureOfAll(groups, metric));
}

type Magnitude = "negligible" | "small" | "medium" | "large";

/**
 * Returns the magnitude of a Cliff's delta by the limits of Romano et al. (2006), as in ProjectScylla: 0.11,
 * 0.28 and 0.43.
 */
function magnitude(delta: number): Magnitude {
  const size = Math.abs(delta);
  if (size < 0.11) return "negligible";
  if (size < 0.28) return "small";
  return size < 0.43 ? "medium" : "large";
}
