import { type NotJudged, NotJudgedCounts } from "../../../model/not-judged.ts";
import { clustersOf } from "./by-query.ts";
import { bootstrapInterval, meanEstimator } from "../estimates/bootstrap.ts";
import { clusteredError, type ClusteredError } from "../estimates/clustered.ts";
import { consistency } from "../estimates/consistency.ts";
import { describe, type Description } from "../report/describe.ts";
import { flakiness, type Flakiness } from "./flakiness.ts";
import { flipSource, type FlipSource, isFlaky } from "./flip-source.ts";
import { type Grade, letterGrade, metricOf, passOf } from "../compare/measure.ts";
import { composites, type GroupRuns, known, metricNames, qualities } from "./group-runs.ts";
import { type Interval, wilsonInterval, zInterval } from "../estimates/interval.ts";
import { mean, sorted } from "../samples/moments.ts";
import { median } from "../samples/quantiles.ts";
import { passAtK, passHatK, plugInPassAtK, plugInPassHatK } from "../estimates/pass-at-k.ts";
import type { Gate } from "./reliability.ts";
import { gateOf, unitGates } from "./unit-gates.ts";
import type { ReportSettings } from "../report/report-options.ts";
import { costOfPass } from "../report/value.ts";

/**
 * Pass rate of the decided runs, as statistics of 1 for each pass and 0 for each failure. The statistics are
 * null if no run was decided.
 */
export interface PassRate extends Pick<Description, "mean" | "median" | "mode" | "stdDev" | "sampleStdDev"> {
  /**
   * Lower limit of Wilson's interval or, if requested, of mean ± z·s/√n. The interval assumes that runs are
   * independent.
   */
  readonly low: number | null;
  readonly high: number | null;
  readonly confidence: number;
  /** Standard error and interval, clustered by query; null if all runs belong to one query. */
  readonly clustered: ClusteredError | null;
}

export interface MetricReport extends Description {
  /**
   * Confidence interval of the mean, by BCa bootstrap or mean ± z·s/√n; null if not requested, or for fewer
   * than two known values.
   */
  readonly interval: Interval | null;
  /** Confidence interval of the mean, clustered by query; null if all runs belong to one query. */
  readonly clustered: ClusteredError | null;
}

export interface GroupReport {
  readonly key: string;
  readonly runs: number;
  /** Number of passed runs, including warnings. */
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  /** Number of undecided runs, with the outcome incomplete, error or skip. */
  readonly undecided: number;
  /** Number of runs that called a forbidden tool. */
  readonly forbidden: number;
  /** Checks that options left out, with the number of runs without the check. */
  readonly notJudged: readonly NotJudged[];
  readonly passRate: PassRate;
  /** pass@k for each k; null if k is above the number of decided runs. */
  readonly passAtK: ReadonlyMap<number, number | null>;
  readonly passHatK: ReadonlyMap<number, number | null>;
  /**
   * pass@k and pass^k as AgentCI and EvalView estimate them from the observed rate. k is the number of
   * decided runs.
   */
  readonly plugIn: { readonly k: number; readonly passAtK: number | null; readonly passHatK: number | null };
  /** Statistics of each metric, by name, over the runs with a known value. */
  readonly metrics: ReadonlyMap<string, MetricReport>;
  readonly flaky: boolean;
  readonly flipSource: FlipSource | null;
  readonly flakiness: Flakiness;
  readonly consistency: number | null;
  /** Mean cost divided by the pass rate, in US dollars; null if no run passed or no cost is known. */
  readonly costOfPass: number | null;
  /** Grade of the group from A to F; null if no run was decided. */
  readonly grade: Grade | null;
  readonly gradeOf: "score" | "pass rate";
  /**
   * Changes relative to the base, as fractions, over the queries that both groups have. The values are
   * changes of means; for `composite`, of the median.
   */
  readonly uplift: {
    readonly passRate: number | null;
    readonly costUsd: number | null;
    readonly composite: number | null;
  };
  readonly gate: Gate | null;
}

function passRateOf(group: GroupRuns, { confidence, interval: method }: ReportSettings): PassRate {
  const { mean, median, mode, stdDev, sampleStdDev } = describe(group.passes);
  const interval =
    method === "z"
      ? zInterval(group.passes, confidence)
      : wilsonInterval(group.passed, group.decided.length, confidence);
  return {
    mean,
    median,
    mode,
    stdDev,
    sampleStdDev,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    confidence,
    clustered: clusteredError(clustersOf(group.runs, passOf), confidence),
  };
}

