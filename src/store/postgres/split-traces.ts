import type { PoolClient } from "pg";
import { type Outcome, worst } from "../../model/outcome.ts";
import { noSignOfError, runStatus } from "../../evaluate/checks/correctness/run-status.ts";
import { verdictOutcome } from "../../evaluate/result/layer-result.ts";
import { checks } from "../../evaluate/checks/registry.ts";
import type { CheckJson, LayerJson, VerdictJson } from "../../report/json/verdict-schema.ts";
import type { DecidedBy } from "../read/stored.ts";
import { decidedBy } from "../write/judged-record.ts";

const SPLIT_REMEDY =
  "Send all spans of a trace to the same process: route by trace id, and change the number of processes seldom.";

/** Keys of checks whose failure is final: further spans cannot make these checks pass. */
const lasting = new Set(checks.filter((check) => !check.undoable).map((check) => check.key));

const undecided: ReadonlySet<Outcome> = new Set(["skip", "incomplete", "error"]);

/**
 * For traces with spans in several processes, changes the stored verdicts to those of incomplete runs: each process has judged only a part
 * of the trace. The caller has the writers' lock in a transaction.
 * @param traceIds traces that may have spans in several processes
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

/** Recomputes a run's outcome from its verdicts, and marks the run as incomplete. */
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

/**
 * Converts a stored verdict into the verdict of an incomplete run, because other processes have spans of its trace. Skipped and undecided
 * results stay, and so do violations that further spans cannot undo. Any other result of `run_status` becomes `skip`; any other result of
 * another check becomes `incomplete`.
 */
function splitVerdict(json: string): {
  readonly json: string;
  readonly outcome: Outcome;
  readonly by: DecidedBy | undefined;
} {
  const verdict = JSON.parse(json) as VerdictJson;
  const { correctness, path, cost } = verdict.layers;
  const layers = { correctness: splitLayer(correctness), path: splitLayer(path), cost: splitLayer(cost) };
  const outcome = verdictOutcome(layers, false);
  const split = {
    ...verdict,
    outcome,
    hard_fail: verdict.hard_fail && outcome === "fail",
    complete: false,
    close_reason: "split",
    layers,
  };
  return { json: JSON.stringify(split), outcome, by: decidedBy(split) };
}

function splitLayer(layer: LayerJson): LayerJson {
  const results = layer.checks.map(splitCheck);
  const outcome = worst(results.map((check) => check.outcome));
  const deciding = results.find((check) => check.outcome === outcome);
  const reason = deciding === undefined ? layer.reason : `${deciding.check}: ${deciding.message}`;
  return { outcome, reason, checks: results };
}

function splitCheck(check: CheckJson): CheckJson {
  const stays = lasting.has(check.check) && check.outcome !== "pass";
  if (stays || undecided.has(check.outcome)) return check;
  if (check.check === runStatus.key) return { ...check, outcome: "skip", message: noSignOfError };
  return {
    ...check,
    outcome: "incomplete",
    message: `other processes received some spans of the trace; without these spans, the result was: ${check.message}`,
    missing: ["run"],
    remedy: SPLIT_REMEDY,
  };
}
