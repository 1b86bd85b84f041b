import type { Pool } from "pg";
import type {
  JudgedSample,
  Page,
  RunFilter,
  RunSummary,
  SampleFilter,
  Telemetry,
  UnjudgedRun,
  VerdictSummary,
} from "../../api/store.ts";
import type { Layer, Outcome } from "../../model/outcome.ts";
import { numberOf } from "../cursor.ts";
import { Conditions } from "./conditions.ts";
import { withoutNul } from "./insert.ts";
import { LONGEST_ERROR } from "../stored.ts";
import { foldAgent } from "./names.ts";
import { attributeText } from "./write.ts";

/** A search for text looks at so many runs for one page. */
const LOOKED_THROUGH = 50_000;

/**
 * The error's text as it stands in the run's JSON, behind fields that are all text or null. Not by a cast to json: PostgreSQL refuses
 * the whole query for one escaped NUL.
 */
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const ERROR_IN_JSON = String.raw`substring(json from '^\{(?:"[a-z_]+":(?:null|${TEXT}),)*"status":"error","error":(${TEXT})')`;

export async function pageOfRuns(
  pool: Pool,
  filter: RunFilter,
  limit: number,
  cursor: string | null,
): Promise<Page<RunSummary> | undefined> {
  const below = cursor === null ? (await bound(pool, "max")) + 1 : numberOf(cursor);
  if (below === undefined) return undefined;
  const floor = filter.text === undefined ? 0 : below - LOOKED_THROUGH;
  const { sql, values } = conditions(filter, below, floor);
  const { rows } = await pool.query<RunRow>(
    `SELECT seq, run_id, agent, service, conversation_id, query, outcome, complete, start_ms, duration_ms,
       total_tokens, cost_usd, models, seen_ms, ${ERROR_IN_JSON} AS error
     FROM tracejury.runs WHERE ${sql} ORDER BY seq DESC LIMIT ${limit + 1}`,
    values,
  );
  const items = await withVerdicts(pool, rows.slice(0, limit));
  if (rows.length > limit) return { items, next: Number(rows[limit - 1]?.seq).toString(36) };
  const more = floor > 0 && floor > (await bound(pool, "min"));
  return { items, next: more ? floor.toString(36) : null };
}

export async function runJson(pool: Pool, runId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ json: string }>("SELECT json FROM tracejury.runs WHERE run_id = $1", [
    withoutNul(runId),
  ]);
  return rows[0]?.json;
}

/** Undefined when there is no such run. Of a trace that went to several processes, the parts of all. */
export async function telemetryOf(pool: Pool, runId: string): Promise<Telemetry[] | undefined> {
  if ((await runJson(pool, runId)) === undefined) return undefined;
  const { rows } = await pool.query<Telemetry & { bytes: Buffer }>(
    `SELECT t.signal, t.encoding, t.bytes FROM tracejury.run_traces r JOIN tracejury.telemetry t ON t.trace_id = r.trace_id
     WHERE r.run_id = $1 ORDER BY t.trace_id, t.worker, t.part`,
    [runId],
  );
  return rows.map(({ signal, encoding, bytes }) => ({ signal, encoding, bytes: Uint8Array.from(bytes) }));
}

export async function pageOfUnjudged(
  pool: Pool,
  limit: number,
  cursor: string | null,
): Promise<Page<UnjudgedRun> | undefined> {
  const below = cursor === null ? Number.MAX_SAFE_INTEGER : numberOf(cursor);
  if (below === undefined) return undefined;
  const { rows } = await pool.query<UnjudgedRow>(
    `SELECT * FROM tracejury.unjudged WHERE seq < $1 ORDER BY seq DESC LIMIT ${limit + 1}`,
    [below],
  );
  const items = rows.slice(0, limit).map((row) => ({
    run_id: row.run_id,
    spec: row.spec,
    reason: row.reason,
    candidates: JSON.parse(row.candidates) as string[],
    agent: row.agent,
    query: row.query,
    judged_unix_ms: Number(row.judged_ms),
  }));
  return { items, next: rows.length > limit ? Number(rows[limit - 1]?.seq).toString(36) : null };
}

/** The newest verdicts that fit, with what a comparison looks at. */
export async function samplesOf(pool: Pool, filter: SampleFilter, limit: number): Promise<JudgedSample[]> {
  const { attribute } = filter;
  const { sql, values } = new Conditions()
    .always("v.latest")
    .add("v.spec = ?", filter.spec)
    .add("v.query_id = ?", filter.query)
    .add("v.agent_folded = ?", filter.agent === undefined ? undefined : foldAgent(filter.agent))
    .add("strpos(lower(r.models), ?) > 0", filter.model?.toLowerCase())
    .add("v.judged_ms >= ?", filter.since)
    .add("v.judged_ms < ?", filter.until)
    .add("? = ANY(r.attributes)", attribute === undefined ? undefined : attributeText(...attribute));
  // Read from the text: json functions of PostgreSQL refuse documents with an escaped NUL anywhere.
  const { rows } = await pool.query<SampleRow>(
    `SELECT v.run_id, v.spec, v.query_id, substring(v.json from '"match":\\{"how":"([a-z]+)"') AS how, r.query, v.outcome,
       v.duration_ms, v.cost_usd, v.tokens, r.tools
     FROM tracejury.verdicts v JOIN tracejury.runs r ON r.run_id = v.run_id
     WHERE ${sql} ORDER BY v.seq DESC LIMIT ${limit}`,
    values,
  );
  return rows.map((row) => ({
    runId: row.run_id,
    spec: row.spec,
    queryId: row.query_id,
    isWildcard: row.how === "wildcard",
    query: row.query,
    outcome: row.outcome,
    durationMs: row.duration_ms,
    costUsd: row.cost_usd,
    tokens: row.tokens,
    tools: JSON.parse(row.tools) as string[],
  }));
}

