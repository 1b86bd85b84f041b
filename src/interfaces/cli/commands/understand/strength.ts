import { printReport } from "../../../../replay/reports/print-report.ts";
import { readFileSync, writeFileSync } from "node:fs";
import type { CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import { strengthOf } from "../../../../evaluate/strength/tally.ts";
import { strengthConsole, strengthJson } from "../../../../report/render/commands/strength-report.ts";
import { counted } from "../../../../report/render/terminal/printable.ts";
import { StrengthTrial } from "../../authoring/strength-trial.ts";
import { replay, replayIo, writeInvalid, configFor } from "../../../../replay/replay.ts";
import { ExitCode, type Io, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadJudgingSpecs } from "../../../../config/command-settings.ts";
import { chosenQueries, type JudgingOptions } from "../../../../replay/judging/preparing.ts";

export interface StrengthCommand extends ConfigFlags, Pick<JudgingOptions, "spec" | "query" | "tags"> {
  readonly seed: number;
  /** Maximum number of mutants (changed copies) of each kind for a run. */
  readonly mutants: number;
  /** Whether to add checks to the specs, which detect mutants that no check has detected so far. */
  readonly write?: boolean;
  /** Minimum share of mutants that the specs must detect. */
  readonly minStrength?: number;
  readonly format: "console" | "json";
}

/**
 * Injects faults into copies of good recorded runs, and reports the faults that the specs do not detect. Returns exit code 1 if the
 * strength is below `--min-strength`, and 2 if there is no good run or if input is unreadable.
 */
export async function strength(
  dumps: readonly string[],
  options: StrengthCommand,
  io: Io,
): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadJudgingSpecs(options.spec, io, config);
  const selected = chosenQueries(specs, { queries: options.query, tags: options.tags ?? [] });
  const trial = new StrengthTrial(specs, selected, { seed: options.seed, most: options.mutants });
  const { invalid } = await replay(dumps, {
    config: configFor(config, specs),
    ...replayIo(io),
    onRun: (run) => trial.add(run),
  });
  await writeInvalid(io, invalid, "warning: ");
  const queries = trial.queries();
  await printReport(io, options.format, {
    json: () => strengthJson(queries, options.seed),
    console: (theme) => strengthConsole(queries, theme),
  });
  if (options.write === true) for (const spec of specs) await close(spec, trial, io);
  const reached = strengthOf(
    queries.reduce((sum, { killed }) => sum + killed, 0),
    queries.reduce((sum, { survived }) => sum + survived, 0),
  );
  if (reached === null) return ExitCode.undecided;
  if (reached < (options.minStrength ?? 0)) return ExitCode.failed;
  return invalid.length > 0 ? ExitCode.undecided : ExitCode.passed;
}

/** Adds checks to the spec, which detect mutants that no check has detected so far. */
async function close(spec: CompiledSpec, trial: StrengthTrial, io: Io): Promise<void> {
  const { text, added } = trial.strengthened(spec, readFileSync(spec.file, "utf8"));
  if (added.length > 0) writeFileSync(spec.file, text);
  const keys = [...new Set(added.map(({ layer, check }) => `${layer}.${check}`))].join(", ");
  await write(
    io.stderr,
    added.length === 0
      ? `${spec.file} is unchanged: no further check detects a fault and passes all good runs\n`
      : `${spec.file}: ${counted(added.length, "check")} written (${keys})\n`,
  );
}
