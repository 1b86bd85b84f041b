import sql, { join, raw } from "sql-template-tag";
import type { Layer, Outcome } from "../model/outcome.ts";
import type { Page, RunFilter, RunSummary, Telemetry, UnjudgedRun, VerdictSummary } from "./archive.ts";
import { allOf, between, equal, when } from "./clauses.ts";
import type { Dialect } from "./dialect.ts";
import { cursorAt, floorOf, numberOf } from "./pages.ts";
import { inTrace, numberAt } from "./read-verdicts.ts";
import { bytesIn, jsonOrNull, numberOrNull, textOrNull, textsIn } from "./row-values.ts";
import type { Row, Steps } from "./steps.ts";

/** Characters of a run's error in a list of runs. */
const LONGEST_ERROR = 500;

/** Newest first; undefined when `cursor` is none. */
export function* pageOfRuns(
  dialect: Dialect,
  filter: RunFilter,
  limit: number,
  cursor: string | null,
): Steps<Page<RunSummary> | undefined> {
  const below = cursor === null ? (yield* numberAt(dialect, "max", "runs")) + 1 : numberOf(cursor);
  if (below === undefined) return undefined;
  const floor = floorOf(below, filter.text);
  const { outcome, agent, service, conversation, query, model, trace, text } = filter;
  const prefix = raw(dialect.prefix);
  const where = allOf(
    sql`seq < ${below} AND seq >= ${floor}`,
    outcome === "none" ? sql`outcome IS NULL` : equal("outcome", outcome),
    when(
      query,
      (id) => sql`run_id IN (SELECT run_id FROM ${prefix}verdicts WHERE query_id = ${id} AND latest)`,
    ),
    when(model, (part) => dialect.contains(sql`lower(models)`, part.toLowerCase())),
    equal("agent_folded", agent === undefined ? undefined : dialect.foldAgent(agent)),
    equal("service", service),
    equal("conversation_id", conversation),
    when(trace, (id) => inTrace(dialect, id)),
    when(text, (part) => dialect.contains(dialect.smallQuery, part.toLowerCase())),
    between("seen_ms", filter),
  );
  const rows = yield sql`
    SELECT seq, run_id, agent, service, conversation_id, query, outcome, complete, start_ms, duration_ms,
      total_tokens, cost_usd, models, seen_ms, ${dialect.errorOfRun} AS error
    FROM ${prefix}runs WHERE ${where} ORDER BY seq DESC LIMIT ${limit + 1}`;
  const shown = rows.slice(0, limit);
  const verdicts = yield* verdictsByRunId(dialect, shown);
  const items = shown.map((row) => summaryOf(row, verdicts.get(row["run_id"]) ?? []));
  if (rows.length > limit) return { items, next: cursorAt(shown.at(-1)?.["seq"]) };
  const isMore = floor > 0 && floor > (yield* numberAt(dialect, "min", "runs"));
  return { items, next: isMore ? cursorAt(floor) : null };
}

export function* runJson({ prefix }: Dialect, runId: string): Steps<string | undefined> {
  const [row] = yield sql`SELECT json FROM ${raw(prefix)}runs WHERE run_id = ${runId}`;
  return row && String(row["json"]);
}

/** Undefined when there is no such run. Of a trace that went to several processes, the parts of all. */
export function* telemetryOf(dialect: Dialect, runId: string): Steps<Telemetry[] | undefined> {
  if ((yield* runJson(dialect, runId)) === undefined) return undefined;
  const prefix = raw(dialect.prefix);
  const rows = yield sql`
    SELECT t.signal, t.encoding, t.bytes FROM ${prefix}run_traces r JOIN ${prefix}telemetry t ON t.trace_id = r.trace_id
    WHERE r.run_id = ${runId} ORDER BY ${dialect.telemetryOrder}`;
  return rows.map(({ signal, encoding, bytes }) => ({
    signal: signal as Telemetry["signal"],
    encoding: encoding as Telemetry["encoding"],
    bytes: bytesIn(bytes),
  }));
}

/** Runs that a spec could have judged and did not, newest first; undefined when `cursor` is none. */
export function* pageOfUnjudged(
  { prefix }: Dialect,
  limit: number,
  cursor: string | null,
): Steps<Page<UnjudgedRun> | undefined> {
  const below = cursor === null ? Number.MAX_SAFE_INTEGER : numberOf(cursor);
  if (below === undefined) return undefined;
  const rows = yield sql`
    SELECT * FROM ${raw(prefix)}unjudged WHERE seq < ${below} ORDER BY seq DESC LIMIT ${limit + 1}`;
  const shown = rows.slice(0, limit);
  return {
    items: shown.map(unjudgedOf),
    next: rows.length > limit ? cursorAt(shown.at(-1)?.["seq"]) : null,
  };
}

function* verdictsByRunId(
  { prefix, layersOfVerdict }: Dialect,
  runs: readonly Row[],
): Steps<ReadonlyMap<unknown, readonly VerdictSummary[]>> {
  const byRunId = new Map<unknown, VerdictSummary[]>(runs.map((row) => [row["run_id"], []]));
  if (runs.length === 0) return byRunId;
  const rows = yield sql`
    SELECT run_id, verdict_id, spec, query_id, outcome, ${layersOfVerdict} AS layers
    FROM ${raw(prefix)}verdicts
    WHERE latest AND run_id IN (${join([...byRunId.keys()])}) ORDER BY seq`;
  for (const row of rows) byRunId.get(row["run_id"])?.push(verdictSummaryOf(row));
  return byRunId;
}

function summaryOf(row: Row, verdicts: readonly VerdictSummary[]): RunSummary {
  return {
    run_id: String(row["run_id"]),
    agent: textOrNull(row["agent"]),
    service: textOrNull(row["service"]),
    conversation_id: textOrNull(row["conversation_id"]),
    query: textOrNull(row["query"]),
    error: textOrNull(jsonOrNull(row["error"]))?.slice(0, LONGEST_ERROR) ?? null,
    outcome: textOrNull(row["outcome"]) as Outcome | null,
    complete: Number(row["complete"]) === 1,
    start_unix_ms: Number(row["start_ms"]),
    duration_ms: Number(row["duration_ms"]),
    total_tokens: numberOrNull(row["total_tokens"]),
    cost_usd: numberOrNull(row["cost_usd"]),
    models: textsIn(row["models"]),
    seen_unix_ms: Number(row["seen_ms"]),
    verdicts,
  };
}

function verdictSummaryOf(row: Row): VerdictSummary {
  const json = jsonOrNull(row["layers"]) as {
    readonly layers?: Partial<Record<Layer, { readonly outcome?: Outcome | null }>>;
  } | null;
  const of = (layer: Layer): Outcome => json?.layers?.[layer]?.outcome ?? "skip";
  return {
    verdict_id: String(row["verdict_id"]),
    spec: String(row["spec"]),
    query_id: String(row["query_id"]),
    outcome: row["outcome"] as Outcome,
    layers: { correctness: of("correctness"), path: of("path"), cost: of("cost") },
  };
}

function unjudgedOf(row: Row): UnjudgedRun {
  return {
    run_id: String(row["run_id"]),
    spec: String(row["spec"]),
    reason: String(row["reason"]),
    candidates: textsIn(row["candidates"]),
    agent: textOrNull(row["agent"]),
    query: textOrNull(row["query"]),
    judged_unix_ms: Number(row["judged_ms"]),
  };
}
