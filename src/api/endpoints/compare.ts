import { z } from "zod";
import { outcomes } from "../../model/outcome.ts";
import { queryUnit } from "../../json/query-unit.ts";
import { comparisonJson } from "../../render/json/report-json.ts";
import { comparePairs } from "../../statistics/compare/compare.ts";
import { type GroupRuns, known, sortOut } from "../../statistics/groups/group-runs.ts";
import { wilsonInterval } from "../../statistics/estimates/interval.ts";
import type { Observation } from "../../statistics/observation.ts";
import { percentile } from "../../statistics/samples/quantiles.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { agent, moment, none, timesOf } from "../http/parameters.ts";
import type { Archive, JudgedSample, SampleFilter } from "../../store/archive.ts";
import { defined } from "./verdicts.ts";

/** Of each side the newest so many are compared. */
const MOST = 2_000;
const MOST_PATHS = 30;
const metrics = ["latency_ms", "cost_usd", "total_tokens", "tool_calls"] as const;
/** Of one query: more metrics are more comparisons to correct for. */
const shownByQuery = ["latency_ms", "cost_usd", "total_tokens"] as const;

const attribute = z
  .string()
  .regex(/^[^=]+=./, "Write NAME=VALUE, as in service.version=2.1")
  .describe("An attribute that runs carry, as NAME=VALUE");

function sideParameters(side: "a" | "b") {
  return {
    [`${side}_agent`]: agent.optional(),
    [`${side}_model`]: z.string().describe("A part of a model's name").optional(),
    [`${side}_model_name`]: z.string().describe("The whole name of a model").optional(),
    [`${side}_service`]: z.string().optional(),
    [`${side}_version`]: z.string().describe("`service.version` of the agent").optional(),
    [`${side}_attribute`]: attribute.optional(),
    [`${side}_since`]: moment.optional(),
    [`${side}_until`]: moment.optional(),
  };
}

const description = z.strictObject({
  runs: z.number().describe("Where it is known"),
  median: z.number().nullable(),
  p90: z.number().nullable(),
  values: z.array(z.number()),
});

const side = z.strictObject({
  runs: z.number(),
  passed: z.number(),
  failed: z.number(),
  undecided: z.number(),
  outcomes: z.partialRecord(z.enum(outcomes), z.number()),
  pass_rate: z.number().nullable(),
  pass_rate_interval: z
    .strictObject({ low: z.number(), high: z.number() })
    .nullable()
    .describe("Wilson, 95 %"),
  metrics: z.record(z.enum(metrics), description),
  paths: z
    .array(z.strictObject({ tools: z.array(z.string()), runs: z.number() }))
    .describe("Most frequent first"),
});

const measured = z.number().nullable();

const comparison = z.strictObject({
  metric: z.string().describe("`pass_rate` or a metric"),
  test: z
    .enum([
      "sign",
      "wilcoxon_signed_rank",
      "fisher_exact",
      "mann_whitney",
      "stratified_fisher",
      "stratified_mann_whitney",
    ])
    .nullable()
    .describe("Over queries as pairs (the first two), else over runs, each compared with runs of its query"),
  p: measured.describe("Two-sided"),
  p_adjusted: measured.describe("After Holm's correction over these comparisons"),
  effect: measured.describe("In −1 to 1, positive when b has more; of the pass rate b − a"),
  magnitude: z.enum(["negligible", "small", "medium", "large"]).nullable(),
  queries: z.number().describe("Queries for which both sides know it"),
  runs_a: z.number(),
  runs_b: z.number(),
  higher: z.number().describe("Queries in which b has more"),
  lower: z.number(),
  equal: z.number(),
  mean_a: measured.describe("Over these queries, each counting once"),
  mean_b: measured,
  difference: z
    .strictObject({ mean: z.number(), standard_error: measured, low: measured, high: measured })
    .nullable()
    .describe("b − a, the mean over queries, with errors clustered by query"),
  change: z
    .strictObject({
      scale: z.enum(["ratio", "difference"]),
      estimate: z.number(),
      low: measured,
      high: measured,
    })
    .nullable()
    .describe("The typical change per query that the test is about"),
  reason: z.string().nullable().describe("Why there is no p-value"),
});

const sides = z.strictObject({
  queries: z.number().describe("That both sides have"),
  only_a: z.number(),
  only_b: z.number(),
  without_query: z.number().describe("Runs whose query is not known"),
  overlap: z.number().describe("Runs that fit both sides: they count for the side with fewer runs only"),
});

const byQuery = z.strictObject({
  spec: z.string(),
  query_id: z.string(),
  text: z.string().nullable().describe("What the runs were asked, where the query is `*`"),
  runs_a: z.number(),
  runs_b: z.number(),
  passed_a: z.number(),
  passed_b: z.number(),
  decided_a: z.number(),
  decided_b: z.number(),
  metrics: z
    .record(z.enum(metrics), z.strictObject({ median_a: measured, median_b: measured }))
    .describe("Medians of the runs that know it"),
  comparisons: z
    .array(comparison)
    .describe("Of this query's runs; p-values are corrected over all queries and metrics"),
});

export function compareEndpoints(archive: Archive, now: () => number): Endpoint[] {
  return [
    endpoint(none, {
      method: "get",
      path: "/api/v1/compare",
      summary: `Two versions, models or times side by side: the newest ${MOST} verdicts of each, and whether they differ, query by query`,
      query: z.strictObject({
        spec: z.string().optional(),
        query: z.string().describe("Id of a query").optional(),
        ...sideParameters("a"),
        ...sideParameters("b"),
      }),
      answer: z.strictObject({
        a: side,
        b: side,
        sides,
        comparisons: z.array(comparison),
        by_query: z.array(byQuery),
      }),
      handle: async ({ query }) => {
        const filters = (["a", "b"] as const).map((name) => filterOf(query, name, now()));
        const [a = [], b = []] = await Promise.all(filters.map((filter) => archive.samples(filter, MOST)));
        return { json: compared(a, b) };
      },
    }),
  ];
}

