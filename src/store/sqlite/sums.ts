import sql, { raw } from "sql-template-tag";
import type { VerdictSums, Window } from "../archive.ts";
import { allOf, equal } from "../sql/clauses.ts";
import { DAY_HOURS, gathered, HOUR_MS, wholeHours } from "../read/gather-sums.ts";
import type { Row, Steps } from "../sql/steps.ts";
import { measures } from "./rollups.ts";

const sums = raw(measures.map((name) => `sum(${name}) AS ${name}`).join(", "));
const INDEXED_DAYS = 7;

/** Sums by spec and query, and by buckets of whole hours where asked for; in the order of spec, query and time. */
export function* sumsOf(window: Window, bucketMs: number | null): Steps<VerdictSums[]> {
  const { since, until, spec, query, agent } = window;
  const bucketHours = wholeHours(bucketMs);
  const found: (readonly Row[])[] = [];
  for (const { table, column, hours, from, to } of partsOf(
    Math.floor(since / HOUR_MS),
    Math.ceil(until / HOUR_MS),
    bucketHours,
  )) {
    // Over a long time all queries are read in the table's own order, which is that of the groups, instead of sorted.
    const isInOrder = table === "days" && to - from > INDEXED_DAYS && query === undefined;
    const time = raw(isInOrder ? `+${column}` : column);
    const where = allOf(
      sql`${time} >= ${from} AND ${time} < ${to}`,
      equal("spec", spec),
      equal("query_id", query),
    );
    const bucket = raw(
      bucketHours === null ? "NULL" : `${column} * ${hours} / ${bucketHours} * ${bucketHours}`,
    );
    found.push(
      yield sql`
        SELECT spec, query_id, agent, outcome, ${bucket} AS bucket, ${sums} FROM ${raw(table)} WHERE ${where}
        GROUP BY spec, query_id, agent, outcome, bucket`,
    );
  }
  return gathered(found.flat(), agent);
}

/** Where the sums of some time are read: `from` to before `to`, in rows of so many hours. */
interface Part {
  readonly table: "hours" | "days";
  readonly column: "hour" | "day";
  readonly hours: number;
  readonly from: number;
  readonly to: number;
}

/** Whole days are read as such, where buckets are not shorter; what remains at both ends by the hour. */
function partsOf(from: number, to: number, bucketHours: number | null): Part[] {
  const hours = (first: number, end: number): Part[] =>
    first < end ? [{ table: "hours", column: "hour", hours: 1, from: first, to: end }] : [];
  const firstDay = Math.ceil(from / DAY_HOURS);
  const endDay = Math.floor(to / DAY_HOURS);
  const byDay = bucketHours === null || bucketHours % DAY_HOURS === 0;
  if (!byDay || firstDay >= endDay) return hours(from, to);
  return [
    ...hours(from, firstDay * DAY_HOURS),
    { table: "days", column: "day", hours: DAY_HOURS, from: firstDay, to: endDay },
    ...hours(endDay * DAY_HOURS, to),
  ];
}
