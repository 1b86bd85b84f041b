import { printReport } from "../../../../replay/reports/print-report.ts";
import type { CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import { foldAgentName } from "../../../../match/rules/agent-name.ts";
import { isVersionName, versionNameHint } from "../../../../report/baseline/file/baseline.ts";
import type { BaselineEntry } from "../../../../report/baseline/baseline-index.ts";
import { baselinesConsole, baselinesJson } from "../../../../report/render/commands/baselines.ts";
import { baselineDir, readBaselines } from "../../../../replay/baselines/files.ts";
import type { Config } from "../../../../config/config.ts";
import { fitsNothingYet } from "../../../../config/find/find-specs.ts";
import { shortPath } from "../../../../support/process/short-path.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../../../../config/command-settings.ts";

export interface BaselinesOptions extends ConfigFlags {
  readonly agent?: string;
  readonly version?: string;
  readonly spec: readonly string[];
  readonly baselineDir?: string;
  readonly format: "console" | "json";
}

/** Lists saved baselines. Returns exit code 2 if a file cannot be read, otherwise 0. */
export async function baselines(options: BaselinesOptions, io: Io): Promise<ExitCode> {
  if (options.version !== undefined && !isVersionName(options.version)) {
    throw new UserError(`--version ${options.version} is not a valid name of a version`, versionNameHint);
  }
  const { config } = await loadSettings(options, io);
  const specs = await specsOrConfigured(options.spec, config, io);
  const dirs = baselineDirs(options.baselineDir ?? config.baselineDir, specs);
  const read = dirs.map(readBaselines);
  const problems = read.flatMap((one) => one.problems);
  const found = read.flatMap(({ entries }) => entries).filter((entry) => isWanted(entry, options));
  for (const problem of problems) await write(io.stderr, `warning: ${problem}\n`);
  await printReport(io, options.format, {
    json: () => baselinesJson(found),
    console: (theme) =>
      baselinesConsole(
        found.map((entry) => ({ ...entry, file: shortPath(entry.file, io.cwd) })),
        theme,
      ),
  });
  if (found.length === 0) await write(io.stderr, `no baselines in ${dirs.join(", ")}\n`);
  return problems.length > 0 ? ExitCode.undecided : ExitCode.passed;
}

/** Returns the named specs. Without names, returns the configured specs that exist. */
export async function specsOrConfigured(
  named: readonly string[],
  config: Config,
  io: Io,
): Promise<readonly CompiledSpec[]> {
  const values = named.length > 0 ? named : config.specs.filter((value) => !fitsNothingYet(value, io.cwd));
  return values.length === 0 ? [] : await loadSpecs(values, io, config);
}

/**
 * Returns the folders of baselines.
 * @param written folder of `--baseline-dir` or of the configuration. If null, the result is the folders that the specs name, or
 * `./baselines` if there are no specs
 */
export function baselineDirs(written: string | null, specs: readonly CompiledSpec[]): readonly string[] {
  if (written !== null) return [written];
  if (specs.length === 0) return ["baselines"];
  return [...new Set(specs.map((spec) => baselineDir(spec, null)))];
}

function isWanted({ baseline }: BaselineEntry, { agent, version }: BaselinesOptions): boolean {
  const ofAgent = agent === undefined || foldAgentName(agent) === foldAgentName(baseline.agent);
  return ofAgent && (version === undefined || baseline.version === version);
}
