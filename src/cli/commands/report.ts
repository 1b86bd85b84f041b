import { reliabilityLimits } from "../../render/gated-groups.ts";
import { reportConsole } from "../../render/report-console.ts";
import { reportJson } from "../../render/report-json.ts";
import type { InvalidInput } from "../../render/result.ts";
import { colourTheme, plainTheme } from "../../render/theme.ts";
import type { Reliability } from "../../spec/blocks.ts";
import type { PercentileMethod } from "../../statistics/describe.ts";
import type { Adjustment } from "../../statistics/multiple-testing.ts";
import type { ReliabilityLimits } from "../../statistics/reliability.ts";
import type { IntervalMethod } from "../../statistics/report-options.ts";
import { type ReportData, summarize } from "../../statistics/report.ts";
import { type ReportInput, type ReportInputOptions, readReportInputs } from "../engine/report-inputs.ts";
import { ExitCode, UserError } from "../exit-code.ts";
import { type Io, wantsColour, write } from "../io.ts";

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
}

/**
 * Judges the runs of dumps, or takes verdicts that were written before, and reports groups of them: rates with intervals, costs,
 * flakiness, and how the groups differ. Exit code 1 when a reliability gate fails, 2 when one can not tell yet, or nothing was there.
 */
export async function report(inputs: readonly string[], options: ReportOptions, io: Io): Promise<ExitCode> {
  const { judged, invalid } = await readReportInputs(inputs, options, io);
  await warnOfLeftOut(judged, invalid, options, io);
  const data = summarizeInputs(judged, options);
  await write(io.stdout, rendered(data, options, io));
  return exitCode(data, invalid, options);
}

/** Where queries of several specs share an id, the spec's name is part of the group's key. */
function summarizeInputs(judged: readonly ReportInput[], options: ReportOptions): ReportData {
  const shared = options.groupBy === "query" ? sharedIds(judged) : new Set<string>();
  const gates = new Map<string, Reliability | undefined>();
  const observations = judged.flatMap(({ key, spec, observation, reliability }) => {
    if (key === null) return [];
    const name = shared.has(key) ? `${spec}/${key}` : key;
    const same = !gates.has(name) || JSON.stringify(gates.get(name)) === JSON.stringify(reliability);
    gates.set(name, same ? reliability : undefined);
    return [{ ...observation, key: name }];
  });
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
      reliabilityOf: (key): ReliabilityLimits | undefined => {
        const written = gates.get(key);
        return written === undefined ? undefined : reliabilityLimits(written);
      },
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
  const without = judged.filter(({ key }) => key === null).length;
  if (without > 0) {
    await write(io.stderr, `warning: ${without} judged runs have no ${groupBy} and are left out\n`);
  }
  for (const { file, line, reason } of invalid) {
    await write(io.stderr, `warning: ${file}${line === null ? "" : `:${line}`}: ${reason}\n`);
  }
}

function rendered(data: ReportData, { format }: ReportOptions, io: Io): string {
  if (format === "json") return `${JSON.stringify(reportJson(data))}\n`;
  return reportConsole(data, wantsColour(io.stdout, io.env) ? colourTheme : plainTheme);
}

function exitCode(
  { groups }: ReportData,
  invalid: readonly InvalidInput[],
  { skipInvalid }: ReportOptions,
): ExitCode {
  if (groups.some(({ gate }) => gate?.outcome === "fail")) return ExitCode.failed;
  const open = groups.some(({ gate }) => gate !== null && gate.outcome !== "pass");
  const unread = invalid.length > 0 && skipInvalid !== true;
  return groups.length === 0 || open || unread ? ExitCode.couldNotTell : ExitCode.passed;
}
