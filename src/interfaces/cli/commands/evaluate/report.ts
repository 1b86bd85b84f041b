import { printReport } from "../../../../replay/reports/print-report.ts";
import { reportConsole } from "../../../../report/render/report/report-console.ts";
import { reportJson } from "../../../../report/render/json/report-json.ts";
import type { InvalidInput } from "../../../../report/render/json/result.ts";
import type { GroupTrend } from "../../../../report/render/changes/trend-console.ts";
import type { PercentileMethod } from "../../../../report/statistics/report/describe.ts";
import type { Adjustment } from "../../../../report/statistics/tests/multiple-testing.ts";
import type { IntervalMethod } from "../../../../report/statistics/report/report-options.ts";
import { type ReportData, summarize } from "../../../../report/statistics/report/report.ts";
import {
  type ReportInput,
  type ReportInputOptions,
  readReportInputs,
} from "../../../../replay/reports/report-inputs.ts";
import { inputsSince, parseSince } from "../../../../replay/reports/since.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { listed } from "../../../../evaluate/rules/text.ts";
import { counted, printable } from "../../../../report/render/terminal/printable.ts";
import { isCollectorAddress } from "../../../../replay/reports/collector-address.ts";
import { writeInvalid } from "../../../../replay/replay.ts";

export interface ReportOptions extends ReportInputOptions {
  readonly base?: string;
  readonly confidence: number;
  readonly seed: number;
  readonly statistics: "standard" | "full";
  readonly adjust: Adjustment;
  readonly percentile: PercentileMethod;
  readonly interval: IntervalMethod;
  readonly format: "console" | "json";
  readonly skipInvalid?: boolean;
  /** Start of the period: a time, or a duration before the newest run. Earlier runs are ignored. */
  readonly since?: string;
  /** Whether to report changes over time instead of comparing groups. */
  readonly trend?: boolean;
}

/**
 * Judges dumps, or reads saved verdicts, and compares groups of runs: pass rates with confidence intervals, costs, flakiness, and
 * differences between groups. Returns exit code 1 if a reliability gate fails, or if a run of a query with a gate called a forbidden tool.
 * Otherwise returns 2 if a gate is undecided or has no run, if there are no runs, if a run matches several queries, or if input is
 * unreadable without `--skip-invalid`.
 */
export async function report(inputs: readonly string[], options: ReportOptions, io: Io): Promise<ExitCode> {
  const [first] = inputs;
  const isOverTime = options.trend === true && options.groupBy === "query";
  if (first !== undefined && inputs.length === 1 && isCollectorAddress(first) && isOverTime)
    return reportServed(first, options, io);
  const since = options.since === undefined ? undefined : parseSince(options.since);
  const { judged: all, invalid, ambiguous, unseen } = await readReportInputs(inputs, options, io);
  const judged = since === undefined ? all : inputsSince(all, since);
  if (judged.length === 0 && all.length > 0)
    await write(io.stderr, `warning: ${noneSince(all, options.since ?? "")}\n`);
  await warnOfLeftOut(judged, invalid, options, io);
  if (options.trend === true) return reportTrend(judged, invalid, options, io);
  const data = summarizeInputs(judged, options);
  await printReport(io, options.format, {
    json: () => reportJson(data),
    console: (theme, width) => reportConsole(data, theme, width),
  });
  if (ambiguous > 0)
    await write(
      io.stderr,
      `warning: ${counted(ambiguous, "run")} left out, because they match several queries\n`,
    );
  for (const query of unseen)
    await write(
      io.stderr,
      `warning: ${printable(query)} has a reliability gate, but none of its runs was judged\n`,
    );
  const isBlind = ambiguous > 0 || unseen.length > 0;
  return exitCode(data, invalid, isBlind, options);
}

function noneSince(all: readonly ReportInput[], since: string): string {
  const times = all.flatMap(({ unixMs }) => (unixMs === null ? [] : [unixMs]));
  const newest = times.reduce((latest, unixMs) => Math.max(latest, unixMs), -Infinity);
  const began =
    times.length === 0 ? "their start is unknown" : `the newest began at ${new Date(newest).toISOString()}`;
  return `--since ${since} leaves out all ${counted(all.length, "judged run")}: ${began}`;
}

