import { cliffsDelta } from "./cliffs-delta.ts";
import { fisherExact } from "./fisher.ts";
import { known, type GroupRuns } from "./group-runs.ts";
import { kruskalWallis } from "./kruskal-wallis.ts";
import { mannWhitney } from "./mann-whitney.ts";
import { holm } from "./multiple-testing.ts";

/** One measure of two groups; `a` is the base where there is one. */
export interface Comparison {
  readonly a: string;
  readonly b: string;
  /** `pass_rate` or a metric. */
  readonly metric: string;
  readonly test: "fisher_exact" | "mann_whitney";
  /** Two-sided; null when one side has nothing to compare. */
  readonly p: number | null;
  /** After Holm's correction over all comparisons of the report. */
  readonly pAdjusted: number | null;
  /** Cliff's delta, positive when b has more; for the pass rate the difference b − a. */
  readonly effect: number | null;
}

/** One measure of three or more groups at once. */
export interface Omnibus {
  readonly metric: string;
  readonly test: "kruskal_wallis";
  readonly statistic: number;
  readonly degrees: number;
  readonly p: number;
}

function comparePassRates(a: GroupRuns, b: GroupRuns): Omit<Comparison, "pAdjusted"> {
  const decided = a.decided.length > 0 && b.decided.length > 0;
  const table = [
    [a.passed, a.failed],
    [b.passed, b.failed],
  ] as const;
  return {
    a: a.key,
    b: b.key,
    metric: "pass_rate",
    test: "fisher_exact",
    p: decided ? fisherExact(table) : null,
    effect: cliffsDelta(b.passes, a.passes),
  };
}

function compareMetric(a: GroupRuns, b: GroupRuns, metric: string): Omit<Comparison, "pAdjusted">[] {
  const [ofA, ofB] = [known(a.runs, metric), known(b.runs, metric)];
  if (ofA.length === 0 && ofB.length === 0) return [];
  const p = mannWhitney(ofA, ofB)?.p ?? null;
  return [{ a: a.key, b: b.key, metric, test: "mann_whitney", p, effect: cliffsDelta(ofB, ofA) }];
}

/** Adds Holm's correction over all comparisons that have a p-value. */
function adjust(comparisons: readonly Omit<Comparison, "pAdjusted">[]): Comparison[] {
  const adjusted = holm(comparisons.flatMap(({ p }) => (p === null ? [] : [p])));
  let next = 0;
  return comparisons.map((comparison) => ({
    ...comparison,
    pAdjusted: comparison.p === null ? null : (adjusted[next++] ?? null),
  }));
}

/** Pass rate (Fisher's exact test) and metrics (Mann–Whitney) of each pair of groups. */
export function comparePairs(
  pairs: readonly (readonly [GroupRuns, GroupRuns])[],
  metrics: readonly string[],
): Comparison[] {
  return adjust(
    pairs.flatMap(([a, b]) => [
      comparePassRates(a, b),
      ...metrics.flatMap((metric) => compareMetric(a, b, metric)),
    ]),
  );
}

/**
 * Kruskal–Wallis over all groups at once, for the pass rate and each metric; none for fewer than three
 * groups.
 */
export function compareAll(groups: readonly GroupRuns[], metrics: readonly string[]): Omnibus[] {
  if (groups.length < 3) return [];
  const measures = [
    { metric: "pass_rate", samples: groups.map((group) => group.passes) },
    ...metrics.map((metric) => ({ metric, samples: groups.map((group) => known(group.runs, metric)) })),
  ];
  return measures.flatMap(({ metric, samples }) => {
    const result = kruskalWallis(samples);
    if (result === null) return [];
    const { h, degrees, p } = result;
    return [{ metric, test: "kruskal_wallis" as const, statistic: h, degrees, p }];
  });
}
