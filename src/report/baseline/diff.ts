import { foldAgentName } from "../../match/rules/agent-name.ts";
import { normaliseText } from "../../match/rules/normalise.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { SourcePosition } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Baseline } from "./file/baseline.ts";
import { type BaselineEntry, isAbout } from "./baseline-index.ts";
import { compareSides, type Comparison, nearest, weightOf } from "./compare.ts";
import { asRedacted, savedSide } from "./saved-side.ts";
import type { Side } from "./side.ts";
import { type Tiers, tiersOf } from "./differences/tiers.ts";
import { isFallen, type RunCounts } from "../statistics/compare/fallen-rate.ts";
import type { Difference } from "./differences/difference.ts";

/** Comparison of two saved versions of one query. */
export interface QueryDiff extends Comparison {
  readonly agent: string;
  readonly queryId: string;
  readonly query: string | null;
  /** Name of the spec; null if the versions are compared without a spec. */
  readonly spec: string | null;
  /** Position of the query in the spec; null without a spec. */
  readonly source: SourcePosition | null;
  readonly tiers: Tiers;
  readonly before: Side;
  readonly after: Side;
}

export interface DiffReport {
  readonly baseline: string;
  readonly compare: string;
  readonly queries: readonly QueryDiff[];
  /** Queries with saved runs in the baseline version, and without runs in the newer version. */
  readonly onlyInBaseline: readonly string[];
  readonly onlyInCompare: readonly string[];
  /** Queries that fail in the newer version and have no run in the baseline version. */
  readonly failingOnlyInCompare: readonly string[];
  /**
   * Queries that could not be compared, because only one version has runs of the query. A query that only the
   * newer version has is listed if one of its runs is undecided. A `"*"` query without newer runs is not
   * listed.
   */
  readonly unseen: readonly string[];
}

/** Compares two saved versions query by query. Without specs, the saved runs define the queries. */
export function diffVersions(
  labels: { readonly baseline: string; readonly compare: string },
  before: readonly BaselineEntry[],
  after: readonly BaselineEntry[],
  specs: readonly CompiledSpec[],
): DiffReport {
  const pairs = specs.length > 0 ? pairsOfSpecs(before, after, specs) : pairsByName(before, after);
  const both = pairs.flatMap((pair) => diffOf(pair) ?? []);
  const lost = pairs.filter((pair) => pair.before.length > 0 && pair.after.length === 0);
  const added = pairs.filter((pair) => pair.before.length === 0 && pair.after.length > 0);
  return {
    ...labels,
    queries: both,
    onlyInBaseline: lost.map(nameOf),
    onlyInCompare: added.map(nameOf),
    failingOnlyInCompare: added.filter((pair) => outcomesOf(pair).includes("fail")).map(nameOf),
    unseen: [...lost.filter((pair) => !isOpen(pair)), ...added.filter(isUndecided)].map(nameOf),
  };
}

function outcomesOf({ spec, query, after }: Pair): readonly Outcome[] {
  return after.flatMap((baseline) => savedSide(baseline, spec, query).judged?.outcome ?? []);
}

function isUndecided(pair: Pair): boolean {
  return outcomesOf(pair).some((outcome) => outcome === "incomplete" || outcome === "error");
}

/** Whether the query is `"*"`, which matches runs with any text. */
function isOpen({ query, before }: Pair): boolean {
  return query?.text === "*" || before.some(({ verdict }) => verdict?.match.how === "wildcard");
}

interface Pair {
  readonly spec: CompiledSpec | undefined;
  readonly query: CompiledQuery | undefined;
  readonly before: readonly Baseline[];
  readonly after: readonly Baseline[];
}

function pairsOfSpecs(
  before: readonly BaselineEntry[],
  after: readonly BaselineEntry[],
  specs: readonly CompiledSpec[],
): readonly Pair[] {
  return specs.flatMap((spec) =>
    spec.queries.flatMap((query) => {
      const about = (entries: readonly BaselineEntry[]): Baseline[] =>
        entries.map(({ baseline }) => baseline).filter((baseline) => isAbout(baseline, spec, query));
      const pair = { spec, query, before: about(before), after: about(after) };
      return query.text === "*" ? byText(pair) : [pair];
    }),
  );
}

/**
 * Splits the runs of a `"*"` query by their query text. Runs are only compared with runs of the same text.
 * Runs without a text form one group.
 */
function byText(pair: Pair): readonly Pair[] {
  const texts = new Set([...pair.before, ...pair.after].map(textOf));
  const of = (baselines: readonly Baseline[], text: string): Baseline[] =>
    baselines.filter((baseline) => textOf(baseline) === text);
  return [...texts].map((text) => ({ ...pair, before: of(pair.before, text), after: of(pair.after, text) }));
}

function textOf({ query }: Baseline): string {
  return normaliseText(query ?? "");
}

