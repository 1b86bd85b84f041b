import { z } from "zod";
import { queryUnit } from "../../../../report/json/query-unit.ts";
import { comparisonJson } from "../../../../report/render/json/report-json.ts";
import { comparePairs } from "../../../../report/statistics/compare/compare.ts";
import { wilsonInterval } from "../../../../report/statistics/estimates/interval.ts";
import { type GroupRuns, known, sortOut } from "../../../../report/statistics/groups/group-runs.ts";
import type { Observation } from "../../../../report/statistics/observation.ts";
import { percentile } from "../../../../report/statistics/samples/quantiles.ts";
import type { JudgedSample } from "../../../../store/archive.ts";
import { groupBy } from "../../../../support/structures/group-by.ts";

const MOST_PATHS = 30;
export const comparedMetrics = ["latency_ms", "cost_usd", "total_tokens", "tool_calls"] as const;
/**
 * Metrics that are compared for each query. There are few, because p-values are corrected for the number of comparisons: with more metrics,
 * fewer differences would be found.
 */
const shownByQuery = ["latency_ms", "cost_usd", "total_tokens"] as const;
const settings = { confidence: 0.95, adjustment: "holm" } as const;

/** A sample with the values on which the statistics are computed. */
interface ObservedSample {
  readonly sample: JudgedSample;
  /** Key of the run's query, which is the same on both sides. Null if the query is unknown. */
  readonly unit: string | null;
  readonly run: Observation;
}

export const oneSidedSchema = z.strictObject({
  side: z.enum(["a", "b"]).describe("The side that has runs of the query"),
  spec: z.string(),
  query_id: z.string(),
  text: z
    .string()
    .nullable()
    .describe("Text of the runs' query if the query text of the spec is the wildcard `*`; otherwise null"),
  runs: z.number(),
  passed: z.number(),
  warned: z.number().describe("Number of passed runs with a warning"),
  failed: z.number(),
  decided: z.number(),
});
/** A query that has runs on only one of the two sides. */
export type OneSidedQuery = Readonly<z.output<typeof oneSidedSchema>>;

/**
 * Returns the response of `/api/v1/compare`: each side, the difference over all queries, and the difference
 * for each query.
 */
export function comparedJson(allA: readonly JudgedSample[], allB: readonly JudgedSample[]) {
  const sides = disjoint(allA, allB);
  const [a, b] = [sides.a.map(observed), sides.b.map(observed)];
  const groups = [sortOut("a", runsOf(a)), sortOut("b", runsOf(b))] as const;
  const { pairs, comparisons } = comparePairs([groups], comparedMetrics, settings);
  const [pair] = pairs;
  return {
    a: sideJson(sides.a, groups[0]),
    b: sideJson(sides.b, groups[1]),
    sides: {
      queries: pair?.queries ?? 0,
      only_a: pair?.onlyA ?? 0,
      only_b: pair?.onlyB ?? 0,
      without_query: pair?.withoutQuery ?? 0,
      overlap: sides.overlap,
    },
    comparisons: comparisons.map(comparisonJson),
    by_query: comparedByQuery(a, b),
    one_side: [...oneSided("a", a, b), ...oneSided("b", b, a)],
  };
}

/** Returns the queries that have runs only on this side, queries with most failures first. */
function oneSided(
  side: "a" | "b",
  of: readonly ObservedSample[],
  others: readonly ObservedSample[],
): OneSidedQuery[] {
  const known = byQueryUnit(others);
  return [...byQueryUnit(of)]
    .flatMap(([key, samples]) => {
      const [one] = samples;
      if (one === undefined || known.has(key)) return [];
      const { passed, warned, failed, decided } = sortOut(key, runsOf(samples));
      return {
        side,
        ...queryOf(one),
        runs: samples.length,
        passed,
        warned,
        failed,
        decided: decided.length,
      };
    })
    .toSorted((one, other) => other.failed - one.failed || other.runs - one.runs);
}

function queryOf({ sample }: ObservedSample): Pick<OneSidedQuery, "spec" | "query_id" | "text"> {
  const { spec, queryId, isWildcard, query } = sample;
  return { spec, query_id: queryId, text: isWildcard ? query : null };
}

function runsOf(observedSamples: readonly ObservedSample[]): Observation[] {
  return observedSamples.map(({ run }) => run);
}

