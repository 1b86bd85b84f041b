import { printReport } from "../../../../replay/reports/print-report.ts";
import { type BacktestReport, isWorse } from "../../../../authoring/backtest/flips.ts";
import { createAskingJudge } from "../../../../pipeline/judge-run.ts";
import {
  backtestConsole,
  backtestJson,
  backtestMarkdown,
} from "../../../../report/render/commands/backtest.ts";
import type { InvalidInput } from "../../../../report/render/json/result.ts";
import { withoutCommands } from "../../../../report/render/formats/workflow-command.ts";
import type { CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import { version } from "../../../../support/process/version.ts";
import { openReferences } from "../../../../replay/baselines/references.ts";
import { judgedByBoth, pairsOf, Tally } from "../../../../replay/judging/backtesting.ts";
import { conversationIdle } from "../../../../replay/judging/conversation-idle.ts";
import { openJudging } from "../../../../replay/judging/judging.ts";
import { replayJudged } from "../../../../replay/judging/replay-judged.ts";
import { today } from "../../../../replay/judging/today.ts";
import { ExitCode, type Io, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../../../../config/command-settings.ts";
import { replayIo, writeInvalid, configFor } from "../../../../replay/replay.ts";
import type { JudgingOptions } from "../../../../replay/judging/preparing.ts";

export interface BacktestOptions
  extends ConfigFlags, Pick<JudgingOptions, "judge" | "baseline" | "baselineDir" | "skipInvalid"> {
  /** The changed specs. */
  readonly spec: readonly string[];
  /** The specs before the change. */
  readonly base: readonly string[];
  readonly failOn?: "worse" | "any";
  readonly format: "console" | "json" | "markdown";
}

/**
 * Judges every run by two versions of a spec, and reports the verdicts that differ. Returns exit code 1 if a
 * difference matches `--fail-on`. Otherwise returns exit code 2 if neither version judges a run,
 * or if input is unreadable without `--skip-invalid`.
 */
export async function backtest(
  dumps: readonly string[],
  options: BacktestOptions,
  io: Io,
): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const pairs = pairsOf(await loadSpecs(options.base, io, config), await loadSpecs(options.spec, io, config));
  const bases = pairs.map(({ base }) => base);
  const specs = pairs.map(({ spec }) => spec);
  const all = [...bases, ...specs];
  const judging = await openJudging({
    config,
    mode: options.judge,
    specs: all,
    sampleEnsemble: null,
    env: io.env,
  });
  const judgeBy = (some: readonly CompiledSpec[]) => {
    const { reference } = openReferences(some, {
      baseline: options.baseline ?? config.baseline,
      baselineDir: options.baselineDir ?? config.baselineDir,
    });
    return createAskingJudge(
      {
        specs: some,
        judgeSkipPolicy: judging.judgeSkipPolicy,
        userChecks: judging.userChecks,
        engine: version,
        today,
        reference,
      },
      judging.asking,
    );
  };
  const tally = new Tally(pairs);
  const { invalid } = await replayJudged(dumps, {
    config: configFor(config, all),
    ...replayIo(io),
    conversationIdleMs: conversationIdle(all, config),
    judge: judgedByBoth(judgeBy(bases), judgeBy(specs), (before, after) => tally.add(before, after)),
    onJudged: () => undefined,
  });
  await judging.close();
  await sayWhatIsWrong(judging.warnings(), invalid, io);
  const report = tally.report();
  const code = exitCode(report, invalid, options);
  await printReport(io, options.format, {
    json: () => backtestJson(report, code),
    markdown: () => backtestMarkdown(report),
    console: (theme) => withoutCommands(backtestConsole(report, code, theme)),
  });
  return code;
}

async function sayWhatIsWrong(
  warnings: readonly string[],
  invalid: readonly InvalidInput[],
  io: Io,
): Promise<void> {
  for (const warning of warnings) await write(io.stderr, `warning: ${warning}\n`);
  await writeInvalid(io, invalid, "warning: ");
}

function exitCode(
  report: BacktestReport,
  invalid: readonly InvalidInput[],
  { failOn, skipInvalid }: BacktestOptions,
): ExitCode {
  const fails = failOn === "any" ? report.flips.length > 0 : failOn === "worse" && report.flips.some(isWorse);
  if (fails) return ExitCode.failed;
  const unread = invalid.length > 0 && skipInvalid !== true;
  return report.judged === 0 || unread ? ExitCode.undecided : ExitCode.passed;
}
