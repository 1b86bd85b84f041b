import type { VerdictSums, Window } from "../api/store.ts";
import { foldName } from "../evaluate/fold-name.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Database, Row, Value } from "./database.ts";
import { HOUR_MS } from "./hours.ts";

/** Sums by spec and query, and by buckets of whole hours where asked for; in the order of spec, query and time. */
export function sumsOf(database: Database, window: Window, bucketMs: number | null): VerdictSums[] {
  const { since, until, spec, query, agent } = window;
  const bucketHours = bucketMs === null ? null : Math.max(1, Math.round(bucketMs / HOUR_MS));
  const values: Value[] = [Math.floor(since / HOUR_MS), Math.ceil(until / HOUR_MS)];
  let where = "hour >= ? AND hour < ?";
  if (spec !== undefined) {
    where += " AND spec = ?";
    values.push(spec);
  }
  if (query !== undefined) {
    where += " AND query_id = ?";
    values.push(query);
  }
  const bucket = bucketHours === null ? "NULL" : `hour / ${bucketHours} * ${bucketHours}`;
  const rows = database
    .prepare(
      `SELECT spec, query_id, agent, ${bucket} AS bucket, outcome, sum(verdicts) AS verdicts, sum(duration_ms) AS duration_ms,
         sum(cost_usd) AS cost_usd, sum(costs) AS costs, sum(tokens) AS tokens, sum(token_counts) AS token_counts
       FROM hours WHERE ${where} GROUP BY spec, query_id, agent, bucket, outcome ORDER BY spec, query_id, bucket, agent`,
    )
    .all(...values);
  const wanted = agent === undefined ? null : foldName(agent);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (Number(row["verdicts"]) === 0 || (wanted !== null && foldName(String(row["agent"])) !== wanted))
      continue;
    const key = JSON.stringify([row["spec"], row["query_id"], row["bucket"]]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].map(sum);
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
    agents: [...new Set(rows.map((row) => String(row["agent"])).filter((name) => name !== ""))],
  };
}
