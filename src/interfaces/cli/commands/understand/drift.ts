import { printReport } from "../../../../replay/reports/print-report.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../../../../config/command-settings.ts";
import { UnmatchedTraffic } from "../../../../match/coverage.ts";
import type { AgentRun } from "../../../../model/run.ts";
import { createJudgeRun } from "../../../../pipeline/judge-run.ts";
import { ExitCode, type Io, UserError } from "../../../../support/process/io.ts";
import { version } from "../../../../support/process/version.ts";
import { driftConsole, driftJson } from "../../../../report/render/commands/drift-report.ts";
import { isCollectorAddress } from "../../../../replay/reports/collector-address.ts";
import { replayIo, writeInvalid, configFor, runsIn } from "../../../../replay/replay.ts";
import { type ServedRun, servedRuns } from "../../../../replay/reports/served-runs.ts";
import { momentOf, parseSince } from "../../../../replay/reports/since.ts";
import { type DriftRun, driftOf } from "../../../../report/statistics/drift/drift.ts";
import { toolsUsed } from "../../../../report/statistics/observation.ts";

export interface DriftOptions extends ConfigFlags {
  readonly reference: readonly string[];
  /** Start of the period to compare. Earlier runs are the reference. Cannot be combined with `reference`. */
  readonly since?: string;
  /** Specs whose queries define the known query texts. */
  readonly spec: readonly string[];
  readonly format: "console" | "json";
}

/** Matches the beginning of English refusals. Matching the pattern is less accurate than a judge model, but costs nothing. */
const REFUSAL =
  /^\W*(?:(?:i['’]?m |i am )?(?:very |so )?sorry\b|(?:unfortunately,? )?i (?:can['’]?t|cannot|can not|am unable|['’]?m unable|won['’]?t)\b|as an ai\b)/i;

/**
 * Reports how runs differ from reference runs, without judging them. Returns exit code 2 if there are no runs, or no reference runs, or if
 * input is unreadable.
 */
export async function drift(dumps: readonly string[], options: DriftOptions, io: Io): Promise<ExitCode> {
  if (dumps.some(isCollectorAddress)) return driftServed(dumps, options, io);
  const { reference, since } = options;
  if (reference.length > 0 === (since !== undefined))
    throw new UserError(
      reference.length === 0
        ? "drift compares two periods, but only one is given"
        : "--reference and --since exclude each other",
      "name the dumps of the earlier period with --reference, or the start of the later period with --since 7d",
    );
  const { config } = await loadSettings(options, io);
  const specs = options.spec.length === 0 ? [] : await loadSpecs(options.spec, io, config);
  let isUnreadable = false;
  const runsOf = async (names: readonly string[]): Promise<AgentRun[]> => {
    const { runs, invalid } = await runsIn(names, { config: configFor(config, specs), ...replayIo(io) });
    await writeInvalid(io, invalid, "warning: ");
    if (invalid.length > 0) isUnreadable = true;
    return runs;
  };
  const given = await runsOf(dumps);
  const { before, after } =
    since === undefined ? { before: await runsOf(reference), after: given } : parted(given, since);
  const isCovered = coveredBy(before, specs);
  const questions = new UnmatchedTraffic();
  for (const run of after) if (!isCovered(run)) questions.add(run);
  const compared = { before: before.map(driftRun), after: after.map(driftRun), questions };
  const code = await reportDrift(compared, options, io);
  return isUnreadable ? ExitCode.undecided : code;
}

/**
 * Reports drift of the runs in the store of a running collector. The collector's specs define the known query
 * texts.
 */
