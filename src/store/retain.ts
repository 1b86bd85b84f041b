import { type Database, transaction } from "./database.ts";
import { trimRollups } from "./rollups.ts";
import type { Retention } from "./stored.ts";

/** So many runs are deleted at a time, that others get their turn in between. */
const AT_A_TIME = 200;

/** What one round of deleting did. */
export interface Retained {
  readonly deletedRuns: number;
  /** There is more to delete. */
  readonly more: boolean;
}

/**
 * Deletes the oldest runs with all that belongs to them: those beyond the age, and as many as bring the file below its size. To be
 * called again as long as there is more.
 */
export function retain(database: Database, { maxAgeMs, maxBytes }: Retention, nowUnixMs: number): Retained {
  const cutoff = nowUnixMs - maxAgeMs;
  const tooLarge = usedBytes(database) > maxBytes;
  const rows = tooLarge
    ? database.prepare("SELECT run_id FROM runs ORDER BY seen_ms LIMIT ?").all(AT_A_TIME)
    : database
        .prepare("SELECT run_id FROM runs WHERE seen_ms < ? ORDER BY seen_ms LIMIT ?")
        .all(cutoff, AT_A_TIME);
  if (rows.length === 0) {
    transaction(database, () => trimRollups(database, cutoff));
    return { deletedRuns: 0, more: false };
  }
  const ids = JSON.stringify(rows.map((row) => row["run_id"]));
  transaction(database, () => {
    const those = "IN (SELECT value FROM json_each(?))";
    database
      .prepare(
        `DELETE FROM telemetry WHERE trace_id IN (SELECT trace_id FROM run_traces WHERE run_id ${those})
           AND trace_id NOT IN (SELECT trace_id FROM run_traces WHERE run_id NOT ${those}
             AND trace_id IN (SELECT trace_id FROM run_traces WHERE run_id ${those}))`,
      )
      .run(ids, ids, ids);
    for (const table of ["run_traces", "verdicts", "unjudged", "annotations", "runs"]) {
      database.prepare(`DELETE FROM ${table} WHERE run_id ${those}`).run(ids);
    }
    trimRollups(database, cutoff);
  });
  database.exec("PRAGMA incremental_vacuum(2000)");
  const stillTooLarge = usedBytes(database) > maxBytes;
  return { deletedRuns: rows.length, more: rows.length === AT_A_TIME || stillTooLarge };
}

/** Bytes of pages in use. */
export function usedBytes(database: Database): number {
  const pragma = (name: string): number =>
    Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}
