import type { Pool } from "pg";
import type { VerdictSums, Window } from "../../api/store.ts";
import { HOUR_MS } from "../rollups.ts";
import { gathered, type SumRow } from "../gather-sums.ts";
import { Conditions } from "./conditions.ts";

/** Sums by spec and query, and by buckets of whole hours where asked for, over the verdicts of all processes. */
export async function sumsOf(pool: Pool, window: Window, bucketMs: number | null): Promise<VerdictSums[]> {
  const { since, until, spec, query, agent } = window;
  const conditions = new Conditions()
    .add("first_ms >= ?", Math.floor(since / HOUR_MS) * HOUR_MS)
    .add("first_ms < ?", Math.ceil(until / HOUR_MS) * HOUR_MS)
    .add("spec = ?", spec)
    .add("query_id = ?", query);
  const hours = bucketMs === null ? null : Math.max(1, Math.round(bucketMs / HOUR_MS));
  const bucket = hours === null ? "NULL::bigint" : `first_ms / ${HOUR_MS * hours} * ${hours}`;
  const { rows } = await pool.query<SumRow>(
    `SELECT spec, query_id, coalesce(agent, '') AS agent, ${bucket} AS bucket, outcome, count(*) AS verdicts,
       sum(duration_ms) AS duration_ms, sum(coalesce(cost_usd, 0)) AS cost_usd, count(cost_usd) AS costs,
       sum(coalesce(tokens, 0)) AS tokens, count(tokens) AS token_counts
     FROM tracejury.verdicts WHERE latest AND ${conditions.sql}
     GROUP BY 1, 2, 3, 4, 5`,
    conditions.values,
  );
  return gathered(rows, agent);
}
