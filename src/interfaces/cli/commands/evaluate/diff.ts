import { printReport } from "../../../../replay/reports/print-report.ts";
import { statSync } from "node:fs";
import { type BaselineEntry, BaselineIndex } from "../../../../report/baseline/baseline-index.ts";
import { diffExit, diffVersions } from "../../../../report/baseline/diff.ts";
import { baselineJson, readBaseline } from "../../../../report/baseline/file/file-format.ts";
import { foldAgentName } from "../../../../match/rules/agent-name.ts";
import type { Verdict } from "../../../../model/verdict.ts";
import { counted } from "../../../../report/render/terminal/printable.ts";
import { diffConsole } from "../../../../report/render/diff/diff-console.ts";
import { diffGithub } from "../../../../report/render/diff/diff-github.ts";
import { diffJson } from "../../../../report/render/json/diff-json.ts";
import { diffMarkdown } from "../../../../report/render/diff/diff-markdown.ts";
import { withoutCommands } from "../../../../report/render/formats/workflow-command.ts";
import type { CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import { version as engine } from "../../../../support/process/version.ts";
import { readBaselineFile, readBaselines } from "../../../../replay/baselines/files.ts";
import { type ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import type { Config } from "../../../../config/config.ts";
import { type ConfigFlags, loadSettings, loadSpecs } from "../../../../config/command-settings.ts";
import { baselineDirs, specsOrConfigured } from "./baselines.ts";
import { writeInvalid } from "../../../../replay/replay.ts";
import { chosenQueries, judgeDumps, type JudgingOptions } from "../../../../replay/judging/preparing.ts";

export interface DiffOptions
  extends ConfigFlags, Pick<JudgingOptions, "spec" | "query" | "baselineDir" | "judge" | "skipInvalid"> {
  /** The older side of the comparison: a version, a baseline file, or a dump. */
  readonly baseline: string;
  readonly compare: string;
  readonly agent?: string;
  readonly failOn: "regression" | "warn" | "any";
  readonly format: "console" | "json" | "github" | "markdown";
}

/** Options of `diff`, with the loaded configuration. */
interface DiffRequest extends DiffOptions {
  readonly settings: Config;
  readonly unread: Unread;
}

/** Number of unreadable inputs, and number of ambiguous runs. Neither can be compared. */
interface Unread {
  invalid: number;
  ambiguous: number;
}

/**
 * Compares two saved versions, query by query. Returns exit code 1 for a regression, or for another difference that `--fail-on` names.
 * Otherwise returns 2 if the comparison is incomplete: there is nothing to compare, a query is undecided or has no newer run, a run matches
 * several queries, or input is unreadable without `--skip-invalid`.
 */
export async function diff(options: DiffOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await selectedSpecs(options, config, io);
  const configured = specs.length > 0 ? specs : await specsOrConfigured([], config, io);
  const dirs = baselineDirs(options.baselineDir ?? config.baselineDir, configured);
  const read = dirs.map(readBaselines);
  const problems = read.flatMap((one) => one.problems);
  for (const problem of problems) await write(io.stderr, `warning: ${problem}\n`);
  const index = new BaselineIndex(read.flatMap(({ entries }) => entries));
  // If one of the sides is a saved version, an unreadable baseline file may belong to it.
  const usesSaved = [options.baseline, options.compare].some((label) => index.of(label).length > 0);
  const unread: Unread = { invalid: usesSaved ? problems.length : 0, ambiguous: 0 };
  const entriesOf = async (label: string): Promise<readonly BaselineEntry[]> =>
    (await resolve(label, index, dirs, configured, { ...options, settings: config, unread }, io)).filter(
      ({ baseline }) => isWanted(baseline, options),
    );
  const labels = { baseline: options.baseline, compare: options.compare };
  const report = diffVersions(
    labels,
    await entriesOf(options.baseline),
    await entriesOf(options.compare),
    specs,
  );
  const { invalid, ambiguous } = unread;
  const code = diffExit(report, options.failOn, ambiguous + (options.skipInvalid === true ? 0 : invalid));
  if (ambiguous > 0)
    await write(io.stderr, `${counted(ambiguous, "run")} not compared, because they match several queries\n`);
  await printReport(io, options.format, {
    json: () => diffJson(report, code),
    github: () => diffGithub(report, code),
    markdown: () => diffMarkdown(report, code),
    console: (theme) => withoutCommands(diffConsole(report, code, theme)),
  });
  if (io.env["GITHUB_ACTIONS"] === "true" && options.format !== "github") {
    await write(io.stderr, diffGithub(report, code));
  }
  return code;
}

async function selectedSpecs(
  { spec, query }: DiffOptions,
  config: Config,
  io: Io,
): Promise<readonly CompiledSpec[]> {
  if (spec.length === 0) {
    if (query.length > 0)
      throw new UserError("--query needs the spec that contains the query", "add --spec FILE");
    return [];
  }
  const specs = await loadSpecs(spec, io, config);
  const selected = new Set(chosenQueries(specs, { queries: query, tags: [] }).map((one) => one.query));
  return specs.map((one) => ({ ...one, queries: one.queries.filter((own) => selected.has(own)) }));
}

function isWanted({ agent }: BaselineEntry["baseline"], { agent: wanted }: DiffOptions): boolean {
  return wanted === undefined || foldAgentName(wanted) === foldAgentName(agent);
}

async function resolve(
  label: string,
  index: BaselineIndex,
  dirs: readonly string[],
  specs: readonly CompiledSpec[],
  options: DiffRequest,
  io: Io,
): Promise<readonly BaselineEntry[]> {
  const saved = index.of(label);
  if (saved.length > 0) return saved;
  if (statSync(label, { throwIfNoEntry: false }) === undefined) {
    const known = index.versions();
    throw new UserError(
      `there is no version ${label} in ${dirs.join(", ")}, and no file of that name`,
      known.length > 0
        ? `versions there: ${known.slice(0, 20).join(", ")}`
        : "save the version with `tracejury save`, or name the folder with --baseline-dir or the spec with --spec",
    );
  }
  const entry = label.endsWith(".json") ? readBaselineFile(label) : "";
  if (typeof entry !== "string") return [entry];
  return judged(label, specs, options, io);
}

/** Judges the runs of a dump, and returns them in the form of saved runs. */
async function judged(
  dump: string,
  specs: readonly CompiledSpec[],
  options: DiffRequest,
  io: Io,
): Promise<readonly BaselineEntry[]> {
  if (specs.length === 0)
    throw new UserError(`${dump} is a dump, and comparing dumps needs a spec`, "add --spec FILE");
  const entries: BaselineEntry[] = [];
  const add = (verdict: Verdict): void => {
    const { run } = verdict;
    const saving = {
      version: dump,
      variant: 1,
      agent: verdict.specAgent === "*" ? (run.agent ?? run.service ?? "any") : verdict.specAgent,
      query: run.query ?? verdict.queryId,
      capturedAt: "",
      precheckPassed: null,
      engine,
      redaction: [],
    };
    const baseline = readBaseline(JSON.stringify(baselineJson(verdict, saving)), dump);
    if (typeof baseline !== "string") entries.push({ file: dump, baseline });
  };
  const { invalid } = await judgeDumps({
    dumps: [dump],
    config: options.settings,
    specs,
    mode: options.judge,
    onJudged: ({ verdicts, ambiguous }) => {
      verdicts.forEach(add);
      if (ambiguous.length > 0) options.unread.ambiguous++;
    },
    io,
  });
  options.unread.invalid += invalid.length;
  await writeInvalid(io, invalid, "warning: ");
  return entries.sort((a, b) => a.baseline.run.startUnixMs - b.baseline.run.startUnixMs);
}