function filterOf(
  query: Readonly<Record<string, string | undefined>>,
  name: "a" | "b",
  nowUnixMs: number,
): SampleFilter {
  const of = (key: string): string | undefined => query[`${name}_${key}`];
  const written = of("attribute");
  const cut = written?.indexOf("=") ?? -1;
  return defined({
    spec: query["spec"],
    query: query["query"],
    agent: of("agent"),
    model: of("model"),
    modelName: of("model_name"),
    service: of("service"),
    version: of("version"),
    attribute: written === undefined ? undefined : ([written.slice(0, cut), written.slice(cut + 1)] as const),
    ...timesOf({ since: of("since"), until: of("until") }, nowUnixMs),
  });
}

function compared(allA: readonly JudgedSample[], allB: readonly JudgedSample[]): object {
  const { a, b, overlap } = disjoint(allA, allB);
  const groups = [sortOut("a", a.map(observed)), sortOut("b", b.map(observed))] as const;
  const settings = { confidence: 0.95, adjustment: "holm" } as const;
  const { pairs, comparisons } = comparePairs([groups], metrics, settings);
  const [pair] = pairs;
  return {
    a: sideJson(a),
    b: sideJson(b),
    sides: {
      queries: pair?.queries ?? 0,
      only_a: pair?.onlyA ?? 0,
      only_b: pair?.onlyB ?? 0,
      without_query: pair?.withoutQuery ?? 0,
      overlap,
    },
    comparisons: comparisons.map(comparisonJson),
    by_query: comparedByQuery(a, b),
  };
}

/** Each query with runs on both sides by itself; the p-values are corrected over all that are compared here. */
function comparedByQuery(a: readonly JudgedSample[], b: readonly JudgedSample[]): object[] {
  const ofB = samplesByQuery(b);
  const queries = [...samplesByQuery(a)]
    .flatMap(([key, ofA]) => {
      const others = ofB.get(key);
      return others === undefined ? [] : [{ key, a: ofA, b: others }];
    })
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const pairs = queries.map(
    ({ key, a: ofA, b: others }) =>
      [sortOut(key, ofA.map(observed)), sortOut(key, others.map(observed))] as const,
  );
  const { comparisons } = comparePairs(pairs, shownByQuery, { confidence: 0.95, adjustment: "holm" });
  return queries.map(({ key, a: [one], a: ofA, b: others }, at) => ({
    spec: one?.spec ?? "",
    query_id: one?.queryId ?? "",
    text: one?.isWildcard === true ? one.query : null,
    runs_a: ofA.length,
    runs_b: others.length,
    passed_a: pairs[at]?.[0].passed ?? 0,
    passed_b: pairs[at]?.[1].passed ?? 0,
    decided_a: pairs[at]?.[0].decided.length ?? 0,
    decided_b: pairs[at]?.[1].decided.length ?? 0,
    metrics: Object.fromEntries(
      shownByQuery.map((metric) => [
        metric,
        { median_a: medianOf(pairs[at]?.[0], metric), median_b: medianOf(pairs[at]?.[1], metric) },
      ]),
    ),
    comparisons: comparisons.filter((comparison) => comparison.a === key).map(comparisonJson),
  }));
}

function medianOf(group: GroupRuns | undefined, metric: string): number | null {
  return percentile(known(group?.runs ?? [], metric), 50);
}

/** By what runs are compared by; those whose query is not known are left out. */
function samplesByQuery(samples: readonly JudgedSample[]): ReadonlyMap<string, readonly JudgedSample[]> {
  const groups = new Map<string, JudgedSample[]>();
  for (const sample of samples) {
    const key = queryUnit({ ...sample, text: sample.query });
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sample]);
    else group.push(sample);
  }
  return groups;
}

interface Sides {
  readonly a: readonly JudgedSample[];
  readonly b: readonly JudgedSample[];
  /** Runs that fit both. */
  readonly overlap: number;
}

/** Runs that fit both sides stay on the one with fewer runs: "this version" against everything is then against the rest. */
function disjoint(a: readonly JudgedSample[], b: readonly JudgedSample[]): Sides {
  const ofA = new Set(a.map(({ runId }) => runId));
  const both = new Set(b.flatMap(({ runId }) => (ofA.has(runId) ? [runId] : [])));
  const without = (samples: readonly JudgedSample[]) => samples.filter(({ runId }) => !both.has(runId));
  return a.length <= b.length
    ? { a, b: without(b), overlap: both.size }
    : { a: without(a), b, overlap: both.size };
}

function observed(sample: JudgedSample): Observation {
  const { outcome, durationMs, costUsd, tokens, tools } = sample;
  return {
    key: "",
    query: queryUnit({ ...sample, text: sample.query }),
    runId: sample.runId,
    outcome,
    metrics: new Map([
      ["latency_ms", durationMs],
      ["cost_usd", costUsd],
      ["total_tokens", tokens],
      ["tool_calls", tools.length],
    ]),
    tools,
  };
}

function sideJson(samples: readonly JudgedSample[]): object {
  const runs = samples.map(observed);
  const { passed, failed, decided } = sortOut("", runs);
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
    pass_rate_interval: interval === null ? null : { low: interval.low, high: interval.high },
    metrics: Object.fromEntries(metrics.map((metric) => [metric, describe(known(runs, metric))])),
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
