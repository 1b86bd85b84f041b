import type { VerdictSums, Window } from "../api/store.ts";
import type { Database, Value } from "./database.ts";
import { gathered } from "./gather-sums.ts";
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
  return gathered(rows, agent);
}
