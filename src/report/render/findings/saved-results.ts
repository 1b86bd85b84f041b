import type { Difference } from "../../baseline/differences/difference.ts";
import { addSpends, type JudgeSpend } from "../../../model/judge-spend.ts";
import { addSavings, type PlaybackSaving } from "../../../model/playback.ts";
import { worse } from "../../../model/outcome.ts";
import { reliabilitySchema } from "../../../evaluate/query/blocks.ts";
import type { GatedQuery } from "../report/gated-groups.ts";
import { specNames } from "../../../spec/spec-names.ts";
import type { ComparedRun, ReportedRun, ReportedVerdict } from "./reported.ts";
import type { Findings } from "../json/result.ts";
import type { ResultJson, VerdictJson } from "../../json/verdict-schema.ts";

/**
 * Sort position of the first run from saved results, in milliseconds. These runs keep their order and come
 * after all other runs, because saved results of older versions lack start times.
 */
const AFTER_ALL_DATES = 9e15;

/**
 * Joins saved test results, such as those of several CI jobs. If results contain several revisions of a
 * verdict, the newest is used. A query is missing if no result has a verdict of the query. Returns an error
 * message if the results were made with different versions of a spec, or with different specs of one name.
 */
export function joinResults(results: readonly ResultJson[]): Findings | string {
  const specs = distinct(results.flatMap((result) => result.specs));
  const other = specs.find(({ file, hash }) => specs.some((one) => one.file === file && one.hash !== hash));
  if (other !== undefined) return `${other.file} differs between the results`;
  const twice = sharedName(results);
  if (twice !== undefined) return twice;
  const verdicts = newest(results.flatMap((result) => result.verdicts));
  const compared = comparisons(results);
  const judgedQueries = new Set(verdicts.map((one) => JSON.stringify([one.spec, one.query_id])));
  const missing = distinct(results.flatMap((result) => result.missing)).filter(
    ({ spec, query_id: id }) => !judgedQueries.has(JSON.stringify([spec, id])),
  );
  const calls = distinct(results.flatMap((result) => result.agent_calls ?? []));
  return {
    version: results[0]?.tool.version ?? "",
    specs,
    runs: countRuns(results),
    queries: judgedQueries.size + missing.length,
    verdicts: verdicts.map((verdict, at) => savedVerdict(verdict, at, compared(verdict))),
    missing: missing.map(({ query_id: queryId, query, spec }) => ({ queryId, query, spec })),
    unmatched: unmatchedByAll(results).map((run, at) => savedRun({ ...run, candidates: [] }, at)),
    ambiguous: distinct(results.flatMap((result) => result.ambiguous)).map((run, at) =>
      savedRun({ ...run, reason: "" }, at),
    ),
    invalidInput: distinct(results.flatMap((result) => result.invalid_input)),
    gated: distinct(results.flatMap(savedGates)),
    ...(calls.length === 0 ? {} : { agentCalls: calls }),
    ...spendOf(results.map(({ judging }) => judging)),
    ...savingOf(results.map(({ models }) => models)),
  };
}

/** Returns an error message if different specs have the same name, because verdicts contain only the name. */
function sharedName(results: readonly ResultJson[]): string | undefined {
  const known = new Map<string, ResultJson["specs"][number]>();
  for (const { specs } of results) {
    const names = specNames(specs.map(({ file }) => file));
    for (const spec of specs) {
      const name = names.get(spec.file) ?? spec.file;
      const other = known.get(name) ?? spec;
      if (other.hash !== spec.hash)
        return `the specs ${other.file} and ${spec.file} have the same name: judge them in one test, or rename one`;
      known.set(name, spec);
    }
  }
  return undefined;
}

/** Returns the reliability limits of all queries in a result. Queries without a run are included. */
export function savedGates({ groups, missing }: ResultJson): GatedQuery[] {
  return [...groups, ...missing].flatMap(({ spec, query_id: queryId, reliability }) => {
    const read = reliabilitySchema.safeParse(reliability);
    return read.success ? [{ spec, queryId, reliability: read.data }] : [];
  });
}

/** Returns the sum of the costs of the judges. Returns an empty object if no cost is known. */
export function spendOf(spends: readonly (JudgeSpend | undefined)[]): Pick<Findings, "judging"> {
  const known = spends.filter((spend) => spend !== undefined);
  return known.length === 0 ? {} : { judging: known.reduce(addSpends) };
}

/**
 * Returns the sum of the model costs saved by recorded answers. Returns an empty object if no saving is
 * known.
 */
function savingOf(savings: readonly (PlaybackSaving | undefined)[]): Pick<Findings, "models"> {
  const known = savings.filter((saving) => saving !== undefined);
  return known.length === 0 ? {} : { models: known.reduce(addSavings) };
}

