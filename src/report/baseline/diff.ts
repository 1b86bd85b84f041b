import { foldAgentName } from "../../match/rules/agent-name.ts";
import { normaliseText } from "../../match/rules/normalise.ts";
import type { SourcePosition } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Baseline } from "./file/baseline.ts";
import { type BaselineEntry, isAbout } from "./baseline-index.ts";
import { compareSides, type Comparison, nearest } from "./compare.ts";
import { asRedacted, savedSide } from "./saved-side.ts";
import type { Side } from "./side.ts";
import { type Tiers, tiersOf } from "./differences/tiers.ts";

/** Two versions of one query beside each other. */
export interface QueryDiff extends Comparison {
  readonly agent: string;
  readonly queryId: string;
  readonly query: string | null;
  /** The spec's name; null when compared without one. */
  readonly spec: string | null;
  /** Where the spec has the query. */
  readonly source: SourcePosition | null;
  readonly tiers: Tiers;
  readonly before: Side;
  readonly after: Side;
}

export interface DiffReport {
  readonly baseline: string;
  readonly compare: string;
  readonly queries: readonly QueryDiff[];
  /** Queries that only one of the versions has. */
  readonly onlyInBaseline: readonly string[];
  readonly onlyInCompare: readonly string[];
}

/** Compares what was saved under two versions, query by query: those of the specs, or all where there is no spec. */
export function diffVersions(
  labels: { readonly baseline: string; readonly compare: string },
  before: readonly BaselineEntry[],
  after: readonly BaselineEntry[],
  specs: readonly CompiledSpec[],
): DiffReport {
  const pairs = specs.length > 0 ? pairsOfSpecs(before, after, specs) : pairsByName(before, after);
  const both = pairs.flatMap((pair) => diffOf(pair) ?? []);
  const one = (side: "before" | "after"): string[] =>
    pairs
      .filter((pair) => pair[side].length > 0 && pair[side === "before" ? "after" : "before"].length === 0)
      .map(nameOf);
  return { ...labels, queries: both, onlyInBaseline: one("before"), onlyInCompare: one("after") };
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
    spec.queries.map((query) => {
      const about = (entries: readonly BaselineEntry[]): Baseline[] =>
        entries.map(({ baseline }) => baseline).filter((baseline) => isAbout(baseline, spec, query));
      return { spec, query, before: about(before), after: about(after) };
    }),
  );
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

/** Ids and texts are not mixed up: a file of AgentCI has no id. */
function identityOf({ queryId, query }: Baseline): readonly string[] {
  return queryId !== null ? ["id", queryId] : ["text", normaliseText(query ?? "")];
}

function diffOf({ spec, query, before, after }: Pair): QueryDiff | undefined {
  const [now] = after;
  const [first] = before;
  if (now === undefined || first === undefined) return undefined;
  const newer = savedSide(now, spec, query, first);
  const sides = before.map((baseline) => ({ ...savedSide(baseline, spec, query), baseline }));
  const found = nearest(sides, newer);
  const older = found?.saved ?? { ...savedSide(first, spec, query), baseline: first };
  const left = { ...older, run: asRedacted(older.run, now.metadata.redaction) };
  const right = { ...newer, run: asRedacted(newer.run, older.baseline.metadata.redaction) };
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
}

function nameOf({ query, before, after }: Pair): string {
  const [some] = [...before, ...after];
  return query?.id ?? some?.queryId ?? some?.query ?? "?";
}

/** 1 when something regressed, 2 when nothing could be compared or a run could not be judged any more, else 0. */
export function diffExit({ queries }: DiffReport, failOn: "regression" | "warn" | "any"): 0 | 1 | 2 {
  const fails = ({ regressed, differences }: QueryDiff): boolean =>
    regressed ||
    (failOn === "any" && differences.length > 0) ||
    (failOn === "warn" && differences.some(({ severity }) => severity !== "info"));
  if (queries.some(fails)) return 1;
  return queries.length === 0 || queries.some(({ undecided }) => undecided) ? 2 : 0;
}
