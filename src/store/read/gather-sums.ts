import type { VerdictSums } from "../archive.ts";
import { foldName } from "../../evaluate/rules/fold-name.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { Row } from "../sql/dialect.ts";
import { groupBy } from "../../support/structures/group-by.ts";

export const HOUR_MS = 3_600_000;
export const DAY_HOURS = 24;

/** Converts a bucket length into whole hours, at least one. Returns null if there are no buckets. */
export function wholeHours(bucketMs: number | null): number | null {
  return bucketMs === null ? null : Math.max(1, Math.round(bucketMs / HOUR_MS));
}

/**
 * Adds up rows, so that one entry contains all agents and outcomes. The result is ordered by spec, query and bucket.
 * @param rows one row for each spec, query, agent (empty if unknown), bucket (start in hours, or null) and outcome
 * @param agent if given, rows of other agents are ignored
 */
export function gathered(rows: readonly Row[], agent: string | undefined): VerdictSums[] {
  const wanted = agent === undefined ? null : foldName(agent);
  const groups = groupBy(rows, (row) => {
    const isOther = wanted !== null && foldName(String(row["agent"])) !== wanted;
    if (Number(row["verdicts"]) === 0 || isOther) return undefined;
    return JSON.stringify([row["spec"], row["query_id"], row["bucket"]]);
  });
  return [...groups.values()].map(sum).toSorted(inOrder);
}

function sum(rows: readonly Row[]): VerdictSums {
  const total = (column: string): number => rows.reduce((all, row) => all + Number(row[column]), 0);
  const mean = (column: string, count: number): number | null => (count === 0 ? null : total(column) / count);
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const row of rows) {
    const outcome = row["outcome"] as Outcome;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + Number(row["verdicts"]);
  }
  const bucket = rows[0]?.["bucket"];
  const verdicts = total("verdicts");
  const costs = total("costs");
  const tokenCounts = total("token_counts");
  return {
    spec: String(rows[0]?.["spec"]),
    query_id: String(rows[0]?.["query_id"]),
    bucket_unix_ms: bucket === null || bucket === undefined ? null : Number(bucket) * HOUR_MS,
    outcomes,
    verdicts,
    mean_duration_ms: mean("duration_ms", verdicts),
    mean_cost_usd: mean("cost_usd", costs),
    costs,
    mean_tokens: mean("tokens", tokenCounts),
    token_counts: tokenCounts,
    agents: [...new Set(rows.map((row) => String(row["agent"])).filter((name) => name !== ""))].toSorted(),
  };
}

function inOrder(one: VerdictSums, other: VerdictSums): number {
  if (one.spec !== other.spec) return one.spec < other.spec ? -1 : 1;
  if (one.query_id !== other.query_id) return one.query_id < other.query_id ? -1 : 1;
  return (one.bucket_unix_ms ?? 0) - (other.bucket_unix_ms ?? 0);
}