/** Reports trends. Returns exit code 2 if no run has a time, or if input is unreadable without `--skip-invalid`. */
async function reportTrend(
  judged: readonly ReportInput[],
  invalid: readonly InvalidInput[],
  options: ReportOptions,
  io: Io,
): Promise<ExitCode> {
  const { isTimed, trendsOfInputs } = await import("../../../../replay/reports/trends-of-inputs.ts");
  const timed = withSpecNames(judged, options.groupBy).filter(isTimed);
  const untimed = judged.filter(({ key }) => key !== null).length - timed.length;
  if (untimed > 0) {
    const why =
      "their verdicts do not contain when the run began; if an older version of Tracejury wrote the verdicts, judge the dumps again";
    await write(io.stderr, `warning: ${untimed} judged runs without a time are left out; ${why}\n`);
  }
  const trends = trendsOfInputs(timed);
  await writeTrends(trends, options, io);
  const isUnread = invalid.length > 0 && options.skipInvalid !== true;
  return trends.length === 0 || isUnread ? ExitCode.undecided : ExitCode.passed;
}

/**
 * Reports trends of the verdicts in the store of a running collector, by default of the last 30 days. Returns exit code 2 if there are no
 * verdicts.
 */
async function reportServed(url: string, options: ReportOptions, io: Io): Promise<ExitCode> {
  const { servedTrends } = await import("../../../../replay/reports/served-trends.ts");
  const trends = await servedTrends(url, options.since ?? "30d", io.env["TRACEJURY_TOKEN"]);
  await writeTrends(trends, options, io);
  return trends.length === 0 ? ExitCode.undecided : ExitCode.passed;
}

async function writeTrends(
  trends: readonly GroupTrend[],
  { groupBy, format }: ReportOptions,
  io: Io,
): Promise<void> {
  const { trendConsole } = await import("../../../../report/render/changes/trend-console.ts");
  await printReport(io, format, {
    json: () => ({ group_by: groupBy, groups: trends.map(({ key, trend }) => ({ key, ...trend })) }),
    console: (theme) => trendConsole(groupBy, trends, theme),
  });
}

/** Adds the name of the spec to the group keys, if runs are grouped by query and queries of several specs have the same id. */
function withSpecNames(judged: readonly ReportInput[], groupBy: string): readonly ReportInput[] {
  const shared = groupBy === "query" ? sharedIds(judged) : new Set<string>();
  return judged.map((input) =>
    input.key !== null && shared.has(input.key) ? { ...input, key: `${input.spec}/${input.key}` } : input,
  );
}

function summarizeInputs(judged: readonly ReportInput[], options: ReportOptions): ReportData {
  const observations = withSpecNames(judged, options.groupBy).flatMap(({ key: name, observation }) =>
    name === null ? [] : [{ ...observation, key: name }],
  );
  try {
    return summarize(observations, {
      groupBy: options.groupBy,
      base: options.base ?? null,
      confidence: options.confidence,
      seed: options.seed,
      statistics: options.statistics,
      adjustment: options.adjust,
      percentile: options.percentile,
      interval: options.interval,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(error.message, "name one of them with --base");
    throw error;
  }
}

function sharedIds(judged: readonly ReportInput[]): ReadonlySet<string> {
  const specs = new Map<string, string>();
  const shared = new Set<string>();
  for (const { queryId, spec } of judged) {
    const first = specs.get(queryId) ?? spec;
    specs.set(queryId, first);
    if (first !== spec) shared.add(queryId);
  }
  return shared;
}

async function warnOfLeftOut(
  judged: readonly ReportInput[],
  invalid: readonly InvalidInput[],
  { groupBy }: ReportOptions,
  io: Io,
): Promise<void> {
  const without = judged.filter(({ key }) => key === null);
  if (without.length > 0) {
    const verb = without.length === 1 ? "has no" : "have no";
    const left = without.length === 1 ? "is left out" : "are left out";
    await write(
      io.stderr,
      `warning: ${counted(without.length, "judged run")} ${verb} ${printable(groupBy)} and ${left}; ${groupsOf(without, groupBy)}\n`,
    );
  }
  await writeInvalid(io, invalid, "warning: ");
}

/** Lists what the runs can be grouped by. */
function groupsOf(runs: readonly ReportInput[], groupBy: string): string {
  const attributes = [...new Set(runs.flatMap(({ otherAttributes }) => otherAttributes))].sort();
  const names = ["query", "agent", "model", ...attributes.map((name) => printable(name))];
  const others = listed(names.filter((name) => name !== groupBy));
  return `they can be grouped by ${others}; \`attributes\` in the configuration retains further attributes`;
}

function exitCode(
  { groups }: ReportData,
  invalid: readonly InvalidInput[],
  isBlind: boolean,
  { skipInvalid }: ReportOptions,
): ExitCode {
  if (groups.some(({ gate, forbidden }) => gate?.outcome === "fail" || (gate !== null && forbidden > 0)))
    return ExitCode.failed;
  const open = groups.some(({ gate }) => gate !== null && gate.outcome !== "pass");
  const unread = invalid.length > 0 && skipInvalid !== true;
  return groups.length === 0 || open || unread || isBlind ? ExitCode.undecided : ExitCode.passed;
}
