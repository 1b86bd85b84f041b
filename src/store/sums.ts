import type { VerdictSums, Window } from "../api/store.ts";
import { Conditions } from "./conditions.ts";
import type { Database } from "./database.ts";
import { gathered } from "./gather-sums.ts";
import { DAY_HOURS, HOUR_MS } from "./rollups.ts";

const measures = ["verdicts", "duration_ms", "cost_usd", "costs", "tokens", "token_counts"];
const sums = measures.map((name) => `sum(${name}) AS ${name}`).join(", ");
const INDEXED_DAYS = 7;

/** Sums by spec and query, and by buckets of whole hours where asked for; in the order of spec, query and time. */
export function sumsOf(database: Database, window: Window, bucketMs: number | null): VerdictSums[] {
  const { since, until, spec, query, agent } = window;
  const bucketHours = bucketMs === null ? null : Math.max(1, Math.round(bucketMs / HOUR_MS));
  const parts = partsOf(Math.floor(since / HOUR_MS), Math.ceil(until / HOUR_MS), bucketHours);
  const rows = parts.flatMap(({ table, column, hours, from: first, to: end }) => {
    // Over a long time all queries are read in the table's own order, which is that of the groups, instead of sorted.
    const time =
      table === "days" && end - first > INDEXED_DAYS && query === undefined ? `+${column}` : column;
    const conditions = new Conditions()
      .add(`${time} >= ?`, first)
      .add(`${time} < ?`, end)
      .add("spec = ?", spec)
      .add("query_id = ?", query);
    const bucket = bucketHours === null ? "NULL" : `${column} * ${hours} / ${bucketHours} * ${bucketHours}`;
    const sql = `SELECT spec, query_id, agent, outcome, ${bucket} AS bucket, ${sums}
                 FROM ${table} WHERE ${conditions.sql} GROUP BY spec, query_id, agent, outcome, bucket`;
    return database.prepare(sql).all(...conditions.values);
  });
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
