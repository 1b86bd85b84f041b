import { derivedOnce } from "../../../support/structures/bounded-memo.ts";
import { sha256 } from "../../../support/structures/sha256.ts";
import type { Reliability } from "../../../evaluate/query/blocks.ts";
import type { CompiledQuery } from "../../../evaluate/query/compiled.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { MatchHow } from "../../../model/verdict.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";
import type { GroupReport } from "../../statistics/groups/group.ts";
import type { Observation } from "../../statistics/observation.ts";
import {
  type AtLeast,
  type GateUnit,
  limitsFailures,
  type ReliabilityLimits,
} from "../../statistics/groups/reliability.ts";
import { summarize } from "../../statistics/report/report.ts";
import { observeJson } from "../../json/observe-json.ts";
import type { Listed } from "../findings/listed.ts";
import { compare, type ReportedVerdict } from "../findings/reported.ts";

/** A query with `reliability:` in the spec. */
export interface GatedQuery {
  readonly spec: string;
  readonly queryId: string;
  readonly reliability: Reliability;
  /**
   * Whether the query matches several texts. If absent, `gateUnitOf` decides by how each run matched the
   * query.
   */
  readonly isOpen?: boolean;
}

/** A query with `reliability:`, with the statistics of its runs. */
export interface GatedGroup extends GatedQuery {
  readonly report: GroupReport;
}

/** Converts `reliability:` of a spec into limits that the statistics check. */
export function reliabilityLimits(written: Reliability): ReliabilityLimits {
  return {
    minRuns: written.min_runs,
    minPassRate: written.min_pass_rate,
    confidence: written.confidence,
    sequential: written.sequential,
    passAtK: byK(written.pass_at_k),
    passHatK: byK(written.pass_hat_k),
    minMeanScore: written.min_mean_score,
    maxStdDev: written.max_std_dev,
  };
}

/**
 * Confidence of the pass rate for tests that stop when the gate is decided. The default applies if
 * `reliability:` has no confidence.
 */
const DEFAULT_CONFIDENCE = 0.95;

/**
 * Returns `reliability:` for tests that stop when the gate is decided, with a confidence. Without a minimum
 * pass rate, returns the value unchanged.
 */
export function sequentialGate(written: Reliability): Reliability {
  if (written.min_pass_rate === undefined) return written;
  return { ...written, confidence: written.confidence ?? DEFAULT_CONFIDENCE, sequential: true };
}

/**
 * Whether failures of single runs do not count, because the reliability gate limits them. Gates with
 * `min_pass_rate`, `pass_at_k` or `pass_hat_k` limit failures.
 */
export function replacesFailures(written: Reliability): boolean {
  return limitsFailures(reliabilityLimits(written));
}

function byK(written: Readonly<Record<string, number>> | undefined): readonly AtLeast[] {
  return Object.entries(written ?? {})
    .map(([k, min]) => ({ k: Number(k), min }))
    .sort((a, b) => a.k - b.k);
}

/**
 * Returns the statistics of each query that has `reliability:` and at least one run. The queries are sorted
 * by spec and id.
 */
export function gatedGroups(
  gated: readonly GatedQuery[],
  verdicts: Listed<ReportedVerdict>,
): readonly GatedGroup[] {
  if (gated.length === 0) return [];
  const byPlace = new Map<string, Observation[]>();
  for (const { spec, queryId } of gated) byPlace.set(placeOf(spec, queryId), []);
  const queries = new Map(gated.map((query) => [placeOf(query.spec, query.queryId), query]));
  for (const { verdict } of verdicts) {
    const place = placeOf(verdict.spec, verdict.query_id);
    const query = queries.get(place);
    if (query === undefined) continue;
    const gate = gateUnitOf(verdict, query);
    byPlace.get(place)?.push({ ...observeJson(verdict, verdict.query_id), gate });
  }
  return gated
    .flatMap((query) => {
      const runs = byPlace.get(placeOf(query.spec, query.queryId));
      const report = runs === undefined || runs.length === 0 ? undefined : judgeTogether(query, runs);
      return report === undefined ? [] : [{ ...query, report }];
    })
    .sort((a, b) => compare(a.spec, b.spec) || compare(a.queryId, b.queryId));
}

export function placeOf(spec: string, queryId: string): string {
  return JSON.stringify([spec, queryId]);
}

const manyTexts: ReadonlySet<MatchHow> = new Set(["wildcard", "pattern", "similarity"]);

const limitsOf = derivedOnce(reliabilityLimits);

/**
 * Returns the unit of a run: a gate evaluates the runs of one unit together. If the query matches one text, or `reliability:` has `pool:
 * true`, a unit contains all runs of the query. If the query matches several texts, a unit contains the runs of one text, or the runs with
 * unknown texts.
 */
export function gateUnitOf(
  { spec, query_id: queryId, match: { how }, query: text }: VerdictJson,
  { reliability, isOpen = false }: Pick<GatedQuery, "reliability" | "isOpen">,
): GateUnit {
  const limits = limitsOf(reliability);
  const place = placeOf(spec, queryId);
  if (reliability.pool === true || !(isOpen || manyTexts.has(how)))
    return { key: place, isMixed: false, name: queryId, limits };
  if (text === null) return { key: `${place}?`, isMixed: true, name: `${queryId} (unknown text)`, limits };
  const normalised = normaliseText(text);
  return { key: `${place}=${normalised}`, isMixed: false, name: nameOf(text, normalised), limits };
}

/**
 * Returns the name of the unit of a text. Two texts have different names, because saved results identify units by their names: the name of
 * a long text ends in a hash.
 */
function nameOf(text: string, normalised: string): string {
  if (text.length <= LONGEST_TEXT) return JSON.stringify(text);
  return `${JSON.stringify(`${text.slice(0, LONGEST_TEXT)}…`)} (${sha256(normalised).slice(0, 12)})`;
}

/** Returns the reliability gates of these queries. A query that is expected to fail has none. */
export function gatesOf(
  queries: readonly { readonly spec: { readonly name: string }; readonly query: CompiledQuery }[],
): readonly GatedQuery[] {
  return queries.flatMap(({ spec, query: { id: queryId, text, match, reliability, expectedFail } }) => {
    if (reliability === undefined || expectedFail !== undefined) return [];
    const isOpen = text === "*" || match.pattern !== undefined || match.similarity !== undefined;
    return [{ spec: spec.name, queryId, reliability, ...(isOpen ? { isOpen } : {}) }];
  });
}

const LONGEST_TEXT = 100;

function judgeTogether(
  { reliability }: GatedQuery,
  observations: readonly Observation[],
): GroupReport | undefined {
  return summarize(observations, {
    groupBy: "query",
    base: null,
    confidence: reliability.confidence,
  }).groups[0];
}