/**
 * Compares each query that has runs on both sides. The p-values are corrected for the number of comparisons.
 */
function comparedByQuery(a: readonly ObservedSample[], b: readonly ObservedSample[]): object[] {
  const ofB = byQueryUnit(b);
  const queries = [...byQueryUnit(a)]
    .flatMap(([key, ofA]) => {
      const [[one], others] = [ofA, ofB.get(key)];
      if (one === undefined || others === undefined) return [];
      return { key, one, a: sortOut(key, runsOf(ofA)), b: sortOut(key, runsOf(others)) };
    })
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const { comparisons } = comparePairs(
    queries.map((query) => [query.a, query.b] as const),
    shownByQuery,
    settings,
  );
  return queries.map(({ key, one, a, b }) => ({
    ...queryOf(one),
    runs_a: a.runs.length,
    runs_b: b.runs.length,
    passed_a: a.passed,
    passed_b: b.passed,
    warned_a: a.warned,
    warned_b: b.warned,
    decided_a: a.decided.length,
    decided_b: b.decided.length,
    metrics: Object.fromEntries(
      shownByQuery.map((metric) => [
        metric,
        { median_a: medianOf(a, metric), median_b: medianOf(b, metric) },
      ]),
    ),
    comparisons: comparisons.filter((comparison) => comparison.a === key).map(comparisonJson),
  }));
}

function medianOf({ runs }: GroupRuns, metric: string): number | null {
  return percentile(known(runs, metric), 50);
}

/** Groups samples by query. Omits samples whose query is unknown. */
function byQueryUnit(samples: readonly ObservedSample[]): ReadonlyMap<string, readonly ObservedSample[]> {
  return groupBy(samples, ({ unit }) => unit ?? undefined);
}

/**
 * Makes the two sides disjoint: a run that belongs to both is assigned to the side with fewer runs. So one version can be compared with all
 * versions, including itself.
 */
function disjoint(a: readonly JudgedSample[], b: readonly JudgedSample[]) {
  const ofA = new Set(a.map(({ runId }) => runId));
  const both = new Set(b.flatMap(({ runId }) => (ofA.has(runId) ? [runId] : [])));
  const without = (samples: readonly JudgedSample[]) => samples.filter(({ runId }) => !both.has(runId));
  return a.length <= b.length
    ? { a, b: without(b), overlap: both.size }
    : { a: without(a), b, overlap: both.size };
}

function observed(sample: JudgedSample): ObservedSample {
  const { outcome, durationMs, costUsd, tokens, tools } = sample;
  const unit = queryUnit({ ...sample, text: sample.query });
  return {
    sample,
    unit,
    run: {
      key: "",
      query: unit,
      runId: sample.runId,
      outcome,
      metrics: new Map([
        ["latency_ms", durationMs],
        ["cost_usd", costUsd],
        ["total_tokens", tokens],
        ["tool_calls", tools.length],
      ]),
      tools,
    },
  };
}

function sideJson(samples: readonly JudgedSample[], { runs, passed, failed, decided }: GroupRuns): object {
  const interval = decided.length === 0 ? null : wilsonInterval(passed, decided.length, 0.95);
  const counts: Record<string, number> = {};
  for (const { outcome } of samples) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return {
    runs: runs.length,
    passed,
    failed,
    undecided: runs.length - decided.length,
    outcomes: counts,
    pass_rate: decided.length === 0 ? null : passed / decided.length,
    pass_rate_interval: interval,
    metrics: Object.fromEntries(comparedMetrics.map((metric) => [metric, describe(known(runs, metric))])),
    paths: pathsOf(samples),
  };
}

function describe(values: readonly number[]): object {
  return { runs: values.length, median: percentile(values, 50), p90: percentile(values, 90), values };
}

function pathsOf(samples: readonly JudgedSample[]): object[] {
  const paths = new Map<string, { readonly tools: readonly string[]; runs: number }>();
  for (const { tools } of samples) {
    const key = JSON.stringify(tools);
    const known = paths.get(key);
    if (known === undefined) paths.set(key, { tools, runs: 1 });
    else known.runs++;
  }
  return [...paths.values()].sort((one, other) => other.runs - one.runs).slice(0, MOST_PATHS);
}
