import { foldAgentName } from "../../../../match/rules/agent-name.ts";
import { isVersionName } from "../../../../report/baseline/file/baseline.ts";
import type { BaselineEntry } from "../../../../report/baseline/baseline-index.ts";
import { baselinesConsole, baselinesJson } from "../../../../report/render/commands/baselines.ts";
import { colourTheme, plainTheme } from "../../../../report/render/terminal/theme.ts";
import { baselineDir, readBaselines } from "../../../../replay/baselines/files.ts";
import { ExitCode, UserError } from "../../../../support/process/exit-code.ts";
import { type Io, wantsColour, write } from "../../../../support/process/io.ts";
import { loadSpecs } from "../../../../config/command-settings.ts";

export interface BaselinesOptions {
  readonly agent?: string;
  readonly version?: string;
  readonly spec: readonly string[];
  readonly baselineDir?: string;
  readonly format: "console" | "json";
}

/** Lists saved baselines. Exit code 0, also when there is none; 2 when a file cannot be read. */
export async function baselines(options: BaselinesOptions, io: Io): Promise<ExitCode> {
  if (options.version !== undefined && !isVersionName(options.version)) {
    throw new UserError(`--version ${options.version} is no name for a version`);
  }
  const dirs = await baselineDirs(options, io);
  const read = dirs.map(readBaselines);
  const problems = read.flatMap((one) => one.problems);
  const found = read.flatMap(({ entries }) => entries).filter((entry) => isWanted(entry, options));
  for (const problem of problems) await write(io.stderr, `warning: ${problem}\n`);
  const theme = wantsColour(io.stdout, io.env) ? colourTheme : plainTheme;
  await write(
    io.stdout,
    options.format === "json" ? `${JSON.stringify(baselinesJson(found))}\n` : baselinesConsole(found, theme),
  );
  if (found.length === 0) await write(io.stderr, `no baselines in ${dirs.join(", ")}\n`);
  return problems.length > 0 ? ExitCode.couldNotTell : ExitCode.passed;
}

/** Folders to look in: `--baseline-dir`, else those of the specs, else ./baselines. */
export async function baselineDirs(
  options: Pick<BaselinesOptions, "spec" | "baselineDir">,
  io: Io,
): Promise<readonly string[]> {
  if (options.baselineDir !== undefined) return [options.baselineDir];
  if (options.spec.length === 0) return ["baselines"];
  const specs = await loadSpecs(options.spec, io);
  return [...new Set(specs.map((spec) => baselineDir(spec, undefined)))];
}

function isWanted({ baseline }: BaselineEntry, { agent, version }: BaselinesOptions): boolean {
  const ofAgent = agent === undefined || foldAgentName(agent) === foldAgentName(baseline.agent);
  return ofAgent && (version === undefined || baseline.version === version);
}
