import type { Config } from "../../config/config.ts";
import type { JudgeMode } from "../../judge/settings.ts";
import type { SpecQuery } from "../../match/selection.ts";
import type { JudgeSpend } from "../../model/judge-spend.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import type { ExitRules, Relaxation } from "../../report/render/tally/exit-code.ts";
import { type GatedQuery, isOpenQuery, sequentialGate } from "../../report/render/report/gated-groups.ts";
import type { KnownProblems } from "../../report/render/problems/known-problems.ts";
import type { Reliability } from "../../evaluate/query/blocks.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { UserCheckRefusal } from "../../judge/user-checks/open-user-checks.ts";
import type { BaselineChoice, References } from "../baselines/references.ts";
import { chosenQueries } from "./chosen-queries.ts";
import { type Io, UserError } from "../../support/process/io.ts";
import { type ConfigFlags, loadJudgingSpecs, loadSettings } from "../../config/command-settings.ts";
import type { Room } from "../findings/findings-list.ts";
import { Found } from "./found.ts";
import { judgeDumps } from "./judge-dumps.ts";
import type { Replayed } from "../replay.ts";
import type { RunSource } from "./replay-judged.ts";
import { ownsRun, type Shard } from "./shard.ts";

/** Options of `test` for judging. */
export interface JudgingOptions extends ConfigFlags {
  /** Spec files, folders or globs. If empty, the specs of the configuration are used. */
  readonly spec: readonly string[];
  /** Dumps of good runs, from whose common behaviour the spec is derived. */
  readonly like?: readonly string[];
  readonly query: readonly string[];
  readonly tags?: readonly string[];
  readonly judge?: JudgeMode;
  readonly sampleEnsemble?: number;
  readonly onIncomplete: Relaxation;
  readonly onMissing: Relaxation;
  readonly failOn?: "warn" | "regression" | "new";
  /** Whether to judge only the queries that failed in the last test. */
  readonly lastFailed?: boolean;
  readonly baseline?: string;
  readonly baselineDir?: string;
  readonly skipInvalid?: boolean;
  /** Whether the exit code is 0 instead of 2 if there is nothing to judge. */
  readonly allowEmpty?: boolean;
  /** Whether the calls for a query end when its gate is decided by a sequential test. */
  readonly isSequential?: boolean;
  /** Part of the runs to judge. With a shard, the output is a part for `tracejury merge`. */
  readonly shard?: Shard;
  /** Memory limit for findings of each kind. */
  readonly room?: Room;
  /** Size in bytes above which dumps are read twice, so that memory stays constant and several threads can read them. */
  readonly longBytes?: number;
  readonly userCheckRefusal?: UserCheckRefusal;
}

/** Everything that `test` loads before it judges. */
export interface TestSetup {
  readonly config: Config;
  readonly specs: readonly CompiledSpec[];
  /** Spec files, and the files that specs include. */
  readonly files: readonly string[];
  readonly selected: readonly SpecQuery[];
  readonly references: References;
  readonly gated: readonly GatedQuery[];
  readonly rules: ExitRules;
  /** Unreadable input among the dumps of `--like`. */
  readonly invalid: Replayed["invalid"];
}

/**
 * Loads specs, judge models and baselines.
 * @param known saved result for `--fail-on new`, if any
 * @throws UserError for errors in the configuration or specs
 */