async function driftServed(
  [url, ...others]: readonly string[],
  options: DriftOptions,
  io: Io,
): Promise<ExitCode> {
  const { reference, since, spec } = options;
  if (url === undefined || since === undefined || others.length + reference.length + spec.length > 0)
    throw new UserError(
      "a collector's address needs --since, and cannot be combined with other inputs",
      "drift http://127.0.0.1:4319 --since 7d compares the runs in its store; its own specs define the known queries",
    );
  const runs = await servedRuns(url, io.env["TRACEJURY_TOKEN"]);
  const timed = runs.map((run) => ({ run, startUnixMs: run.start_unix_ms }));
  const { before, after } = parted(timed, since);
  const questions = new UnmatchedTraffic();
  for (const { run } of after)
    if (!run.isCovered) questions.add({ query: run.query, agent: run.agent, runId: run.run_id });
  const compared = {
    before: before.map(({ run }) => served(run)),
    after: after.map(({ run }) => served(run)),
  };
  return reportDrift({ ...compared, questions }, options, io);
}

function served(run: ServedRun): DriftRun {
  const { run_id: runId, total_tokens: totalTokens, duration_ms: durationMs, ...others } = run;
  const names = run.tools.filter(({ executed }) => executed !== false).map((call) => call.name);
  const tools = names.every((name) => name !== null) ? names : null;
  return observed({ ...others, runId, tools, totalTokens, durationMs });
}

async function reportDrift(
  {
    before,
    after,
    questions,
  }: { before: readonly DriftRun[]; after: readonly DriftRun[]; questions: UnmatchedTraffic },
  { format }: DriftOptions,
  io: Io,
): Promise<ExitCode> {
  const report = { drift: driftOf(before, after), questions: questions.clusters() };
  await printReport(io, format, {
    json: () => driftJson(report),
    console: (theme) => driftConsole(report, theme),
  });
  return before.length === 0 || after.length === 0 ? ExitCode.undecided : ExitCode.passed;
}

function parted<Run extends { readonly startUnixMs: number }>(
  runs: readonly Run[],
  since: string,
): { before: Run[]; after: Run[] } {
  const newest = runs.reduce((latest, { startUnixMs }) => Math.max(latest, startUnixMs), -Infinity);
  const from = momentOf(parseSince(since), newest);
  return {
    before: runs.filter(({ startUnixMs }) => startUnixMs < from),
    after: runs.filter(({ startUnixMs }) => startUnixMs >= from),
  };
}

/**
 * Returns a function that decides whether a run's query text is known. If there are specs, the text is known if one of their queries
 * matches the run. Without specs, it is known if a reference run has the same query text.
 */
function coveredBy(
  before: readonly AgentRun[],
  specs: Awaited<ReturnType<typeof loadSpecs>>,
): (run: AgentRun) => boolean {
  if (specs.length > 0) {
    const judge = createJudgeRun({ specs, judgeSkipPolicy: { judge: "off" }, engine: version });
    return (run) => {
      const { verdicts, ambiguous } = judge(run);
      return verdicts.length > 0 || ambiguous.length > 0;
    };
  }
  const asked = new UnmatchedTraffic();
  for (const run of before) asked.add(run);
  return (run) => asked.has(run);
}

function driftRun(run: AgentRun): DriftRun {
  return observed({ ...run, tools: toolsUsed(run) });
}

/** Returns the values of a run that drift compares. The run may come from a dump or a collector. */
function observed({
  runId,
  tools,
  handoffs,
  answer,
  status,
  error,
  totalTokens,
  durationMs,
}: Pick<DriftRun, "runId" | "tools" | "error" | "totalTokens" | "durationMs"> & {
  readonly handoffs: readonly { readonly from: string | null; readonly to: string | null }[];
  readonly answer: string | null;
  readonly status: string | null;
}): DriftRun {
  return {
    runId,
    tools,
    handoffs: handoffs.map(({ from, to }) => `${from ?? "(unknown)"} → ${to ?? "(unknown)"}`),
    answerLength: answer?.length ?? null,
    isRefusal: answer === null ? null : REFUSAL.test(answer),
    error: error ?? (status === "error" ? "(without a text)" : null),
    totalTokens,
    durationMs,
  };
}