/** Returns the numbers from 1 to 10 that are at most `decided`, and `decided` itself. */
function defaultKs(decided: number): number[] {
  const few = Array.from({ length: Math.min(10, decided) }, (_, index) => index + 1);
  return decided > 10 ? [...few, decided] : few;
}

function estimates(
  ks: readonly number[],
  group: GroupRuns,
  estimate: (runs: number, passed: number, k: number) => number | null,
): Map<number, number | null> {
  return new Map(ks.map((k) => [k, estimate(group.decided.length, group.passed, k)]));
}

function plugInOf(rate: number | null, k: number): GroupReport["plugIn"] {
  if (rate === null) return { k, passAtK: null, passHatK: null };
  return { k, passAtK: plugInPassAtK(rate, k), passHatK: plugInPassHatK(rate, k) };
}

function intervalOf(values: Float64Array, settings: ReportSettings): Interval | null {
  if (values.length < 2) return null;
  return settings.interval === "z"
    ? zInterval(values, settings.confidence)
    : bootstrapInterval(values, meanEstimator, "bca", settings);
}

function metricsOf(group: GroupRuns, settings: ReportSettings): Map<string, MetricReport> {
  const metrics = new Map<string, MetricReport>();
  for (const name of metricNames(group.runs)) {
    // Values are sorted, so that the bootstrap draws the same samples regardless of the order of the runs.
    const values = sorted(known(group.runs, name));
    const interval = settings.intervals.includes(name) ? intervalOf(values, settings) : null;
    const clusters = clustersOf(group.runs, (run) => metricOf(run, name));
    const clustered = clusteredError(clusters, settings.confidence);
    metrics.set(name, { ...describe(values, settings.percentile), interval, clustered });
  }
  return metrics;
}

/**
 * Returns ProjectScylla's grade of the median composite score. If a decided run lacks a composite score, the
 * mean pass rate is graded instead. (The median of passes is always 0, 0.5 or 1, which is no rate.) The grade
 * is null if no run was decided.
 */
function graded({ decided, passes }: GroupRuns): Pick<GroupReport, "grade" | "gradeOf"> {
  const scores = composites(decided);
  const isWhole = scores.length > 0 && scores.length === decided.length;
  const score = isWhole ? median(scores) : mean(sorted(passes));
  return { grade: score === null ? null : letterGrade(score), gradeOf: isWhole ? "score" : "pass rate" };
}

/**
 * Returns the set of called tools of each decided run as text, sorted by name. Runs with unknown tools are left out.
 */
function toolPatterns(group: GroupRuns): string[] {
  return group.decided.flatMap(({ tools }) => (tools ? [JSON.stringify([...new Set(tools)].sort())] : []));
}

function notJudgedIn({ runs }: GroupRuns): readonly NotJudged[] {
  const counts = new NotJudgedCounts();
  for (const { notJudged } of runs) counts.addAll(notJudged ?? []);
  return counts.all;
}

function stabilityOf(group: GroupRuns): Pick<GroupReport, "flaky" | "flipSource" | "flakiness"> {
  const { passed, failed, decided, runs } = group;
  const scores = sorted(known(decided, "score"));
  return {
    flaky: isFlaky(runs),
    flipSource: flipSource(runs),
    flakiness: flakiness({ passed, failed, scores, toolPatterns: toolPatterns(group) }),
  };
}

/**
 * Returns the statistics of one group. `costOfPass` is the mean known cost of a decided run, divided by the
 * pass rate.
 */
export function reportGroup(group: GroupRuns, settings: ReportSettings): GroupReport {
  const { passed, warned, failed, decided } = group;
  const passRate = passRateOf(group, settings);
  const { reliability: limits } = settings;
  const ks = settings.ks ?? defaultKs(decided.length);
  return {
    key: group.key,
    runs: group.runs.length,
    passed,
    warned,
    failed,
    undecided: group.runs.length - decided.length,
    forbidden: group.runs.filter(({ usedForbiddenTool }) => usedForbiddenTool === true).length,
    notJudged: notJudgedIn(group),
    passRate,
    passAtK: estimates(ks, group, passAtK),
    passHatK: estimates(ks, group, passHatK),
    plugIn: plugInOf(passRate.mean, decided.length),
    metrics: metricsOf(group, settings),
    ...stabilityOf(group),
    consistency: consistency(sorted(qualities(group))),
    costOfPass: costOfPass(mean(sorted(known(decided, "cost_usd"))), passRate.mean),
    ...graded(group),
    uplift: { passRate: null, costUsd: null, composite: null },
    gate: unitGates(group) ?? (limits === undefined ? null : gateOf(group, limits)),
  };
}
