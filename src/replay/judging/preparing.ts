import type { Findings } from "../../report/render/json/result.ts";
import type { Config } from "../../config/config.ts";
import type { JudgeMode } from "../../judge/settings.ts";
import {
  type Selection,
  missingQueries,
  selectQueries,
  type SpecQuery,
  unknownQueries,
} from "../../match/selection.ts";
import type { JudgeSpend } from "../../model/judge-spend.ts";
import { createAskingJudge, type JudgedRun, type JudgeRunOptions } from "../../pipeline/judge-run.ts";
import { type ExitOptions, type ExitRules, exitRules } from "../../report/render/tally/exit-code.ts";
import { type GatedQuery, gatesOf, sequentialGate } from "../../report/render/report/gated-groups.ts";
import type { KnownProblems } from "../../report/render/problems/known-problems.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { UserCheckRefusal } from "../../judge/user-checks/open-user-checks.ts";
import type { BaselineChoice, References } from "../baselines/references.ts";
import { type Io, UserError, write } from "../../support/process/io.ts";
import { type ConfigFlags, loadJudgingSpecs, loadSettings } from "../../config/command-settings.ts";
import type { Room } from "../findings/findings-list.ts";
import { Found } from "./found.ts";
import { type Replayed, replayIo, configFor } from "../replay.ts";
import { replayJudged, type RunSource } from "./replay-judged.ts";
import { ownsRun, type Shard } from "./shard.ts";
import type { AgentRun } from "../../model/run.ts";
import { version } from "../../support/process/version.ts";
import { today } from "./today.ts";
import { conversationIdle } from "./conversation-idle.ts";
import { openJudging } from "./judging.ts";

const MOST_SHOWN = 10;

/** Options of `test` for judging. */
export interface JudgingOptions extends ConfigFlags, ExitOptions {
  /** Spec files, folders or globs. If empty, the specs of the configuration are used. */
  readonly spec: readonly string[];
  /** Dumps of good runs, from whose common behaviour the spec is derived. */
  readonly like?: readonly string[];
  readonly query: readonly string[];
  readonly tags?: readonly string[];
  readonly judge?: JudgeMode;
  readonly sampleEnsemble?: number;
  /** Whether to judge only the queries that failed in the last test. */
  readonly lastFailed?: boolean;
  readonly baseline?: string;
  readonly baselineDir?: string;
  /** Whether gates are decided by a sequential test (`--runs auto`): the calls for a query end when its gate is decided. */
  readonly isSequential?: boolean;
  /** Part of the runs to judge. With a shard, the output is one part of a result; `tracejury merge` combines the parts. */
  readonly shard?: Shard;
  /** Memory limit for the findings of each kind, such as verdicts. */
  readonly room?: Room;
  /** Size in bytes above which dumps are first indexed and then read, so that memory stays constant and several threads can read them. */
  readonly longBytes?: number;
  readonly userCheckRefusal?: UserCheckRefusal;
}

/** Everything that `test` loads before it judges. */
export interface TestSetup {
  readonly config: Config;
  readonly specs: readonly CompiledSpec[];
  /** Spec files and the files that specs include; with `--like`, the dumps of this option. */
  readonly files: readonly string[];
  readonly selected: readonly SpecQuery[];
  readonly references: References;
  readonly gated: readonly GatedQuery[];
  readonly rules: ExitRules;
  /** Unreadable input among the dumps of `--like`. */
  readonly invalid: Replayed["invalid"];
}

/**
 * Loads the configuration, the specs, and the baselines that they name.
 * @param known saved result for `--fail-on new`; null if there is none
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
  await warnOfUnknownTags(specs, options.tags ?? [], io);
  const references = await referencesFor(specs, {
    baseline: options.baseline ?? config.baseline,
    baselineDir: options.baselineDir ?? config.baselineDir,
  });
  const gates = gatesOf(selected);
  const gated =
    options.isSequential === true
      ? gates.map((gate) => ({ ...gate, reliability: sequentialGate(gate.reliability) }))
      : gates;
  const rules = exitRules(options, known === null ? undefined : await problemsIn(known));
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
 * Opens the saved runs for comparison, if a spec or an option names a baseline. Otherwise returns no references, so that the schema of
 * verdicts need not be loaded.
 */