/** Returns, without duplicates, the runs that match no query in any of the results. */
function unmatchedByAll(results: readonly ResultJson[]): ResultJson["unmatched"] {
  const claimed = new Set(results.flatMap(({ verdicts, ambiguous }) => runIdsOf({ verdicts, ambiguous })));
  const runs = new Map(
    results.flatMap(({ unmatched }) => unmatched.map((run) => [run.run_id, run] as const)),
  );
  return [...runs.values()].filter((run) => !claimed.has(run.run_id));
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/**
 * Returns the newest revision of each verdict. If revisions are equal, the verdict with the worse outcome is
 * returned.
 */
function newest(verdicts: readonly VerdictJson[]): VerdictJson[] {
  const found = new Map<string, VerdictJson>();
  for (const verdict of verdicts) {
    const known = found.get(verdict.verdict_id);
    if (known === undefined || isNewer(verdict, known)) found.set(verdict.verdict_id, verdict);
  }
  return [...found.values()];
}

/**
 * Whether `one` replaces `other`, a verdict with the same id. A later revision replaces an earlier revision.
 * If the revisions are equal, the worse outcome replaces the better outcome.
 */
export function isNewer(one: VerdictJson, other: VerdictJson): boolean {
  if (one.revision !== other.revision) return one.revision > other.revision;
  return one.outcome !== other.outcome && worse(one.outcome, other.outcome) === one.outcome;
}

/**
 * Returns a function that gives the comparison of a verdict's run with its saved run. Results of older versions list only runs with
 * differences; a run with a difference of severity `error` then counts as regressed if its result reports a regression.
 */
function comparisons(results: readonly ResultJson[]): (verdict: VerdictJson) => ComparedRun | null {
  const places = new Map<string, ComparedRun>();
  const verdicts = new Map<string, Omit<ComparedRun, "differences">>();
  for (const { baseline } of results) {
    for (const { verdict_id: id, ...compared } of baseline?.verdicts ?? []) verdicts.set(id, compared);
    for (const { version, variant, similarity, ...rest } of baseline?.differences ?? []) {
      const { spec, query_id: queryId, run_id: runId, ...own } = rest;
      const place = JSON.stringify([spec, queryId, runId]);
      const difference = { ...own, ...(similarity === null ? {} : { similarity }) } as Difference;
      const differences = [...(places.get(place)?.differences ?? []), difference];
      const regressed =
        (baseline?.regressed ?? 0) > 0 && differences.some(({ severity }) => severity === "error");
      places.set(place, { version, variant, differences, regressed, undecided: false });
    }
  }
  return ({ spec, query_id: queryId, run_id: runId, verdict_id: id }) => {
    const found = places.get(JSON.stringify([spec, queryId, runId])) ?? null;
    const compared = verdicts.get(id);
    return compared === undefined ? found : { ...compared, differences: found?.differences ?? [] };
  };
}

function savedVerdict(verdict: VerdictJson, at: number, compared: ComparedRun | null): ReportedVerdict {
  const { trace_id: traceId, run_id: runId } = verdict;
  return {
    place: { startUnixMs: AFTER_ALL_DATES + at, traceId, spanId: runId },
    verdict,
    tools: null,
    handoffs: [],
    answer: null,
    steps: null,
    compared,
  };
}

interface SavedRun {
  readonly trace_id: string;
  readonly run_id: string;
  readonly query: string | null;
  readonly reason: string;
  readonly candidates: readonly string[];
}

function savedRun({ trace_id: traceId, run_id: runId, ...run }: SavedRun, at: number): ReportedRun {
  return {
    ...run,
    place: { startUnixMs: AFTER_ALL_DATES + at, traceId, spanId: runId },
    traceId,
    runId,
    spec: "",
  };
}

/**
 * Returns the number of different runs in several results. Runs with equal ids count once. A result may count
 * runs whose ids it does not list. If two results share a listed run, their unlisted runs are assumed to be
 * the same.
 */
function countRuns(results: readonly ResultJson[]): number {
  const dumps: { ids: Set<string>; unnamed: number }[] = [];
  for (const result of results) {
    const ids = new Set([...runIdsOf(result), ...result.unmatched.map(({ run_id: id }) => id)]);
    const own = { ids, unnamed: Math.max(0, result.summary.runs - ids.size) };
    for (let at = dumps.length - 1; at >= 0; at--) {
      const other = dumps[at];
      if (other === undefined || [...other.ids].every((id) => !ids.has(id))) continue;
      dumps.splice(at, 1);
      for (const id of other.ids) own.ids.add(id);
      own.unnamed = Math.max(own.unnamed, other.unnamed);
    }
    dumps.push(own);
  }
  return dumps.reduce((sum, { ids, unnamed }) => sum + ids.size + unnamed, 0);
}

/** Returns the ids of all runs in a result. For a conversation, returns the ids of the runs of its turns. */
function runIdsOf({ verdicts, ambiguous }: Pick<ResultJson, "verdicts" | "ambiguous">): readonly string[] {
  return [
    ...verdicts.flatMap(({ run_id: id, turn_run_ids: turns }) => turns ?? [id]),
    ...ambiguous.map(({ run_id: id }) => id),
  ];
}
