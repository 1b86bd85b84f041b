import type { PoolClient } from "pg";
import { type Outcome, worst } from "../../model/outcome.ts";
import { splitVerdict } from "./split-verdict.ts";

/**
 * Finds which of these traces went to more than one process, and makes what was said about them what can be said of a part. To be called
 * in a transaction that has the lock of writers.
 */
export async function markSplit(client: PoolClient, traceIds: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ verdict_id: string; revision: number; run_id: string; json: string }>(
    `SELECT v.verdict_id, v.revision, v.run_id, v.json FROM tracejury.holders h
     JOIN tracejury.run_traces t ON t.trace_id = h.trace_id
     JOIN tracejury.verdicts v ON v.run_id = t.run_id AND NOT v.split
     WHERE h.trace_id = ANY($1) AND h.split_ms IS NOT NULL`,
    [traceIds],
  );
  const runs = new Set<string>();
  for (const { verdict_id: id, revision, run_id: runId, json } of rows) {
    const split = splitVerdict(json);
    runs.add(runId);
    await client.query(
      `UPDATE tracejury.verdicts SET split = true, outcome = $3, json = $4, checks = $5, reason = $6
       WHERE verdict_id = $1 AND revision = $2`,
      [id, revision, split.outcome, split.json, split.by?.checks.join(",") ?? null, split.by?.text ?? null],
    );
  }
  for (const runId of runs) await concludeRun(client, runId);
}

/** A run's outcome from those of its verdicts; it is not complete. */
async function concludeRun(client: PoolClient, runId: string): Promise<void> {
  const { rows } = await client.query<{ outcome: Outcome }>(
    "SELECT outcome FROM tracejury.verdicts WHERE run_id = $1 AND latest",
    [runId],
  );
  const { rows: runs } = await client.query<{ json: string }>(
    "SELECT json FROM tracejury.runs WHERE run_id = $1",
    [runId],
  );
  const run = JSON.parse(runs[0]?.json ?? "{}") as object;
  await client.query(
    "UPDATE tracejury.runs SET complete = false, outcome = $2, json = $3 WHERE run_id = $1",
    [
      runId,
      worst(rows.map((row) => row.outcome)),
      JSON.stringify({ ...run, complete: false, close_reason: "split" }),
    ],
  );
}
