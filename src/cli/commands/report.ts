import type { JudgeMode } from "../../judge/settings.ts";
import { createAskingJudge, type JudgedRun } from "../../pipeline/judge-run.ts";
import { reliabilityLimits } from "../../render/gated-groups.ts";
import { groupKeyJson, observeJson } from "../../render/observe-json.ts";
import { reportConsole } from "../../render/report-console.ts";
import { reportJson } from "../../render/report-json.ts";
import type { InvalidInput } from "../../render/result.ts";
import { colourTheme, plainTheme } from "../../render/theme.ts";
import type { CompiledSpec } from "../../spec/compiled.ts";
import type { Reliability } from "../../spec/blocks.ts";
import { groupKey, type Observation, observe } from "../../statistics/observation.ts";
import type { ReliabilityLimits } from "../../statistics/reliability.ts";
import { type ReportData, summarize } from "../../statistics/report.ts";
import { version } from "../../version.ts";
import { today } from "../engine/today.ts";
import { openJudging } from "../engine/judging.ts";
import { conversationIdle } from "../engine/conversation-idle.ts";
import { replayJudged } from "../engine/replay-judged.ts";
import { holdsVerdicts, readVerdicts } from "../engine/result-files.ts";
import { ExitCode, UserError } from "../exit-code.ts";
import { type Io, wantsColour, write } from "../io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../settings.ts";

export interface ReportOptions extends ConfigFlags {
  readonly spec: readonly string[];
  /** `query`, `agent`, `model`, or the name of a run attribute. */
  readonly groupBy: string;
  readonly base?: string;
  readonly confidence: number;
  readonly seed: number;
  readonly judge?: JudgeMode;
  readonly format: "console" | "json";
  readonly skipInvalid?: boolean;
}

/** What was judged, before it is grouped. */
interface Judged {
  /** Null: the run does not have what is grouped by. */
  readonly key: string | null;
  readonly spec: string;
  readonly queryId: string;
  readonly observation: Observation;
  readonly reliability: Reliability | undefined;
}

/**
 * Judges the runs of dumps, or takes verdicts that were written before, and says how groups of them do: rates with intervals, costs,
 * flakiness, and how the groups differ. Exit code 1 when a reliability gate fails, 2 when one can not tell yet, or nothing was there.
 */
export async function report(inputs: readonly string[], options: ReportOptions, io: Io): Promise<ExitCode> {
  const written = inputs.filter((name) => name !== "-" && holdsVerdicts(name));
  const dumps = inputs.filter((name) => !written.includes(name));
  const read = await readVerdicts(written);
  const judged: Judged[] = read.verdicts.map((verdict) => ({
    key: groupKeyJson(verdict, options.groupBy),
    spec: verdict.spec,
    queryId: verdict.query_id,
    observation: observeJson(verdict, ""),
    reliability: undefined,
  }));
  const replayed = dumps.length === 0 ? undefined : await judgeDumps(dumps, options, io);
  judged.push(...(replayed?.judged ?? []));
  const invalid = [...read.invalid, ...(replayed?.invalid ?? [])];
  await sayLeftOut(judged, invalid, options, io);
  const data = grouped(judged, options);
  await write(io.stdout, shown(data, options, io));
  return exitCode(data, invalid, options);
}

async function judgeDumps(
  dumps: readonly string[],
  options: ReportOptions,
  io: Io,
): Promise<{ judged: readonly Judged[]; invalid: readonly InvalidInput[] }> {
  const { config } = await loadSettings(options, io);
  const specs = await loadSpecs(options.spec.length > 0 ? options.spec : config.specs, io, config);
  const judging = await openJudging({
    config,
    mode: options.judge,
    specs,
    sampleEnsemble: null,
    env: io.env,
  });
  const judged: Judged[] = [];
  const reliabilities = reliabilitiesOf(specs);
  const onJudged = ({ verdicts }: JudgedRun): void => {
    for (const verdict of verdicts) {
      judged.push({
        key: groupKey(verdict, options.groupBy),
        spec: verdict.spec,
        queryId: verdict.queryId,
        observation: observe(verdict, ""),
        reliability: reliabilities.get(placeOf(verdict.spec, verdict.queryId)),
      });
    }
  };
  const judge = createAskingJudge(
    { specs, unasked: judging.unasked, userChecks: judging.userChecks, engine: version, today },
    judging.asking,
  );
  const { invalid } = await replayJudged(dumps, {
    config,
    stdin: io.stdin,
    terminal: io.stderr,
    conversationIdleMs: conversationIdle(specs, config),
    judge,
    onJudged,
  });
  await judging.close();
  for (const warning of judging.warnings()) await write(io.stderr, `warning: ${warning}\n`);
  return { judged, invalid };
}

function reliabilitiesOf(specs: readonly CompiledSpec[]): ReadonlyMap<string, Reliability | undefined> {
  return new Map(
    specs.flatMap(({ name, queries }) =>
      queries.map(({ id, reliability }) => [placeOf(name, id), reliability] as const),
    ),
  );
}

function placeOf(spec: string, queryId: string): string {
  return JSON.stringify([spec, queryId]);
}

/** Ids that queries of several specs share are told apart by the spec's name. */
function grouped(judged: readonly Judged[], options: ReportOptions): ReportData {
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

function sharedIds(judged: readonly Judged[]): ReadonlySet<string> {
  const specs = new Map<string, string>();
  const shared = new Set<string>();
  for (const { queryId, spec } of judged) {
    const first = specs.get(queryId) ?? spec;
    specs.set(queryId, first);
    if (first !== spec) shared.add(queryId);
  }
  return shared;
}

async function sayLeftOut(
  judged: readonly Judged[],
  invalid: readonly InvalidInput[],
  { groupBy }: ReportOptions,
  io: Io,
): Promise<void> {
  const without = judged.filter(({ key }) => key === null).length;
  if (without > 0) {
    const why = groupBy === "model" ? " (files of verdicts do not hold it: give the dump)" : "";
    await write(io.stderr, `warning: ${without} judged runs have no ${groupBy} and are left out${why}\n`);
  }
  for (const { file, line, reason } of invalid) {
    await write(io.stderr, `warning: ${file}${line === null ? "" : `:${line}`}: ${reason}\n`);
  }
}

function shown(data: ReportData, { format }: ReportOptions, io: Io): string {
  if (format === "json") return `${JSON.stringify(reportJson(data))}\n`;
  return reportConsole(data, wantsColour(io.stdout, io.env) ? colourTheme : plainTheme);
}

function exitCode(
  { groups }: ReportData,
  invalid: readonly InvalidInput[],
  { skipInvalid }: ReportOptions,
): ExitCode {
  if (groups.some(({ gate }) => gate?.outcome === "fail")) return ExitCode.failed;
  const open = groups.some(({ gate }) => gate?.outcome === "not_enough_runs");
  const unread = invalid.length > 0 && skipInvalid !== true;
  return groups.length === 0 || open || unread ? ExitCode.couldNotTell : ExitCode.passed;
}