function pairsByName(before: readonly BaselineEntry[], after: readonly BaselineEntry[]): readonly Pair[] {
  const pairs = new Map<string, { before: Baseline[]; after: Baseline[] }>();
  const put = (side: "before" | "after", { baseline }: BaselineEntry): void => {
    const key = JSON.stringify([foldAgentName(baseline.agent), identityOf(baseline)]);
    const pair = pairs.get(key) ?? { before: [], after: [] };
    pairs.set(key, pair);
    pair[side].push(baseline);
  };
  for (const entry of before) put("before", entry);
  for (const entry of after) put("after", entry);
  return [...pairs.values()].map((pair) => ({ ...pair, spec: undefined, query: undefined }));
}

/**
 * Returns the key that pairs older and newer runs without a spec: the query id or, in AgentCI's files, the
 * query text. For a `"*"` query, the key contains the id and the text.
 */
function identityOf(baseline: Baseline): readonly string[] {
  const { queryId, verdict } = baseline;
  if (queryId === null) return ["text", textOf(baseline)];
  return verdict?.match.how === "wildcard" ? ["any", queryId, textOf(baseline)] : ["id", queryId];
}

/**
 * Compares each newer run with the most similar older run, and returns the worst comparison. Returns
 * undefined if one of the versions has no run.
 */
function diffOf({ spec, query, before, after }: Pair): QueryDiff | undefined {
  const [first] = before;
  if (first === undefined) return undefined;
  const saved = before.map((baseline) => ({ ...savedSide(baseline, spec, query), baseline }));
  const newer = after.map((baseline) => ({ ...savedSide(baseline, spec, query, first), baseline }));
  const diffs = newer.map(({ baseline: now, ...side }): QueryDiff => {
    const older = nearest(saved, side)?.saved ?? { ...savedSide(first, spec, query), baseline: first };
    const left = { ...older, run: asRedacted(older.run, now.metadata.redaction) };
    const right = { ...side, run: asRedacted(side.run, older.baseline.metadata.redaction) };
    return {
      ...compareSides(left, right),
      agent: first.agent,
      queryId: query?.id ?? first.queryId ?? first.query ?? "",
      query: first.query ?? now.query ?? query?.text ?? null,
      spec: spec?.name ?? null,
      source: query?.source ?? null,
      tiers: tiersOf(left, right, query),
      before: left,
      after: right,
    };
  });
  const worst = diffs.reduce<QueryDiff | undefined>(worseOf, undefined);
  const rate = fallenRate(saved, newer);
  if (worst === undefined || rate === undefined) return worst;
  return { ...worst, differences: [rate, ...worst.differences], regressed: true };
}

function worseOf(one: QueryDiff | undefined, other: QueryDiff): QueryDiff {
  if (one === undefined) return other;
  const rank = ({ regressed, undecided }: QueryDiff): number => (regressed ? 2 : undecided ? 1 : 0);
  const by = rank(other) - rank(one) || weightOf(other) - weightOf(one);
  return by > 0 ? other : one;
}

function nameOf({ query, before, after }: Pair): string {
  const [some] = [...before, ...after];
  const name = query?.id ?? some?.queryId ?? some?.query ?? "?";
  return query?.text === "*" && some?.query != null ? `${name}: ${some.query}` : name;
}

/**
 * Returns the exit code of `diff`.
 * 1: a query regressed, or a new query fails.
 * 2: nothing was compared, or a run could not be read or judged.
 * 0: all runs were compared, and nothing regressed or failed.
 * @param failOn `warn` gives 1 for warnings too; `any` gives 1 for any difference
 * @param unread number of runs and inputs that could not be read
 */
export function diffExit(
  { queries, failingOnlyInCompare, unseen }: DiffReport,
  failOn: "regression" | "warn" | "any",
  unread = 0,
): 0 | 1 | 2 {
  const fails = ({ regressed, differences }: QueryDiff): boolean =>
    regressed ||
    (failOn === "any" && differences.length > 0) ||
    (failOn === "warn" && differences.some(({ severity }) => severity !== "info"));
  if (queries.some(fails) || failingOnlyInCompare.length > 0) return 1;
  const isBlind = queries.length === 0 || unseen.length > 0 || unread > 0;
  return isBlind || queries.some(({ undecided }) => undecided) ? 2 : 0;
}

/**
 * Returns a difference if the pass rate of the newer runs is significantly lower than that of the older runs.
 * Otherwise returns undefined.
 */
function fallenRate(before: readonly Side[], after: readonly Side[]): Difference | undefined {
  const [old, now] = [countsOf(before), countsOf(after)];
  if (!isFallen(old, now)) return undefined;
  const share = ({ failed, runs }: RunCounts): string => `${failed} of ${runs} runs`;
  return {
    type: "REGRESSION",
    severity: "error",
    layer: "correctness",
    message: `${share(now)} fail, ${share(old)} before`,
    before: old.failed / old.runs,
    after: now.failed / now.runs,
  };
}

function countsOf(sides: readonly Side[]): RunCounts {
  const outcomes = sides.flatMap(({ judged }) => judged?.outcome ?? []);
  const failed = outcomes.filter((outcome) => outcome === "fail").length;
  const passed = outcomes.filter((outcome) => outcome === "pass" || outcome === "warn").length;
  return { failed, runs: failed + passed };
}
