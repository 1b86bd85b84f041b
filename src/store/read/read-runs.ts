import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Layer, layers, type Outcome } from "../../model/outcome.ts";
import type {
  Page,
  RunFilter,
  RunOrder,
  RunSummary,
  Telemetry,
  UnjudgedRun,
  VerdictReason,
  VerdictSummary,
} from "../archive.ts";
import { allOf, type Dialect, type Row, type Steps, when } from "../sql/dialect.ts";
import { cursorAt, floorOf, numberAt, numberOf } from "./read-verdicts.ts";
import { bytesIn, jsonOrNull, numberOrNull, textOrNull, textsIn } from "../write/row-values.ts";
import { commonConditions, facetConditions } from "./run-conditions.ts";

/** Maximum number of characters of a run's error in a list of runs. */
const LONGEST_ERROR = 500;

/** Returns a page of runs, in the given order, newest first by default; undefined for an invalid `cursor`. */
export function* pageOfRuns(
  dialect: Dialect,
  filter: RunFilter,
  limit: number,
  cursor: string | null,
  order?: RunOrder,
): Steps<Page<RunSummary> | undefined> {
  return order === undefined
    ? yield* newestRuns(dialect, filter, limit, cursor)
    : yield* sortedRuns(dialect, filter, limit, cursor, order);
}

function* newestRuns(
  dialect: Dialect,
  filter: RunFilter,
  limit: number,
  cursor: string | null,
): Steps<Page<RunSummary> | undefined> {
  const below = cursor === null ? (yield* numberAt(dialect, "max", "runs")) + 1 : numberOf(cursor);
  if (below === undefined) return undefined;
  const floor = floorOf(below, filter.text);
  const where = allOf(
    sql`seq < ${below} AND seq >= ${floor}`,
    ...facetConditions(dialect, filter),
    ...commonConditions(dialect, filter),
  );
  const rows = yield* selectRuns(dialect, sql`${where} ORDER BY seq DESC LIMIT ${limit + 1}`);
  const items = yield* summariesOf(dialect, rows.slice(0, limit));
  if (rows.length > limit) return { items, next: cursorAt(rows[limit - 1]?.["seq"]) };
  const isMore = floor > 0 && floor > (yield* numberAt(dialect, "min", "runs"));
  return { items, next: isMore ? cursorAt(floor) : null };
}

const sortColumns: Readonly<Record<RunOrder["by"], string>> = {
  began: "start_ms",
  took: "duration_ms",
  tokens: "total_tokens",
  cost: "cost_usd",
};

/**
 * Returns a page of runs in the given order. Selects the run numbers first, so that SQLite can sort by an index, without reading the long
 * rows.
 */
function* sortedRuns(
  dialect: Dialect,
  filter: RunFilter,
  limit: number,
  cursor: string | null,
  { by, isAscending }: RunOrder,
): Steps<Page<RunSummary> | undefined> {
  const column = raw(sortColumns[by]);
  const direction = raw(isAscending ? "ASC" : "DESC");
  const from = cursor === null ? null : placeOf(cursor);
  if (from === undefined) return undefined;
  const where = allOf(
    sql`seen_ms >= 0`,
    when(from ?? undefined, (place) => behind(place, column, isAscending)),
    ...facetConditions(dialect, filter),
    ...commonConditions(dialect, filter),
  );
  const inOrder = sql`(${column} IS NULL), ${column} ${direction}, seq DESC`;
  const numbers = sql`
    SELECT seq FROM ${raw(dialect.prefix)}runs WHERE ${where} ORDER BY ${inOrder} LIMIT ${limit + 1}`;
  const rows = yield* selectRuns(dialect, sql`seq IN (${numbers}) ORDER BY ${inOrder}`);
  const items = yield* summariesOf(dialect, rows.slice(0, limit));
  const last = rows[limit - 1];
  const next = rows.length > limit && last !== undefined ? placeText(last, sortColumns[by]) : null;
  return { items, next };
}

/** Position in a sorted list of runs: the number and sort value of a page's last run. */
interface SortedPlace {
  readonly seq: number;
  readonly value: number | null;
}

function behind({ seq, value }: SortedPlace, column: Sql, isAscending: boolean): Sql {
  if (value === null) return sql`(${column} IS NULL AND seq < ${seq})`;
  const further = raw(isAscending ? ">" : "<");
  return sql`(${column} ${further} ${value} OR (${column} = ${value} AND seq < ${seq}) OR ${column} IS NULL)`;
}

