import { type NotJudged, NotJudgedCounts } from "../../../model/not-judged.ts";
import { clustersOf } from "./by-query.ts";
import { bootstrapInterval } from "../estimates/bootstrap.ts";
import { type ClusteredError, clusteredError } from "../estimates/clustered.ts";
import { describe, type Description } from "../report/describe.ts";
import { type Grade, letterGrade, metricOf, passOf } from "../compare/measure.ts";
import { composites, type GroupRuns, known, metricNames, qualities } from "./group-runs.ts";
import { type Interval, wilsonInterval, zInterval } from "../estimates/interval.ts";
import { mean, type Sample, sampleStdDev, sorted } from "../samples/moments.ts";
import { median } from "../samples/quantiles.ts";
import { passAtK, passHatK, plugInPassAtK, plugInPassHatK } from "../estimates/pass-at-k.ts";
import type { Gate } from "./reliability.ts";
import { unitGates } from "./unit-gates.ts";
import { metricsWithInterval, type ReportSettings } from "../report/report-options.ts";
import { costOfPass } from "../report/value.ts";
import { type Observation, sideOf } from "../observation.ts";
import { normalizeAnswer, similarAtLeast } from "../estimates/similarity.ts";

/** Similarity from which two different answers count as paraphrases, as in AgentCI. */
const paraphrase = 0.9;

/**
 * Number of different answers up to which all pairs are compared. With more different answers, answers do not
 * count as paraphrases.
 */
const mostAnswers = 16;

const bands = [
  { below: 0.1, band: "stable" },
  { below: 0.25, band: "low_variance" },
  { below: 0.5, band: "moderate_variance" },
  { below: 0.75, band: "high_variance" },
] as const;

interface ErrorOverQueries extends Omit<ClusteredError, "clusters"> {
  readonly queries: number;
}

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
  /** Standard error and interval, clustered by query; absent if all runs belong to one query. */
  readonly clustered?: ErrorOverQueries | undefined;
}

export interface MetricReport extends Description {
  /**
   * Confidence interval of the mean, by BCa bootstrap or mean ± z·s/√n; null if not requested, or for fewer
   * than two known values.
   */
  readonly interval: Interval | null;
  /** Confidence interval of the mean, clustered by query; absent if all runs belong to one query. */
  readonly clustered?: ErrorOverQueries | undefined;
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
    clustered: errorOverQueries(group, passOf, confidence),
  };
}

function errorOverQueries(
  { runs }: GroupRuns,
  valueOf: (run: Observation) => number | null,
  confidence: number,
): ErrorOverQueries | undefined {
  const error = clusteredError(clustersOf(runs, valueOf), confidence);
  if (error === null) return undefined;
  const { clusters: queries, ...others } = error;
  return { queries, ...others };
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
    : bootstrapInterval(values, settings);
}

function metricsOf(group: GroupRuns, settings: ReportSettings): Map<string, MetricReport> {
  const metrics = new Map<string, MetricReport>();
  for (const name of metricNames(group.runs)) {
    // Values are sorted, so that the bootstrap draws the same samples regardless of the order of the runs.
    const values = sorted(known(group.runs, name));
    const interval = metricsWithInterval.includes(name) ? intervalOf(values, settings) : null;
    const clustered = errorOverQueries(group, (run) => metricOf(run, name), settings.confidence);
    metrics.set(name, { ...describe(values, settings.percentile), interval, clustered });
  }
  return metrics;
}

/**
 * Returns ProjectScylla's grade of the median composite score. If a decided run lacks a composite score, returns the grade of the pass
 * rate, which is the mean of the passes; their median is always 0, 0.5 or 1. The grade is null if no run was decided.
 */
function graded({ decided, passes }: GroupRuns): Pick<GroupReport, "grade" | "gradeOf"> {
  const scores = composites(decided);
  const isWhole = scores.length > 0 && scores.length === decided.length;
  const score = isWhole ? median(scores) : mean(sorted(passes));
  return { grade: score === null ? null : letterGrade(score), gradeOf: isWhole ? "score" : "pass rate" };
}

/** Returns for each decided run its set of called tools, sorted by name, as JSON text. Runs with unknown tools are left out. */
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
  const ks = defaultKs(decided.length);
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
    gate: unitGates(group),
  };
}

/**
 * Returns ProjectScylla's consistency 1 − s/|mean|, limited to [0, 1]; s is the sample standard deviation.
 * Returns null for fewer than two values. For a mean of 0, ProjectScylla's definitions contradict each other,
 * so null is returned.
 */
function consistency(values: Sample): number | null {
  const centre = mean(values);
  const spread = sampleStdDev(values);
  if (centre === null || spread === null || centre === 0) return null;
  return Math.max(0, Math.min(1, 1 - spread / Math.abs(centre)));
}

type FlakinessBand = "stable" | "low_variance" | "moderate_variance" | "high_variance" | "flaky";

interface FlakinessEvidence {
  readonly passed: number;
  readonly failed: number;
  /** Known scores of the runs, 0 to 100. */
  readonly scores: Sample;
  /** The set of called tools of each decided run, as JSON. Runs with unknown tools are left out. */
  readonly toolPatterns: readonly string[];
}

interface Flakiness {
  /** Flakiness from 0 (stable) to 1 (flaky); null for fewer than two runs that passed or failed. */
  readonly score: number | null;
  readonly band: FlakinessBand | null;
}

