import sql, { join, raw } from "sql-template-tag";
import type { Dialect, Steps } from "../sql/dialect.ts";

/** Maximum number of runs that one transaction deletes, so that other work runs between two transactions. */
export const DELETED_AT_ONCE = 200;

/** Returns the ids of the oldest runs before a time, at most `DELETED_AT_ONCE`. */
export function* oldestRuns({ prefix }: Dialect, beforeUnixMs = Number.MAX_SAFE_INTEGER): Steps<string[]> {
  const rows = yield sql`
    SELECT run_id FROM ${raw(prefix)}runs WHERE seen_ms < ${beforeUnixMs} ORDER BY seen_ms LIMIT ${DELETED_AT_ONCE}`;
  return rows.map((row) => String(row["run_id"]));
}

/**
 * Deletes runs with all their data. Does not delete the telemetry of traces that also belong to other runs. The caller has an open
 * transaction.
 */
export function* deleteRuns(dialect: Dialect, runIds: readonly string[]): Steps<void> {
  const prefix = raw(dialect.prefix);
  const those = join(runIds);
  const traces = sql`SELECT trace_id FROM ${prefix}run_traces WHERE run_id IN (${those})`;
  yield sql`
    DELETE FROM ${prefix}telemetry WHERE trace_id IN (${traces})
      AND trace_id NOT IN (SELECT trace_id FROM ${prefix}run_traces WHERE run_id NOT IN (${those})
        AND trace_id IN (${traces}))`;
  for (const table of ["run_traces", "verdicts", "unjudged", "annotations", "runs"])
    yield sql`DELETE FROM ${prefix}${raw(table)} WHERE run_id IN (${those})`;
}