export async function prepare(options: JudgingOptions, known: string | null, io: Io): Promise<TestSetup> {
  const { config } = await loadSettings(options, io);
  const { specs, files, invalid } = await specsFor(options, config, io);
  const among =
    options.lastFailed === true
      ? (await import("../reports/last-failed.ts")).readLastFailed(config.dataDir)
      : undefined;
  const selected = chosenQueries(specs, { queries: options.query, tags: options.tags ?? [] }).filter(
    ({ spec, query }) => among === undefined || among.has(spec.name, query.id),
  );
  const references = await referencesFor(specs, {
    version: options.baseline ?? config.baseline ?? undefined,
    dir: options.baselineDir ?? config.baselineDir ?? undefined,
  });
  const gateOf = (written: Reliability): Reliability =>
    options.isSequential === true ? sequentialGate(written) : written;
  // A query with `expected_fail` has no gate, because the gate would hide an unexpected pass.
  const gated = selected.flatMap(({ spec, query }) => {
    const { id, reliability, expectedFail } = query;
    if (reliability === undefined || expectedFail !== undefined) return [];
    const isOpen = isOpenQuery(query);
    return [
      { spec: spec.name, queryId: id, reliability: gateOf(reliability), ...(isOpen ? { isOpen } : {}) },
    ];
  });
  const rules: ExitRules = {
    onIncomplete: options.onIncomplete,
    onMissing: options.onMissing,
    failOnWarn: options.failOn === "warn",
    failOnRegression: options.failOn === "regression",
    ...(known === null ? {} : { known: await problemsIn(known) }),
    skipInvalid: options.skipInvalid === true,
    allowEmpty: options.allowEmpty === true,
  };
  return { config, specs, files, selected, references, gated, rules, invalid };
}

/** Returns the specs and the files that they were read from. */
async function specsFor(
  { spec, like = [] }: JudgingOptions,
  config: Config,
  io: Io,
): Promise<Pick<TestSetup, "specs" | "files" | "invalid">> {
  if (like.length > 0) {
    if (spec.length > 0)
      throw new UserError(
        "--like and --spec cannot be combined: --like derives a spec from good runs",
        "use only one of the two options",
      );
    return { ...(await (await import("./like-specs.ts")).likeSpecs(like, config, io)), files: like };
  }
  const files: string[] = [];
  const specs = await loadJudgingSpecs(spec, io, config, (file) => files.push(file));
  return { specs, files, invalid: [] };
}

/**
 * Opens the saved runs for comparison, if a spec or an option names a baseline. Without a baseline, the schema of verdicts is not loaded.
 */
export async function referencesFor(
  specs: readonly CompiledSpec[],
  choice: BaselineChoice,
): Promise<References> {
  if (choice.version !== undefined || specs.some(({ baseline }) => baseline !== undefined))
    return (await import("../baselines/references.ts")).openReferences(specs, choice);
  return {
    problems: [],
    reference: () => ({ missing: "not-asked", version: null }),
    compare: () => null,
  };
}

/** Returns the problems in a saved result. Loads the schema of results only when needed. */
async function problemsIn(file: string): Promise<KnownProblems> {
  const { readResult } = await import("../reports/result-files.ts");
  const { knownProblems } = await import("../../report/render/problems/known-problems.ts");
  return knownProblems(readResult(file));
}

/** The caller must close the storage. */
export function openFound(
  { specs, references, rules, gated }: TestSetup,
  { shard, room }: JudgingOptions,
  isOrdered = shard === undefined,
): Found {
  return new Found({ references, specs, rules: { known: rules.known, gated }, isOrdered, room });
}

export interface JudgeOptions {
  readonly dumps?: readonly string[];
  readonly source?: RunSource | undefined;
  /** Called with each judged run, after it was added to `found`. */
  readonly onJudged?: ((judged: JudgedRun) => void) | undefined;
  readonly onJudgeCost?: ((costUsd: number | null) => void) | undefined;
  readonly onJudgeSpend?: ((spend: JudgeSpend) => void) | undefined;
  readonly today?: string;
  readonly io: Io;
}

/** Judges all runs of the dumps; with a shard, only the runs of the shard. */
export async function judgeInto(
  found: Found,
  { config, specs, selected, references }: TestSetup,
  { judge, sampleEnsemble, shard, longBytes, userCheckRefusal }: JudgingOptions,
  { dumps = [], onJudged, ...given }: JudgeOptions,
): Promise<Replayed> {
  return judgeDumps({
    ...given,
    dumps,
    config,
    specs,
    longBytes,
    mode: judge,
    selected: new Set(selected.map(({ query }) => query)),
    sampleEnsemble,
    userCheckRefusal,
    reference: references.reference,
    onJudged: (judged) => {
      found.add(judged);
      onJudged?.(judged);
    },
    wanted: (run) => {
      found.seen++;
      return shard === undefined || ownsRun(shard, run);
    },
  });
}
