import { ApiError, ask } from "../api.ts";
import { rangeMs, type TimeRange } from "../parts/time-range.tsx";
import type { Outcome } from "../types.ts";
import { groupBy } from "../tables/group-by.ts";
import { queryKey, type TableRow, type TableRows, tableRowsOf } from "../tables/table-rows.ts";
import { type UnjudgedJson, unjudgedRuns } from "../runs/not-judged.tsx";

/** A row of `/api/v1/queries` and `/api/v1/trends`. */
export interface Sums {
  readonly spec: string;
  readonly query_id: string;
  readonly bucket_unix_ms: number | null;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly verdicts: number;
  readonly pass_rate: number | null;
  readonly pass_rate_interval: { readonly low: number; readonly high: number } | null;
  readonly mean_duration_ms: number | null;
  /** Mean cost in US dollars of the runs with a known cost; `costs` is the number of these runs. */
  readonly mean_cost_usd: number | null;
  readonly costs: number;
  readonly mean_tokens: number | null;
  readonly token_counts: number;
  readonly agents: readonly string[];
}

/** The text of a query in its spec. */
export interface WrittenQuery {
  readonly file: string;
  /** Line number in the spec of the first line of the text. */
  readonly line: number;
  readonly yaml: string;
}

/** A query of a spec with its results. If there are no sums, the query had no run. */
export interface QueryLine {
  readonly key: string;
  readonly spec: string;
  readonly id: string;
  readonly text: string | null;
  /** Place and YAML of the query in the spec; null if no spec contains the query any more. */
  readonly written: WrittenQuery | null;
  readonly sums: Sums | null;
  readonly trend: readonly Sums[];
}

export interface QueryData {
  readonly lines: readonly QueryLine[];
  /** The queries that are rows of tables. */
  readonly rows: TableRows;
  readonly unjudged: readonly UnjudgedJson[];
  readonly hasSpec: boolean;
}

const longestInHours = 3 * 86_400_000;

interface SpecJson {
  readonly name: string;
  readonly file: string;
  readonly queries: readonly {
    readonly id: string;
    readonly query: string;
    readonly line: number;
    readonly yaml: string | null;
    readonly row?: TableRow;
  }[];
}

/** Loads the data of the view Queries. Resolves to null if the collector stores no sums. */
export async function loadQueries(range: TimeRange): Promise<QueryData | null> {
  const parameters = { since: range.since, until: range.until };
  const bucket = (rangeMs(range) ?? longestInHours) <= longestInHours ? "hour" : "day";
  try {
    const [{ queries }, { trends }, { specs }, unjudged] = await Promise.all([
      ask<{ queries: Sums[] }>("/api/v1/queries", { parameters }),
      ask<{ trends: Sums[] }>("/api/v1/trends", { parameters: { ...parameters, bucket } }),
      ask<{ specs: SpecJson[] }>("/api/v1/specs"),
      unjudgedRuns(),
    ]);
    const lines = linesOf(specs, queries, trends);
    return { lines, rows: tableRowsOf(specs), unjudged, hasSpec: specs.length > 0 };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function linesOf(specs: readonly SpecJson[], sums: readonly Sums[], trends: readonly Sums[]): QueryLine[] {
  const lines = new Map<string, QueryLine>();
  const trendByKey = groupBy(trends, ({ spec, query_id: id }) => queryKey(spec, id));
  for (const { name, file, queries } of specs) {
    for (const { id, query, line, yaml } of queries) {
      const written = yaml === null ? null : { file, line, yaml };
      const key = queryKey(name, id);
      lines.set(key, {
        key,
        spec: name,
        id,
        text: query,
        written,
        sums: null,
        trend: trendByKey.get(key) ?? [],
      });
    }
  }
  for (const found of sums) {
    const { spec, query_id: id } = found;
    const key = queryKey(spec, id);
    const known = lines.get(key) ?? {
      key,
      spec,
      id,
      text: null,
      written: null,
      trend: trendByKey.get(key) ?? [],
    };
    lines.set(key, { ...known, sums: found });
  }
  return [...lines.values()].sort(worstFirst);
}

/**
 * Compares two queries for sorting. The lowest pass rate is first; with equal rates, the query with most verdicts. Undecided queries
 * follow, and queries without runs are last.
 */
export function worstFirst(a: Pick<QueryLine, "sums">, b: Pick<QueryLine, "sums">): number {
  if (a.sums === null || b.sums === null) return a.sums === b.sums ? 0 : a.sums === null ? 1 : -1;
  return (a.sums.pass_rate ?? 2) - (b.sums.pass_rate ?? 2) || b.sums.verdicts - a.sums.verdicts;
}

export interface Cluster {
  readonly example: UnjudgedJson;
  readonly runs: readonly UnjudgedJson[];
}

/** Two query texts are in one group if at least this share of all their words occurs in both. */
const alike = 0.6;
const mostClusters = 60;

/** Groups runs without a verdict by the words of their query texts. The largest group is first. */
export function clustersOf(unjudged: readonly UnjudgedJson[]): readonly Cluster[] {
  const clusters: { words: ReadonlySet<string>; example: UnjudgedJson; runs: UnjudgedJson[] }[] = [];
  const seen = new Set<string>();
  for (const one of unjudged) {
    if (one.query === null || seen.has(one.run_id)) continue;
    seen.add(one.run_id);
    const words = new Set(one.query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    const near = clusters.find((cluster) => shared(cluster.words, words) >= alike);
    if (near !== undefined) near.runs.push(one);
    else if (clusters.length < mostClusters) clusters.push({ words, example: one, runs: [one] });
  }
  return clusters.sort((a, b) => b.runs.length - a.runs.length);
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  const all = a.size + b.size - both;
  return all === 0 ? 1 : both / all;
}
