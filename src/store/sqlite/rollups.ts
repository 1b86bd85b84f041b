import sql, { type Sql } from "sql-template-tag";
import { DAY_HOURS, HOUR_MS } from "../read/gather-sums.ts";
import { numberOrNull, textOrNull } from "../write/row-values.ts";
import type { Row, Steps } from "../sql/dialect.ts";
import type { Table } from "../sql/tables.ts";

/** Columns of the tables with sums: values of verdicts that are added up. */
export const measures = ["verdicts", "duration_ms", "cost_usd", "costs", "tokens", "token_counts"] as const;

/**
 * Returns a table of sums by spec, query, agent, outcome and period.
 * @param column name of the column with the start of the period
 */
function rollup(name: string, column: string): Table {
  const key = ["spec", "query_id", "agent", column, "outcome"];
  const added = measures.map((measure) => `${measure} = ${measure} + excluded.${measure}`);
  return {
    name,
    columns: Object.fromEntries([...key, ...measures].map((one) => [one, "integer"])),
    ending: `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${added.join(", ")}`,
  };
}

/**
 * Tables of hourly and daily sums. Rates and trends over months read a few thousand rows of these tables instead of all verdicts. A verdict
 * counts once, with the values of its newest revision, in the hour of its first revision.
 */
export const rollupTables = { hours: rollup("hours", "hour"), days: rollup("days", "day") };

/** Writes verdicts and updates the sums. A newer revision replaces an earlier revision; an equal or older revision changes nothing. */
export function* writeVerdicts(insert: Table, rows: readonly Row[]): Steps<void> {
  for (const row of rows) {
    const [earlier] = yield latest(sql`verdict_id = ${row["verdict_id"]}`);
    if (earlier === undefined) {
      yield { into: insert, rows: [row] };
      yield* count(row, row["judged_ms"], 1);
    } else if (Number(earlier["revision"]) < Number(row["revision"])) {
      yield sql`UPDATE verdicts SET latest = 0 WHERE verdict_id = ${row["verdict_id"]} AND latest`;
      yield { into: insert, rows: [row] };
      yield* count(earlier, earlier["first_ms"], -1);
      yield* count(row, earlier["first_ms"], 1);
    }
  }
}

/** Subtracts the verdicts that a condition selects, in their newest revisions, from the sums. */
export function* uncount(where: Sql): Steps<void> {
  for (const verdict of yield latest(where)) yield* count(verdict, verdict["first_ms"], -1);
}

/** Returns SQL that selects the newest revisions of verdicts, with their values for the sums and the time of the first revision. */
function latest(where: Sql): Sql {
  return sql`
    SELECT revision, outcome, duration_ms, cost_usd, tokens, agent, spec, query_id,
      (SELECT min(judged_ms) FROM verdicts WHERE verdict_id = v.verdict_id) AS first_ms
    FROM verdicts v WHERE ${where} AND latest`;
}

/** Adds a verdict to the hourly and daily sums; subtracts it if `sign` is -1. */
function* count(verdict: Row, firstMs: unknown, sign: 1 | -1): Steps<void> {
  const hour = Math.floor(Number(firstMs) / HOUR_MS);
  const cost = numberOrNull(verdict["cost_usd"]);
  const tokens = numberOrNull(verdict["tokens"]);
  const row = {
    spec: String(verdict["spec"]),
    query_id: String(verdict["query_id"]),
    agent: textOrNull(verdict["agent"]) ?? "",
    hour,
    day: Math.floor(hour / DAY_HOURS),
    outcome: String(verdict["outcome"]),
    verdicts: sign,
    duration_ms: sign * Number(verdict["duration_ms"]),
    cost_usd: sign * (cost ?? 0),
    costs: cost === null ? 0 : sign,
    tokens: sign * (tokens ?? 0),
    token_counts: tokens === null ? 0 : sign,
  };
  yield { into: rollupTables.hours, rows: [row] };
  yield { into: rollupTables.days, rows: [row] };
}

/**
 * Deletes the sums of all whole hours before a time. Recomputes the sum of a partly deleted day from its remaining hours. The caller has an
 * open transaction.
 */
export function* trimRollups(cutoffUnixMs: number): Steps<void> {
  const hour = Math.floor(cutoffUnixMs / HOUR_MS);
  const old = yield sql`SELECT 1 FROM hours WHERE hour < ${hour} LIMIT 1`;
  if (old.length === 0) return;
  const day = Math.floor(hour / DAY_HOURS);
  yield sql`DELETE FROM hours WHERE hour < ${hour}`;
  yield sql`DELETE FROM days WHERE day <= ${day}`;
  yield sql`
    INSERT INTO days (spec, query_id, agent, day, outcome, verdicts, duration_ms, cost_usd, costs, tokens, token_counts)
    SELECT spec, query_id, agent, hour / 24, outcome, sum(verdicts), sum(duration_ms), sum(cost_usd), sum(costs),
      sum(tokens), sum(token_counts)
    FROM hours WHERE hour >= ${day * DAY_HOURS} AND hour < ${(day + 1) * DAY_HOURS}
    GROUP BY spec, query_id, agent, hour / 24, outcome`;
}
