import { compareAll, comparePairs, type Comparisons, type Omnibus } from "../compare/compare.ts";
import { pairByQuery } from "./by-query.ts";
import { metricNames, type GroupRuns } from "./group-runs.ts";
import type { GroupReport } from "./group.ts";
import { populationVariance, sorted } from "../samples/moments.ts";
import { comparedMetrics, type ReportSettings } from "../report/report-options.ts";
import { smallest, type Best } from "../report/value.ts";

export interface AcrossReport extends Comparisons {
  /** Population variance across the groups, by measure: of the pass rates, and of each metric's medians. */
  readonly variance: ReadonlyMap<string, number | null>;
  /** Largest minus smallest median cost of the groups, in US dollars; null if no cost is known. */
  readonly costDelta: number | null;
  readonly frontierCostOfPass: Best;
  readonly omnibus: readonly Omnibus[];
}

/** Number of groups up to which a report without a base compares all pairs. */
const mostGroupsInPairs = 8;

function pairsOf(groups: readonly GroupRuns[], base: string | null): (readonly [GroupRuns, GroupRuns])[] {
  const reference = groups.find((group) => group.key === base);
  if (reference !== undefined) {
    return groups.flatMap((group) => (group === reference ? [] : [[reference, group] as const]));
  }
  if (groups.length > mostGroupsInPairs) return [];
  return groups
    .flatMap((group, index) => groups.slice(index + 1).map((other) => [group, other] as const))
    .filter(([a, b]) => pairByQuery(a.runs, b.runs).shared.length > 0);
}

function medians(reports: readonly GroupReport[], metric: string): number[] {
  return reports.flatMap((report) => report.metrics.get(metric)?.median ?? []);
}

function variances(reports: readonly GroupReport[], names: readonly string[]): Map<string, number | null> {
  const rates = reports.flatMap((report) => report.passRate.mean ?? []);
  const variance = new Map([["pass_rate", populationVariance(rates)]]);
  for (const name of names) variance.set(name, populationVariance(medians(reports, name)));
  return variance;
}

/** Returns the largest minus the smallest value; null for no values. */
function range(values: readonly number[]): number | null {
  const ordered = sorted(values);
  const [least] = ordered;
  const most = ordered[ordered.length - 1];
  return least === undefined || most === undefined ? null : most - least;
}

/**
 * Returns variances, costs and tests across all groups.
 * @param reports reports in the order of `groups`
 */
export function compareGroups(
  groups: readonly GroupRuns[],
  reports: readonly GroupReport[],
  { base, confidence, adjustment }: ReportSettings,
): AcrossReport {
  const costs = medians(reports, "cost_usd");
  const { comparisons, pairs } = comparePairs(pairsOf(groups, base), comparedMetrics, {
    confidence,
    adjustment,
  });
  return {
    variance: variances(reports, metricNames(groups.flatMap((group) => group.runs))),
    costDelta: range(costs),
    frontierCostOfPass: smallest(reports.map(({ key, costOfPass }) => ({ key, value: costOfPass }))),
    comparisons,
    omnibus: compareAll(groups, comparedMetrics),
    pairs,
  };
}
