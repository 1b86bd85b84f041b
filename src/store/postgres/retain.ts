import type { Pool } from "pg";
import { inTransaction } from "./connection.ts";
import { lockWriting } from "./schema.ts";

const AT_A_TIME = 200;
/** A trace is split while it is open, which is at most an hour. */
const HOLDERS_KEPT_MS = 86_400_000;

/** Deletes runs that are too old with all that belongs to them, some at a time; gives how many. */
export async function retainRuns(pool: Pool, maxAgeMs: number, nowUnixMs: number): Promise<number> {
  const { rows } = await pool.query<{ run_id: string }>(
    `SELECT run_id FROM tracejury.runs WHERE seen_ms < $1 ORDER BY seen_ms LIMIT ${AT_A_TIME}`,
    [Math.floor(nowUnixMs - maxAgeMs)],
  );
  await pool.query(
    `DELETE FROM tracejury.holders WHERE trace_id IN (SELECT trace_id FROM tracejury.holders WHERE seen_ms < $1 LIMIT 10000)`,
    [nowUnixMs - HOLDERS_KEPT_MS],
  );
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.run_id);
  await inTransaction(pool, async (client) => {
    await lockWriting(client);
    await client.query(
      `DELETE FROM tracejury.telemetry WHERE trace_id IN (SELECT trace_id FROM tracejury.run_traces WHERE run_id = ANY($1))
         AND trace_id NOT IN (SELECT trace_id FROM tracejury.run_traces WHERE run_id <> ALL($1)
           AND trace_id IN (SELECT trace_id FROM tracejury.run_traces WHERE run_id = ANY($1)))`,
      [ids],
    );
    for (const table of ["run_traces", "verdicts", "unjudged", "annotations", "runs"]) {
      await client.query(`DELETE FROM tracejury.${table} WHERE run_id = ANY($1)`, [ids]);
    }
  });
  return rows.length;
}