async function withVerdicts(pool: Pool, rows: readonly RunRow[]): Promise<RunSummary[]> {
  const verdicts = new Map<string, VerdictSummary[]>();
  const { rows: found } = await pool.query<VerdictRow>(
    `SELECT run_id, verdict_id, spec, query_id, outcome, json FROM tracejury.verdicts
     WHERE latest AND run_id = ANY($1) ORDER BY seq`,
    [rows.map((row) => row.run_id)],
  );
  for (const row of found) {
    const some = verdicts.get(row.run_id) ?? [];
    some.push(verdictSummaryOf(row));
    verdicts.set(row.run_id, some);
  }
  return rows.map((row) => summaryOf(row, verdicts.get(row.run_id) ?? []));
}

async function bound(pool: Pool, which: "max" | "min"): Promise<number> {
  const { rows } = await pool.query<{ seq: string | null }>(
    `SELECT ${which}(seq) AS seq FROM tracejury.runs`,
  );
  return Number(rows[0]?.seq ?? 0);
}

function conditions(filter: RunFilter, below: number, floor: number): Conditions {
  const conditions = new Conditions().add("seq < ?", below).add("seq >= ?", floor);
  if (filter.outcome === "none") conditions.always("outcome IS NULL");
  else conditions.add("outcome = ?", filter.outcome);
  return conditions
    .add("run_id IN (SELECT run_id FROM tracejury.verdicts WHERE query_id = ? AND latest)", filter.query)
    .add("strpos(lower(models), ?) > 0", filter.model?.toLowerCase())
    .add("agent_folded = ?", filter.agent === undefined ? undefined : foldAgent(filter.agent))
    .add("service = ?", filter.service)
    .add("conversation_id = ?", filter.conversation)
    .add(
      "run_id IN (SELECT run_id FROM tracejury.run_traces WHERE trace_id = ?)",
      filter.trace?.toLowerCase(),
    )
    .add("strpos(query_small, ?) > 0", filter.text?.toLowerCase())
    .add("seen_ms >= ?", filter.since)
    .add("seen_ms < ?", filter.until);
}

interface RunRow {
  readonly seq: string;
  readonly run_id: string;
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversation_id: string | null;
  readonly query: string | null;
  /** A JSON text. */
  readonly error: string | null;
  readonly outcome: Outcome | null;
  readonly complete: boolean;
  readonly start_ms: number;
  readonly duration_ms: number;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly models: string;
  readonly seen_ms: string;
}

interface VerdictRow {
  readonly run_id: string;
  readonly verdict_id: string;
  readonly spec: string;
  readonly query_id: string;
  readonly outcome: Outcome;
  readonly json: string;
}

interface UnjudgedRow {
  readonly seq: string;
  readonly run_id: string;
  readonly spec: string;
  readonly reason: string;
  readonly candidates: string;
  readonly agent: string | null;
  readonly query: string | null;
  readonly judged_ms: string;
}

interface SampleRow {
  readonly run_id: string;
  readonly spec: string;
  readonly query_id: string;
  readonly how: string | null;
  readonly query: string | null;
  readonly outcome: Outcome;
  readonly duration_ms: number;
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly tools: string;
}

function summaryOf(row: RunRow, verdicts: readonly VerdictSummary[]): RunSummary {
  return {
    run_id: row.run_id,
    agent: row.agent,
    service: row.service,
    conversation_id: row.conversation_id,
    query: row.query,
    error: row.error === null ? null : (JSON.parse(row.error) as string).slice(0, LONGEST_ERROR),
    outcome: row.outcome,
    complete: row.complete,
    start_unix_ms: row.start_ms,
    duration_ms: row.duration_ms,
    total_tokens: row.total_tokens,
    cost_usd: row.cost_usd,
    models: JSON.parse(row.models) as string[],
    seen_unix_ms: Number(row.seen_ms),
    verdicts,
  };
}

function verdictSummaryOf({ verdict_id, spec, query_id, outcome, json }: VerdictRow): VerdictSummary {
  const { layers } = JSON.parse(json) as { layers?: Partial<Record<Layer, { readonly outcome: Outcome }>> };
  const of = (layer: Layer): Outcome => layers?.[layer]?.outcome ?? "skip";
  return {
    verdict_id,
    spec,
    query_id,
    outcome,
    layers: { correctness: of("correctness"), path: of("path"), cost: of("cost") },
  };
}
