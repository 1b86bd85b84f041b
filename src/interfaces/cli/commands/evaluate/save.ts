import { isVersionName, mostVariants, versionNameHint } from "../../../../report/baseline/file/baseline.ts";
import { normaliseText } from "../../../../match/rules/normalise.ts";
import { BaselineIndex } from "../../../../report/baseline/baseline-index.ts";
import { baselineJson } from "../../../../report/baseline/file/file-format.ts";
import { type RedactionRule, redactionRules } from "../../../../report/baseline/file/redact.ts";
import { foldAgentName } from "../../../../match/rules/agent-name.ts";
import { layers, outcomes } from "../../../../model/outcome.ts";
import type { Verdict } from "../../../../model/verdict.ts";
import type { JudgedRun } from "../../../../pipeline/judge-run.ts";
import { counted, printable } from "../../../../report/render/terminal/printable.ts";
import type { InvalidInput } from "../../../../report/render/json/result.ts";
import { ownOutcome } from "../../../../report/statistics/observation.ts";
import type { CompiledQuery, CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import { version as engine } from "../../../../support/process/version.ts";
import {
  baselineDir,
  baselineFile,
  readBaselines,
  writeBaseline,
} from "../../../../replay/baselines/files.ts";
import { openReferences } from "../../../../replay/baselines/references.ts";
import { shortPath } from "../../../../support/process/short-path.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadJudgingSpecs } from "../../../../config/command-settings.ts";
import { writeInvalid } from "../../../../replay/replay.ts";
import { chosenQueries, judgeDumps, type JudgingOptions } from "../../../../replay/judging/preparing.ts";

export interface SaveOptions
  extends ConfigFlags, Pick<JudgingOptions, "spec" | "query" | "tags" | "baselineDir" | "judge"> {
  readonly version: string;
  readonly agent?: string;
  readonly forceSave?: boolean;
  /** Whether to save the run as an additional accepted variant instead of replacing existing baselines. */
  readonly variant?: boolean;
  readonly redact: "none" | "secrets" | "all";
  readonly format: "console" | "json";
}

/** The best run of a query so far, which may be saved. */
interface Candidate {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  readonly verdict: Verdict;
  readonly runs: number;
  /** Number of runs of the query that failed. */
  readonly failed: number;
}

interface Saved {
  readonly query_id: string;
  readonly agent: string;
  readonly run_id: string;
  readonly outcome: string;
  readonly precheck_passed: boolean | null;
  /** Path of the saved file. Null if the run was not saved. */
  readonly file: string | null;
  readonly note: string;
  /** Whether the run fails its query. A run can fail even if its correctness passes, for example because it called a forbidden tool. */
  readonly isFailed: boolean;
}

/**
 * Saves the best run of each query as a baseline. Without `--force`, a run is not saved if its correctness failed (exit code 1) or is
 * unknown (exit code 2). The exit code is also 2 if nothing was saved, or if a part of the input is unreadable.
 */
export async function save(dumps: readonly string[], options: SaveOptions, io: Io): Promise<ExitCode> {
  if (!isVersionName(options.version)) {
    throw new UserError(`--version ${options.version} is not a valid name of a version`, versionNameHint);
  }
  const { config } = await loadSettings(options, io);
  const dir = options.baselineDir ?? config.baselineDir;
  const specs = (await loadJudgingSpecs(options.spec, io, config)).filter(
    ({ agent }) =>
      options.agent === undefined || agent === "*" || foldAgentName(agent) === foldAgentName(options.agent),
  );
  const selected = chosenQueries(specs, { queries: options.query, tags: options.tags ?? [] });
  if (selected.length === 0)
    throw new UserError("no query matches the selection", "check --query, --tags and --agent");
  const candidates = new Map<CompiledQuery, Candidate>();
  const onJudged = (judged: JudgedRun): void => {
    for (const [at, verdict] of judged.verdicts.entries()) {
      const query = judged.matched[at];
      const spec = specs.find((one) => query !== undefined && one.queries.includes(query));
      if (query === undefined || spec === undefined) continue;
      candidates.set(
        query,
        better(candidates.get(query), { spec, query, verdict, runs: 1, failed: isFailed(verdict) ? 1 : 0 }),
      );
    }
  };
  const { invalid } = await judgeDumps({
    dumps,
    config,
    specs,
    mode: options.judge,
    selected: new Set(selected.map(({ query }) => query)),
    reference: openReferences(specs, { baseline: null, baselineDir: dir }).reference,
    onJudged,
    io,
  });
  const texts = new Map<string, string>();
  const saved = selected.flatMap(({ query }) => {
    const candidate = candidates.get(query);
    return candidate === undefined ? [] : [saveOne(candidate, dir, options, texts)];
  });
  const without = selected.filter(({ query }) => !candidates.has(query)).map(({ query }) => query.id);
  await tell(saved, without, invalid, options, io);
  return exitCode(saved, invalid);
}

/**
 * Returns the run with the better outcome, ignoring `expected_fail`. If the outcomes are equal, returns the
 * earlier run.
 */
function better(known: Candidate | undefined, next: Candidate): Candidate {
  if (known === undefined) return next;
  const rank = ({ verdict }: Candidate): number => {
    const outcome = ownOutcome(verdict.outcome, verdict.expectedFail === true);
    return outcomes.indexOf(outcome === "skip" ? "pass" : outcome);
  };
  const earlier = next.verdict.run.startUnixMs < known.verdict.run.startUnixMs;
  const wins = rank(next) > rank(known) || (rank(next) === rank(known) && earlier);
  return { ...(wins ? next : known), runs: known.runs + 1, failed: known.failed + next.failed };
}

/**
 * @param givenDir folder of baselines; if undefined, the baseline folder of the spec
 * @param texts query texts of the files that this call has saved. Queries of two specs for one agent share a file if they have the same id
 */
function saveOne(
  { spec, query, verdict, runs, failed }: Candidate,
  givenDir: string | null,
  options: SaveOptions,
  texts: Map<string, string>,
): Saved {
  const { run } = verdict;
  const agent = spec.agent === "*" ? (run.agent ?? run.service ?? "any") : spec.agent;
  const precheck = precheckOf(verdict);
  const common = {
    query_id: query.id,
    agent,
    run_id: run.runId,
    outcome: verdict.outcome,
    precheck_passed: precheck,
    isFailed: isFailed(verdict),
  };
  if (precheck !== true && options.forceSave !== true) {
    const why = precheck === false ? "correctness fails" : "correctness is unknown";
    const remedy = verdict.layers.correctness.checks.find((check) => check.remedy !== null)?.remedy;
    const reason = `${verdict.layers.correctness.reason}${remedy === undefined ? "" : `: ${remedy}`}`;
    return {
      ...common,
      file: null,
      note: `refused: ${why}: ${reason} (to save it anyway, add --force-save)`,
    };
  }
  const dir = baselineDir(spec, givenDir);
  const variant = options.variant === true ? nextVariant(dir, spec, query, options.version) : 1;
  const file = baselineFile(dir, { agent, queryId: query.id, version: options.version, variant });
  const text = normaliseText(query.text);
  const other = texts.get(file);
  if (other !== undefined && other !== text) {
    const note = `refused: another query of this agent has the same id, and its run was saved as ${file}: give one of the queries another id`;
    return { ...common, file: null, note };
  }
  texts.set(file, text);
  const before = writeBaseline(
    dir,
    file,
    baselineJson(verdict, {
      version: options.version,
      variant,
      agent,
      query: query.text,
      capturedAt: new Date().toISOString(),
      precheckPassed: precheck,
      engine,
      redaction: redactionOf(options.redact),
    }),
  );
  const notes = [
    before === "replaced" ? "replaced" : "",
    variant > 1 ? `variant ${variant}` : "",
    runs > 1 ? `the best of ${counted(runs, "run")}${failed > 0 ? `, of which ${failed} failed` : ""}` : "",
    precheck === true && isFailed(verdict) ? `saved although the run fails: ${failureOf(verdict)}` : "",
  ];
  return { ...common, file, note: notes.filter((note) => note !== "").join(", ") };
}

function isFailed({ outcome, expectedFail }: Verdict): boolean {
  return ownOutcome(outcome, expectedFail === true) === "fail";
}

/**
 * Returns the reasons of the failed layers. If no layer failed, returns the reasons of the layers that warn.
 */
function failureOf({ layers: byName }: Verdict): string {
  const bad = layers
    .map((layer) => byName[layer])
    .filter(({ outcome }) => outcome === "fail" || outcome === "warn");
  const failing = bad.filter(({ outcome }) => outcome === "fail");
  return (failing.length > 0 ? failing : bad).map(({ reason }) => reason).join("; ");
}

/** Whether the run passes in correctness; null if this is unknown. Returns true if the query has no checks of correctness. */
function precheckOf({ layers: { correctness } }: Verdict): boolean | null {
  if (correctness.outcome === "fail") return false;
  if (correctness.checks.some(({ expectedFail }) => expectedFail === true)) return false;
  return correctness.outcome === "incomplete" || correctness.outcome === "error" ? null : true;
}

/** Returns the lowest variant number that has no saved file. */
function nextVariant(dir: string, spec: CompiledSpec, query: CompiledQuery, version: string): number {
  const known = new BaselineIndex(readBaselines(dir).entries).find(spec, query, version);
  const taken = new Set(known.map(({ baseline }) => baseline.variant));
  for (let variant = 1; variant <= mostVariants; variant++) if (!taken.has(variant)) return variant;
  throw new UserError(
    `${version} of ${query.id} has ${mostVariants} variants already`,
    "delete one of its files, or save a new version",
  );
}

function redactionOf(choice: SaveOptions["redact"]): readonly RedactionRule[] {
  return choice === "none" ? [] : choice === "secrets" ? ["secrets"] : redactionRules;
}

const MOST_NAMED = 10;

async function tell(
  saved: readonly Saved[],
  without: readonly string[],
  invalid: readonly InvalidInput[],
  { format, version }: SaveOptions,
  io: Io,
): Promise<void> {
  await writeInvalid(io, invalid, "warning: ");
  if (saved.length === 0)
    await write(io.stderr, "nothing saved: no run of any selected query in the input\n");
  if (format === "json") {
    await write(
      io.stdout,
      `${JSON.stringify({ format_version: 1, version, saved: saved.map(savedJson) })}\n`,
    );
    return;
  }
  for (const { query_id, file, note, isFailed: fails } of saved) {
    const more = note === "" ? "" : ` (${printable(note, 400)})`;
    await write(
      io.stdout,
      file === null
        ? `✗ ${query_id}: ${printable(note, 400)}\n`
        : `${fails ? "▲" : "✓"} ${query_id} → ${shortPath(file, io.cwd)}${more}\n`,
    );
  }
  if (saved.length > 0 && without.length > 0) {
    const named = without.slice(0, MOST_NAMED).map((id) => printable(id, 48));
    const rest = without.length - named.length;
    const names = `${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    await write(
      io.stderr,
      `${counted(without.length, "query", "queries")} not saved, because the input has no run of them: ${names}\n`,
    );
  }
}

function savedJson(saved: Saved): object {
  const { isFailed: _, ...json } = saved;
  return json;
}

function exitCode(saved: readonly Saved[], invalid: readonly InvalidInput[]): ExitCode {
  const refused = saved.filter(({ file }) => file === null);
  if (refused.some(({ precheck_passed: passed }) => passed === false)) return ExitCode.failed;
  return refused.length > 0 || saved.length === 0 || invalid.length > 0
    ? ExitCode.undecided
    : ExitCode.passed;
}
