import { type ConfigFlags, loadSettings, loadSpecs } from "../../../config/command-settings.ts";
import { UnmatchedTraffic } from "../../../match/coverage.ts";
import { attributesNeeded } from "../../../match/rules/where.ts";
import type { AgentRun } from "../../../model/run.ts";
import { createJudgeRun } from "../../../pipeline/judge-run.ts";
import { ExitCode, UserError } from "../../../process/exit-code.ts";
import { type Io, wantsColour, write } from "../../../process/io.ts";
import { version } from "../../../process/version.ts";
import { driftConsole, driftJson } from "../../../render/commands/drift-report.ts";
import { colourTheme, plainTheme } from "../../../render/terminal/theme.ts";
import { replay } from "../../../replay/replay.ts";
import { momentOf, parseSince } from "../../../replay/since.ts";
import { type DriftRun, driftOf } from "../../../statistics/drift/drift.ts";
import { toolsUsed } from "../../../statistics/observation.ts";

export interface DriftOptions extends ConfigFlags {
  /** Dumps of the reference period. */
  readonly reference: readonly string[];
  /** In place of a reference: runs since are compared with those before. */
  readonly since?: string;
  /** Whose queries cover questions. */
  readonly spec: readonly string[];
  readonly format: "console" | "json";
}

/** Beginnings of English refusals. Less exact than a judge, and free. */
const REFUSAL =
  /^\W*(?:(?:i['’]?m |i am )?(?:very |so )?sorry\b|(?:unfortunately,? )?i (?:can['’]?t|cannot|can not|am unable|['’]?m unable|won['’]?t)\b|as an ai\b)/i;

/** What is different about runs, no spec needed. Exit code 2 when a side has no run. */
export async function drift(dumps: readonly string[], options: DriftOptions, io: Io): Promise<ExitCode> {
  const { reference, since, format } = options;
  if (reference.length > 0 === (since !== undefined))
    throw new UserError(
      "drift compares two periods",
      "name the dumps of the earlier one with --reference, or where the later one begins with --since 7d",
    );
  const { config } = await loadSettings(options, io);
  const specs = options.spec.length === 0 ? [] : await loadSpecs(options.spec, io, config);
  const runsOf = async (names: readonly string[]): Promise<AgentRun[]> => {
    const runs: AgentRun[] = [];
    await replay(names, {
      config: { ...config, attributes: [...config.attributes, ...attributesNeeded(specs)] },
      stdin: io.stdin,
      env: io.env,
      terminal: io.stderr,
      onRun: (run) => runs.push(run),
    });
    return runs;
  };
  const given = await runsOf(dumps);
  const { before, after } =
    since === undefined ? { before: await runsOf(reference), after: given } : parted(given, since);
  const isCovered = coveredBy(before, specs);
  const questions = new UnmatchedTraffic();
  for (const run of after) if (!isCovered(run)) questions.add(run);
  const report = {
    drift: driftOf(before.map(driftRun), after.map(driftRun)),
    questions: questions.clusters(),
  };
  const theme = wantsColour(io.stdout, io.env) ? colourTheme : plainTheme;
  await write(
    io.stdout,
    format === "json" ? `${JSON.stringify(driftJson(report))}\n` : driftConsole(report, theme),
  );
  return before.length === 0 || after.length === 0 ? ExitCode.couldNotTell : ExitCode.passed;
}

function parted(runs: readonly AgentRun[], since: string): { before: AgentRun[]; after: AgentRun[] } {
  const newest = runs.reduce((latest, { startUnixMs }) => Math.max(latest, startUnixMs), -Infinity);
  const from = momentOf(parseSince(since), newest);
  return {
    before: runs.filter(({ startUnixMs }) => startUnixMs < from),
    after: runs.filter(({ startUnixMs }) => startUnixMs >= from),
  };
}

/** Whether a question needs no query: one of the specs has it, or where there is no spec, it was asked before. */
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
  const { runId, handoffs, answer, status, error, totalTokens, durationMs } = run;
  return {
    runId,
    tools: toolsUsed(run),
    handoffs: handoffs.map(({ from, to }) => `${from ?? "(unknown)"} → ${to ?? "(unknown)"}`),
    answerLength: answer?.length ?? null,
    isRefusal: answer === null ? null : REFUSAL.test(answer),
    error: error ?? (status === "error" ? "(without a text)" : null),
    totalTokens,
    durationMs,
  };
}
