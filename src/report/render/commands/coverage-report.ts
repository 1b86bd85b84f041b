import type { Cluster } from "../../../match/coverage.ts";
import { snakeCased } from "../../json/snake-case.ts";
import { counted, printable, type Theme } from "../terminal/printable.ts";

export interface QueryCoverage {
  readonly spec: string;
  readonly queryId: string;
  readonly query: string;
  readonly runs: number;
}

/** Result of `coverage`: how many runs match the queries of the specs. */
export interface Coverage {
  readonly runs: number;
  readonly unmatched: number;
  readonly ambiguous: number;
  readonly queries: readonly QueryCoverage[];
  readonly clusters: readonly Cluster[];
  /** The questions to agents that a spec names. */
  readonly clustersOfSpecs: readonly Cluster[];
  /** The questions to agents that no spec names. */
  readonly clustersOfOthers: readonly Cluster[];
  /** Number of runs that match no query and whose query text was not captured. */
  readonly withoutText: number;
}

export function coverageJson(coverage: Coverage): object {
  const { runs, unmatched, ambiguous, withoutText, queries, clusters } = coverage;
  return {
    format_version: 1,
    runs,
    matched: runs - unmatched - ambiguous,
    unmatched,
    ambiguous,
    without_text: withoutText,
    queries: snakeCased(queries),
    never_seen: snakeCased(unseen(queries).map(({ spec, queryId, query }) => ({ spec, queryId, query }))),
    clusters: clusters.map(clusterJson),
  };
}

/** Returns a group of unmatched runs as JSON, with the query to paste into a spec. */
export function clusterJson(cluster: Cluster): object {
  const { text, agent, runs, ...others } = cluster;
  return { ...snakeCased({ text, agent, runs, ...others }), query: queryBlock(cluster) };
}

const MOST_SHOWN = 30;

/**
 * Returns the console output of `coverage`, with the unmatched questions as YAML for `queries:` of a spec.
 */
export function coverageConsole(coverage: Coverage, theme: Theme): string {
  const { runs, unmatched, ambiguous, withoutText, queries, clustersOfSpecs, clustersOfOthers } = coverage;
  const never = unseen(queries);
  const unsure = ambiguous === 0 ? "" : `, ${ambiguous} match several`;
  const lines = [
    `${runs - unmatched - ambiguous} of ${counted(runs, "run")} match ${ambiguous === 0 ? "a query" : "exactly one query"} of a spec${unsure}`,
  ];
  if (never.length > 0) lines.push("", "Queries without a run:");
  for (const { spec, queryId, query } of never)
    lines.push(
      `  ${theme.unsure("▲")} ${printable(spec)} · ${printable(queryId)}  ${theme.dim(printable(query))}`,
    );
  lines.push(
    ...clusterLines(
      "Questions without a query, the most frequent first, to paste below `queries:`",
      clustersOfSpecs,
      theme,
    ),
    ...clusterLines(
      "Questions to agents that no spec names in `agent`; `tracejury init --from DUMP` writes specs for these agents",
      clustersOfOthers,
      theme,
    ),
  );
  if (withoutText > 0) lines.push("", `${counted(withoutText, "unmatched run")} without a captured question`);
  return `${lines.join("\n")}\n`;
}

function clusterLines(title: string, clusters: readonly Cluster[], theme: Theme): readonly string[] {
  if (clusters.length === 0) return [];
  const rest = clusters.length - MOST_SHOWN;
  return [
    "",
    title,
    "",
    ...clusters.slice(0, MOST_SHOWN).map(queryBlock),
    ...(rest > 0 ? [theme.dim(`# … and ${rest} more`)] : []),
  ];
}

function unseen(queries: readonly QueryCoverage[]): readonly QueryCoverage[] {
  return queries.filter(({ runs, query }) => runs === 0 && query !== "*");
}

/** Returns a query that matches a cluster of similar questions, as YAML for `queries:` of a spec. */
export function queryBlock({ text, runs, texts, pattern, agent }: Cluster): string {
  const who = agent === null ? "" : ` of ${printable(agent)}`;
  const several = texts > 1 ? `, ${texts} texts` : "";
  const lines = [`  # ${counted(runs, "run")}${who}${several}`, `  - query: ${JSON.stringify(text)}`];
  if (pattern !== null) lines.push(`    match: { pattern: ${JSON.stringify(pattern)} }`);
  return lines.join("\n");
}