/** Returns the name of a flakiness score. The limits between the names are 0.1, 0.25, 0.5 and 0.75. */
function flakinessBand(score: number): FlakinessBand {
  return bands.find(({ below }) => score < below)?.band ?? "flaky";
}

interface Part {
  readonly weight: number;
  readonly value: number;
}

function scoreParts(scores: Sample): Part[] {
  const spread = sampleStdDev(scores);
  const centre = mean(scores);
  if (spread === null || centre === null) return [];
  const variation = centre > 0 ? (100 * spread) / centre : 0;
  const ordered = sorted(scores);
  const range = (ordered[ordered.length - 1] ?? 0) - (ordered[0] ?? 0);
  return [
    { weight: 0.3, value: Math.min(variation / 50, 1) },
    { weight: 0.2, value: Math.min(range / 50, 1) },
  ];
}

/**
 * Returns EvalView's flakiness score: 0.4·(1 − 2·|p − 0.5|) + 0.3·min(CV/50, 1) + 0.2·min(range/50, 1) +
 * 0.1·(distinct tool patterns − 1)/(n − 1). p is the pass rate, CV the coefficient of variation of the scores
 * in percent. Terms with unknown scores or tools are left out, and the other weights are scaled to a sum of
 * 1. The score is null for fewer than two runs that passed or failed, where EvalView returns 0.
 */
function flakiness(evidence: FlakinessEvidence): Flakiness {
  const runs = evidence.passed + evidence.failed;
  if (runs < 2) return { score: null, band: null };
  const parts = [
    { weight: 0.4, value: 1 - 2 * Math.abs(evidence.passed / runs - 0.5) },
    ...scoreParts(evidence.scores),
  ];
  const patterns = evidence.toolPatterns;
  if (patterns.length > 1) {
    parts.push({ weight: 0.1, value: (new Set(patterns).size - 1) / (patterns.length - 1) });
  }
  const weights = parts.reduce((total, part) => total + part.weight, 0);
  const score = parts.reduce((total, part) => total + part.weight * part.value, 0) / weights;
  return { score, band: flakinessBand(score) };
}

type FlipSource = "agent" | "judge" | "infrastructure" | "mixed";

function flipped(values: readonly (boolean | null | undefined)[]): boolean {
  return values.includes(true) && values.includes(false);
}

/** Returns the set of different texts; undefined if one of the texts is unknown. */
function distinct(texts: readonly (string | null)[]): ReadonlySet<string> | undefined {
  const known = texts.filter((text) => text !== null);
  return known.length === texts.length ? new Set(known) : undefined;
}

function allSimilar(answers: ReadonlySet<string>): boolean {
  const list = [...answers];
  if (list.length > mostAnswers) return false;
  return list.every((one, i) => list.slice(i + 1).every((other) => similarAtLeast(one, other, paraphrase)));
}

/**
 * Returns why outcomes differ, judging by the tools and answers of the runs; null if the evidence is not
 * enough.
 */
function sourceFromOutput(runs: readonly Observation[]): FlipSource | null {
  const unjudged = runs.every((run) => run.judgePassed === null);
  const tools = distinct(runs.map((run) => (run.tools ? JSON.stringify(run.tools) : null)));
  const answers = distinct(
    runs.map((run) => (typeof run.answer === "string" ? normalizeAnswer(run.answer) : null)),
  );
  if (tools !== undefined && tools.size > 1) return "agent";
  // If no judge was called, only the agent can cause different outcomes.
  if (unjudged) return "agent";
  if (answers === undefined) return null;
  if (answers.size > 1) return allSimilar(answers) ? "mixed" : "agent";
  return tools === undefined ? null : "judge";
}

function sourceOfDecided(runs: readonly Observation[]): FlipSource | null {
  const checks = flipped(runs.map((run) => run.deterministicPassed));
  const judges = flipped(runs.map((run) => run.judgePassed));
  if (checks && !judges) return "agent";
  const source = sourceFromOutput(runs);
  // Checks without a judge give equal results for equal answers. If their results differ, the agent is the cause.
  return checks && (source === "mixed" || source === null) ? "agent" : source;
}

/**
 * Returns why the outcomes in a group of runs differ; null if the outcomes do not differ, or if the evidence
 * is not enough. The rules are adapted from AgentCI's stability engine, and apply in this order:
 * 1. Some runs ended in an error, and the decided runs have equal outcomes: infrastructure.
 * 2. Only results of checks without a judge differ: agent.
 * 3. The called tools differ: agent. No judge was called: agent. The tools and the answers (ignoring case and
 *    white space) are equal: judge.
 * 4. The answers differ: agent. If all answers are at least 0.9 similar: mixed, because the agent or the
 *    judge can be the cause.
 */
export function flipSource(runs: readonly Observation[]): FlipSource | null {
  const decided = runs.filter((run) => sideOf(run.outcome) !== "undecided");
  if (flipped(decided.map((run) => sideOf(run.outcome) === "passed"))) return sourceOfDecided(decided);
  const errors = runs.some((run) => run.outcome === "error");
  return errors && decided.length > 0 ? "infrastructure" : null;
}

/**
 * Whether the outcomes differ: some runs passed and others failed, or some ended in an error and others were
 * decided.
 */
export function isFlaky(runs: readonly Observation[]): boolean {
  const sides = new Set(runs.map((run) => sideOf(run.outcome)));
  if (sides.has("passed") && sides.has("failed")) return true;
  return sides.size > 1 && runs.some((run) => run.outcome === "error");
}
