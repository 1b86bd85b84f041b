import type { Pool } from "pg";
import { deleteRuns, oldestRuns } from "../write/delete-runs.ts";
import type { Dialect } from "../sql/dialect.ts";
import { inTransaction } from "./connection.ts";
import { lockWriting } from "./schema.ts";
import { runOver } from "./session.ts";

/**
 * Milliseconds for which the database remembers which processes received spans of a trace. By default, a trace is open for at most an hour
 * (`assemble.max_age`); for a trace that is open for more than a day, the rows may be deleted too early.
 */
const HOLDERS_KEPT_MS = 86_400_000;

/** Deletes one batch of the runs that exceed the age limit, with all their data. Returns the number of deleted runs. */
export async function retainRuns(
  pool: Pool,
  dialect: Dialect,
  maxAgeMs: number,
  nowUnixMs: number,
): Promise<number> {
  const ids = await runOver(pool, oldestRuns(dialect, Math.floor(nowUnixMs - maxAgeMs)));
  await pool.query(
    `DELETE FROM tracejury.holders WHERE trace_id IN (SELECT trace_id FROM tracejury.holders WHERE seen_ms < $1 LIMIT 10000)`,
    [nowUnixMs - HOLDERS_KEPT_MS],
  );
  if (ids.length === 0) return 0;
  await inTransaction(pool, async (client) => {
    await lockWriting(client);
    await runOver(client, deleteRuns(dialect, ids));
  });
  return ids.length;
}