export async function referencesFor(
  specs: readonly CompiledSpec[],
  choice: BaselineChoice,
): Promise<References> {
  if (choice.baseline !== null || specs.some(({ baseline }) => baseline !== undefined))
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

/** Opens the storage for the findings of a test. The caller must close the storage. */
export function openFound(
  { specs, references, rules, gated }: TestSetup,
  { shard, room }: JudgingOptions,
  isOrdered = shard === undefined,
): Found {
  return new Found({ references, specs, rules: { known: rules.known, gated }, isOrdered, room });
}

/** Returns the findings about the selected queries. */
export function findingsOf(
  found: Found,
  { specs, selected, gated }: TestSetup,
  invalidInput: Findings["invalidInput"],
): Findings {
  return {
    ...found.findings(),
    version,
    specs: specs.map(({ file, hash, agent }) => ({ file, hash, agent })),
    queries: selected.length,
    missing: missingQueries(selected, found.matched).map(({ spec, query }) => ({
      queryId: query.id,
      query: query.text,
      spec: spec.name,
      source: query.source,
    })),
    invalidInput,
    gated,
  };
}

export interface JudgeOptions {
  readonly dumps?: readonly string[];
  readonly source?: RunSource | undefined;
  /** Receives each judged run, after it was added to `found`. */
  readonly onJudged?: ((judged: JudgedRun) => void) | undefined;
  readonly onJudgeCost?: ((costUsd: number | null) => void) | undefined;
  readonly onJudgeSpend?: ((spend: JudgeSpend) => void) | undefined;
  readonly today?: string;
  readonly io: Io;
}

/** Judges all runs of the dumps or of `source`; if the options have a shard, only the runs of the shard. */
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

interface JudgeDumpsOptions {
  readonly dumps: readonly string[];
  readonly config: Config;
  readonly specs: readonly CompiledSpec[];
  /** Value of `--judge`. Default: the mode in the configuration. */
  readonly mode: JudgeMode | undefined;
  /** Queries to judge. Default: all. */
  readonly selected?: ReadonlySet<CompiledQuery>;
  readonly sampleEnsemble?: number | undefined;
  readonly userCheckRefusal?: UserCheckRefusal | undefined;
  readonly reference?: JudgeRunOptions["reference"];
  readonly onJudged: (judged: JudgedRun) => void;
  /** Receives the cost of each call of a judge model in US dollars, to add up costs; null if unknown. */
  readonly onJudgeCost?: ((costUsd: number | null) => void) | undefined;
  /** Reports the cost and savings of judge models at the end. Not called if no model was needed. */
  readonly onJudgeSpend?: ((spend: JudgeSpend) => void) | undefined;
  readonly io: Io;
  readonly longBytes?: number | undefined;
  /** Date (`YYYY-MM-DD`) to use instead of today's. */
  readonly today?: string | undefined;
  readonly source?: RunSource | undefined;
  /** Returns true for a run to judge. If absent, all runs are judged. */
  readonly wanted?: (run: AgentRun) => boolean;
}

/**
 * Replays dumps and judges the selected runs. Calls judge models and the project's checks if the specs need them. Prints the warnings of
 * `openJudging` on stderr.
 */
export async function judgeDumps(options: JudgeDumpsOptions): Promise<Replayed> {
  const { dumps, config, specs, selected, reference, onJudged, onJudgeCost, io } = options;
  const judging = await openJudging({
    config,
    mode: options.mode,
    specs,
    ...(selected === undefined ? {} : { selected }),
    sampleEnsemble: options.sampleEnsemble ?? null,
    env: io.env,
    userCheckRefusal: options.userCheckRefusal,
    ...(onJudgeCost === undefined ? {} : { observe: ({ costUsd }) => onJudgeCost(costUsd) }),
  });
  const judge = createAskingJudge(
    {
      specs,
      judgeSkipPolicy: judging.judgeSkipPolicy,
      userChecks: judging.userChecks,
      engine: version,
      today: options.today === undefined ? today : () => options.today ?? "",
      ...(selected === undefined ? {} : { selected }),
      ...(reference === undefined ? {} : { reference }),
    },
    judging.asking,
  );
  const replayed = await replayJudged(dumps, {
    config: configFor(config, specs),
    ...replayIo(io),
    conversationIdleMs: conversationIdle(specs, config),
    judge,
    onJudged,
    longBytes: options.longBytes,
    source: options.source,
    wanted: options.wanted,
  });
  const spend = judging.spend();
  if (spend !== null) options.onJudgeSpend?.(spend);
  await judging.close();
  for (const warning of judging.warnings()) await write(io.stderr, `warning: ${warning}\n`);
  return replayed;
}

/**
 * Prints a warning for each value of `--tags` that no query has: if other values select queries, a typo would otherwise reduce the test
 * silently.
 */
async function warnOfUnknownTags(
  specs: readonly CompiledSpec[],
  tags: readonly string[],
  io: Io,
): Promise<void> {
  const known = new Set(specs.flatMap(({ queries }) => queries.flatMap((query) => query.tags)));
  const has = known.size === 0 ? "no query has tags" : `the queries have the tags ${shown([...known])}`;
  for (const tag of tags)
    if (!known.has(tag))
      await write(io.stderr, `warning: --tags: no query has the tag ${JSON.stringify(tag)}; ${has}\n`);
}

function shown(names: readonly string[]): string {
  return `${names.slice(0, MOST_SHOWN).join(", ")}${names.length > MOST_SHOWN ? ", …" : ""}`;
}

/**
 * Returns the queries that `--query` and `--tags` select.
 * @throws UserError if a value of `--query` selects no query; a typo would otherwise reduce the test silently
 */
export function chosenQueries(specs: readonly CompiledSpec[], selection: Selection): SpecQuery[] {
  const [unknown] = unknownQueries(specs, selection.queries);
  if (unknown === undefined) return selectQueries(specs, selection);
  const ids = specs.flatMap(({ queries }) => queries.map(({ id }) => id));
  throw new UserError(
    `--query: no query has the id or text ${JSON.stringify(unknown)}`,
    `available: ${shown(ids)}`,
  );
}
