import type { Page, RunFilter, RunSummary, Telemetry, UnjudgedRun, VerdictSummary } from "../api/store.ts";
import { foldName } from "../evaluate/fold-name.ts";
import { layers, type Outcome } from "../model/outcome.ts";
import { Conditions } from "./conditions.ts";
import type { Database, Row } from "./database.ts";
import { numberOf } from "./cursor.ts";
import { LONGEST_ERROR } from "./stored.ts";
import { soundJson, textsIn } from "./json-column.ts";

const columns = `seq, run_id, agent, service, conversation_id, query, outcome, complete, start_ms, duration_ms, total_tokens, cost_usd, models, seen_ms, json_extract(${soundJson("json")}, '$.error') AS error`;
/** A search for text looks at so many runs for one page. */
const LOOKED_THROUGH = 50_000;

/** Reads runs, their telemetry, and those that nothing was said about. */
export class RunReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  page(filter: RunFilter, limit: number, cursor: string | null): Page<RunSummary> | undefined {
    const below = cursor === null ? this.#bound("max") + 1 : numberOf(cursor);
    if (below === undefined) return undefined;
    const floor = filter.text === undefined ? 0 : below - LOOKED_THROUGH;
    const { sql, values } = conditions(filter);
    const rows = this.#database
      .prepare(`SELECT ${columns} FROM runs WHERE seq < ? AND seq >= ? AND ${sql} ORDER BY seq DESC LIMIT ?`)
      .all(below, floor, ...values, limit + 1);
    const items = this.#withVerdicts(rows.slice(0, limit));
    if (rows.length > limit) return { items, next: Number(rows[limit - 1]?.["seq"]).toString(36) };
    return { items, next: floor > this.#bound("min") ? floor.toString(36) : null };
  }

  json(runId: string): string | undefined {
    const row = this.#database.prepare("SELECT json FROM runs WHERE run_id = ?").get(runId);
    return row && String(row["json"]);
  }

  telemetry(runId: string): Telemetry[] | undefined {
    if (this.json(runId) === undefined) return undefined;
    const rows = this.#database
      .prepare(
        `SELECT t.trace_id, t.signal, t.encoding, t.bytes FROM run_traces r JOIN telemetry t ON t.trace_id = r.trace_id
         WHERE r.run_id = ? ORDER BY t.trace_id, t.part`,
      )
      .all(runId);
    return rows.map((row) => ({
      signal: row["signal"] as Telemetry["signal"],
      encoding: row["encoding"] as Telemetry["encoding"],
      bytes: blob(row["bytes"]),
    }));
  }

  unjudged(limit: number, cursor: string | null): Page<UnjudgedRun> | undefined {
    const below = cursor === null ? Number.MAX_SAFE_INTEGER : numberOf(cursor);
    if (below === undefined) return undefined;
    const rows = this.#database
      .prepare("SELECT * FROM unjudged WHERE seq < ? ORDER BY seq DESC LIMIT ?")
      .all(below, limit + 1);
    const items = rows.slice(0, limit).map(unjudgedOf);
    return { items, next: rows.length > limit ? Number(rows[limit - 1]?.["seq"]).toString(36) : null };
  }

  #withVerdicts(rows: readonly Row[]): RunSummary[] {
    const verdicts = new Map<unknown, VerdictSummary[]>();
    const of = this.#database
      .prepare(
        `SELECT run_id, verdict_id, spec, query_id, outcome, ${layers.map((layer) => `json_extract(${soundJson("json")}, '$.layers.${layer}.outcome') AS ${layer}`).join(", ")}
         FROM verdicts WHERE latest = 1 AND run_id IN (SELECT value FROM json_each(?)) ORDER BY seq`,
      )
      .all(JSON.stringify(rows.map((row) => row["run_id"])));
    for (const row of of) {
      const some = verdicts.get(row["run_id"]);
      if (some === undefined) verdicts.set(row["run_id"], [verdictSummaryOf(row)]);
      else some.push(verdictSummaryOf(row));
    }
    return rows.map((row) => summaryOf(row, verdicts.get(row["run_id"]) ?? []));
  }

  #bound(which: "max" | "min"): number {
    return Number(this.#database.prepare(`SELECT ${which}(seq) AS seq FROM runs`).get()?.["seq"] ?? 0);
  }
}

function conditions(filter: RunFilter): Conditions {
  const conditions = new Conditions();
  if (filter.outcome === "none") conditions.always("outcome IS NULL");
  else conditions.add("outcome = ?", filter.outcome);
  return conditions
    .add("run_id IN (SELECT run_id FROM verdicts WHERE query_id = ? AND latest = 1)", filter.query)
    .add("instr(lower(models), ?) > 0", filter.model?.toLowerCase())
    .add("agent_folded = ?", filter.agent === undefined ? undefined : foldName(filter.agent))
    .add("service = ?", filter.service)
    .add("conversation_id = ?", filter.conversation)
    .add("run_id IN (SELECT run_id FROM run_traces WHERE trace_id = ?)", filter.trace?.toLowerCase())
    .add("instr(coalesce(query_folded, lower(query)), ?) > 0", filter.text?.toLowerCase())
    .add("seen_ms >= ?", filter.since)
    .add("seen_ms < ?", filter.until);
}

function summaryOf(row: Row, verdicts: readonly VerdictSummary[]): RunSummary {
  return {
    run_id: String(row["run_id"]),
    agent: text(row["agent"]),
    service: text(row["service"]),
    conversation_id: text(row["conversation_id"]),
    query: text(row["query"]),
    error: text(row["error"])?.slice(0, LONGEST_ERROR) ?? null,
    outcome: text(row["outcome"]) as Outcome | null,
    complete: Number(row["complete"]) === 1,
    start_unix_ms: Number(row["start_ms"]),
    duration_ms: Number(row["duration_ms"]),
    total_tokens: number(row["total_tokens"]),
    cost_usd: number(row["cost_usd"]),
    models: textsIn(row["models"]),
    seen_unix_ms: Number(row["seen_ms"]),
    verdicts,
  };
}

function verdictSummaryOf(row: Row): VerdictSummary {
  return {
    verdict_id: String(row["verdict_id"]),
    spec: String(row["spec"]),
    query_id: String(row["query_id"]),
    outcome: row["outcome"] as Outcome,
    layers: {
      correctness: row["correctness"] as Outcome,
      path: row["path"] as Outcome,
      cost: row["cost"] as Outcome,
    },
  };
}

function unjudgedOf(row: Row): UnjudgedRun {
  return {
    run_id: String(row["run_id"]),
    spec: String(row["spec"]),
    reason: String(row["reason"]),
    candidates: textsIn(row["candidates"]),
    agent: text(row["agent"]),
    query: text(row["query"]),
    judged_unix_ms: Number(row["judged_ms"]),
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
}

/** A copy of our own: the drivers give bytes as one thing or another. */
function blob(value: unknown): Uint8Array {
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  return value instanceof Uint8Array ? Uint8Array.from(value) : new Uint8Array(0);
}