function placeText(row: Row, column: string): string {
  const value = numberOrNull(row[column]);
  return value === null ? cursorAt(row["seq"]) : `${cursorAt(row["seq"])}~${value}`;
}

/** Parses a cursor. Returns undefined for an invalid cursor. */
function placeOf(cursor: string): SortedPlace | undefined {
  const [first = "", second] = cursor.split("~", 2);
  const seq = numberOf(first);
  const value = second === undefined ? null : Number(second);
  return seq === undefined || second === "" || Number.isNaN(value) ? undefined : { seq, value };
}

function* selectRuns(dialect: Dialect, where: Sql): Steps<readonly Row[]> {
  return yield sql`
    SELECT seq, run_id, agent, service, conversation_id, query, outcome, complete, start_ms, duration_ms,
      total_tokens, cost_usd, models, version, seen_ms, ${dialect.errorOfRun} AS error
    FROM ${raw(dialect.prefix)}runs WHERE ${where}`;
}

function* summariesOf(dialect: Dialect, rows: readonly Row[]): Steps<RunSummary[]> {
  const verdicts = yield* verdictsByRunId(dialect, rows);
  return rows.map((row) => summaryOf(row, verdicts.get(row["run_id"]) ?? []));
}

export function* runJson({ prefix }: Dialect, runId: string): Steps<string | undefined> {
  const [row] = yield sql`SELECT json FROM ${raw(prefix)}runs WHERE run_id = ${runId}`;
  return row && String(row["json"]);
}

/**
 * Returns the telemetry of a run; undefined if the run does not exist. The result contains the telemetry of all processes that received
 * spans of the run's traces.
 */
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

/** Returns a page of runs that match no query of a spec, or several queries, newest first; undefined for an invalid `cursor`. */
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
  { prefix, outlineOfVerdict }: Dialect,
  runs: readonly Row[],
): Steps<ReadonlyMap<unknown, readonly VerdictSummary[]>> {
  const byRunId = new Map<unknown, VerdictSummary[]>(runs.map((row) => [row["run_id"], []]));
  if (runs.length === 0) return byRunId;
  const rows = yield sql`
    SELECT run_id, verdict_id, spec, query_id, outcome, ${outlineOfVerdict} AS outline
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
    version: textOrNull(row["version"]),
    seen_unix_ms: Number(row["seen_ms"]),
    verdicts,
  };
}

/** Maximum number of reasons of a verdict in a list of runs. */
const MOST_REASONS = 3;
const LONGEST_REASON = 300;

/** The parts of a verdict's JSON that lists show. In a damaged row, fields may be missing. */
interface Outline {
  readonly expected_fail?: boolean;
  readonly layers?: Partial<Record<Layer, Partial<OutlinedLayer> | null>>;
}

interface OutlinedLayer {
  readonly outcome: Outcome | null;
  readonly checks: readonly Partial<Omit<VerdictReason, "layer">>[];
}

function verdictSummaryOf(row: Row): VerdictSummary {
  const outline = jsonOrNull(row["outline"]) as Outline | null;
  const of = (layer: Layer): Outcome => outline?.layers?.[layer]?.outcome ?? "skip";
  const outcome = row["outcome"] as Outcome;
  return {
    verdict_id: String(row["verdict_id"]),
    spec: String(row["spec"]),
    query_id: String(row["query_id"]),
    outcome,
    layers: { correctness: of("correctness"), path: of("path"), cost: of("cost") },
    expected_fail: outline?.expected_fail === true,
    reasons: reasonsOf(outline, outcome),
  };
}

function reasonsOf(outline: Outline | null, outcome: Outcome): VerdictReason[] {
  const reasons = layers.flatMap((layer) => {
    const checks = outline?.layers?.[layer]?.checks ?? [];
    return checks.flatMap(({ check, outcome: result, message }) =>
      check === undefined || result === undefined || result === "pass" || result === "skip"
        ? []
        : [{ layer, check, outcome: result, message: (textOrNull(message) ?? "").slice(0, LONGEST_REASON) }],
    );
  });
  const deciding = reasons.filter((reason) => reason.outcome === outcome);
  const others = reasons.filter((reason) => reason.outcome !== outcome);
  return [...deciding, ...others].slice(0, MOST_REASONS);
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
