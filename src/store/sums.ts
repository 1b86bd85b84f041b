import type { VerdictSums, Window } from "../api/store.ts";
import { Conditions } from "./conditions.ts";
import type { Database, Value } from "./database.ts";
import { gathered } from "./gather-sums.ts";
import { DAY_HOURS, HOUR_MS } from "./rollups.ts";

const measures = ["verdicts", "duration_ms", "cost_usd", "costs", "tokens", "token_counts"];

/** Sums by spec and query, and by buckets of whole hours where asked for; in the order of spec, query and time. */
export function sumsOf(database: Database, window: Window, bucketMs: number | null): VerdictSums[] {
  const { since, until, spec, query, agent } = window;
  const bucketHours = bucketMs === null ? null : Math.max(1, Math.round(bucketMs / HOUR_MS));
  const bucket = bucketHours === null ? "NULL" : `hour / ${bucketHours} * ${bucketHours}`;
  const values: Value[] = [];
  const parts = partsOf(Math.floor(since / HOUR_MS), Math.ceil(until / HOUR_MS), bucketHours).map((part) => {
    const conditions = new Conditions()
      .add(`${part.column} >= ?`, part.from)
      .add(`${part.column} < ?`, part.to)
      .add("spec = ?", spec)
      .add("query_id = ?", query);
    values.push(...conditions.values);
    return `SELECT spec, query_id, agent, ${part.column} * ${part.hours} AS hour, outcome, ${measures.join(", ")}
            FROM ${part.table} WHERE ${conditions.sql}`;
  });
  const rows = database
    .prepare(
      `SELECT spec, query_id, agent, ${bucket} AS bucket, outcome, ${measures.map((name) => `sum(${name}) AS ${name}`).join(", ")}
       FROM (${parts.join(" UNION ALL ")})
       GROUP BY spec, query_id, agent, bucket, outcome ORDER BY spec, query_id, bucket, agent`,
    )
    .all(...values);
  return gathered(rows, agent);
}

/** Where the sums of some time are read: `from` to before `to`, in rows of so many hours. */
interface Part {
  readonly table: "hours" | "days";
  readonly column: "hour" | "day";
  readonly hours: number;
  readonly from: number;
  readonly to: number;
}

/** Whole days are read as such, as far as buckets are not shorter; what is left at both ends by the hour. */
function partsOf(from: number, to: number, bucketHours: number | null): Part[] {
  const hours = (first: number, end: number): Part[] =>
    first < end ? [{ table: "hours", column: "hour", hours: 1, from: first, to: end }] : [];
  const firstDay = Math.ceil(from / DAY_HOURS);
  const endDay = Math.floor(to / DAY_HOURS);
  const byDay = bucketHours === null || bucketHours % DAY_HOURS === 0;
  if (!byDay || firstDay >= endDay) return [{ table: "hours", column: "hour", hours: 1, from, to }];
  return [
    ...hours(from, firstDay * DAY_HOURS),
    { table: "days", column: "day", hours: DAY_HOURS, from: firstDay, to: endDay },
    ...hours(endDay * DAY_HOURS, to),
  ];
}
