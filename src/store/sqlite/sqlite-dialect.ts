import sql, { empty, raw } from "sql-template-tag";
import { foldName } from "../../evaluate/rules/fold-name.ts";
import { type Layer, layers } from "../../model/outcome.ts";
import { allOf, type Dialect, equal, type Row, type Steps } from "../sql/dialect.ts";
import { tablesWith } from "../sql/tables.ts";
import { measures, uncount, writeVerdicts } from "./rollups.ts";
import type { VerdictSums, Window } from "../archive.ts";
import { DAY_HOURS, gathered, HOUR_MS, wholeHours } from "../read/gather-sums.ts";

const sums = raw(measures.map((name) => `sum(${name}) AS ${name}`).join(", "));

const INDEXED_DAYS = 7;

/** A part of a period, from `from` until before `to` in units of `hours` hours, with the table that contains its sums. */
interface Part {
  readonly table: "hours" | "days";
  readonly column: "hour" | "day";
  readonly hours: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns an SQL expression for a column with a JSON object. Its value is `{}` if the JSON is damaged, because SQLite's JSON functions fail
 * on invalid JSON.
 */
function sound(column: string): string {
  return `CASE WHEN typeof(${column}) = 'text' AND json_valid(${column}) THEN ${column} ELSE '{}' END`;
}

const sqliteTables = tablesWith({ runs: { query_folded: "text" }, telemetry: {}, verdicts: {} });

export const sqliteDialect: Dialect = {
  tables: sqliteTables,
  prefix: "",
  foldAgent: foldName,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  smallQuery: sql`coalesce(query_folded, lower(query))`,
  errorOfRun: raw(`json_quote(json_extract(${sound("json")}, '$.error'))`),
  // SQL extracts the fields that lists show, so that the full JSON of all verdicts of a page need not be passed to JavaScript.
  outlineOfVerdict: raw(
    `json_object('expected_fail', json(CASE WHEN json_extract(${sound("json")}, '$.expected_fail') = 1 THEN 'true' ELSE 'false' END),
      'layers', json_object(${layers.map(outlineOfLayer).join(", ")}))`,
  ),
  matchOfVerdict: raw(`json_extract(${sound("v.json")}, '$.match.how')`),
  specHashOfVerdict: raw(`json_extract(${sound("v.json")}, '$.provenance.spec_hash')`),
  toolsOfRun: raw(
    `(SELECT json_group_array(json_extract(value, '$.name')) FROM json_each(${sound("r.json")}, '$.tools')
      WHERE type = 'object' AND json_extract(value, '$.executed') IS NOT 0)`,
  ),
  hasAttribute: (name, value) => sql`
    EXISTS (SELECT 1 FROM json_each(${raw(sound("r.json"))}, '$.attributes') WHERE key = ${name} AND value = ${value})`,
  telemetryOrder: sql`t.trace_id, t.part`,
  ownTelemetry: empty,
  moreOfRun: ({ query }) => ({ query_folded: inSmallLetters(query) }),
  moreOfTelemetry: {},
  moreOfVerdict: () => ({}),
  writeVerdicts: (rows) => writeVerdicts(sqliteTables.verdicts, rows),
  uncount,
  sums: sumsOf,
  *usedBytes() {
    const [row] = yield sql`
      SELECT (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;
    return Number(row?.["bytes"] ?? 0);
  },
};

function outlineOfLayer(layer: Layer): string {
  const texts = ["check", "outcome", "message"].map((key) => `'${key}', json_extract(value, '$.${key}')`);
  return `'${layer}', json_object(
    'outcome', json_extract(${sound("json")}, '$.layers.${layer}.outcome'),
    'checks', json((
      SELECT json_group_array(json_object(${texts.join(", ")})) FROM json_each(${sound("verdicts.json")}, '$.layers.${layer}.checks')
      WHERE type = 'object' AND json_extract(value, '$.outcome') NOT IN ('pass', 'skip')
    )))`;
}

/** Returns the text in lower case if it has letters beyond ASCII; otherwise null, because SQLite's lower() suffices. */
function inSmallLetters(text: string | null): string | null {
  return text !== null && /[^\0-\x7f]/.test(text) ? text.toLowerCase() : null;
}

/** Returns sums by spec and query, and by buckets of whole hours if `bucketMs` is given. The result is ordered by spec, query and time. */
function* sumsOf(window: Window, bucketMs: number | null): Steps<VerdictSums[]> {
  const { since, until, spec, query, agent } = window;
  const bucketHours = wholeHours(bucketMs);
  const found: (readonly Row[])[] = [];
  for (const { table, column, hours, from, to } of partsOf(
    Math.floor(since / HOUR_MS),
    Math.ceil(until / HOUR_MS),
    bucketHours,
  )) {
    // For a long period, the complete table is read in the order of its key, and not by the index of times. SQLite then need not sort the
    // result. The unary plus prevents the use of the index by time.
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

/**
 * Divides a period into whole days and the remaining hours. Uses whole days only if each bucket consists of whole days, or there are no
 * buckets.
 */
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
