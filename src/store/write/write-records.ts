import sql, { join, raw, type Sql } from "sql-template-tag";
import { isObject, type JsonValue } from "../../model/json.ts";
import { worst } from "../../model/outcome.ts";
import type { Dialect, Row, Steps } from "../sql/dialect.ts";
import { deleteRuns } from "./delete-runs.ts";
import { jsonOrNull } from "./row-values.ts";
import type { JudgedRecord } from "../read/stored.ts";

/** Number of characters that text search covers: the beginning of the run's query and answer, joined in this order. */
const SEARCHABLE = 1000;
const AT_A_TIME = 500;

/**
 * Writes records in order. If a run has several records, the fields of the run are those of the last record. An existing revision of a
 * verdict is not written again, and an older revision does not replace a newer one. Deletes the runs that the records replace. The caller
 * has an open transaction.
 */
export function* writeRecords(dialect: Dialect, records: readonly JudgedRecord[]): Steps<void> {
  const { tables } = dialect;
  const newest = [...new Map(records.map((record) => [record.run.runId, record])).values()];
  yield { into: tables.runs, rows: newest.map((record) => runRow(dialect, record)) };
  const traces = newest.flatMap(({ run }) => run.traceIds.map((id) => ({ trace_id: id, run_id: run.runId })));
  yield { into: tables.runTraces, rows: traces };
  yield* writeTelemetry(dialect, records);
  yield* dialect.writeVerdicts(records.flatMap((record) => verdictRows(dialect, record)));
  yield* deleteStale(dialect, records);
  yield* writeUnjudged(dialect, records);
  const replaced = records.flatMap(({ replacedRuns = [] }) => replacedRuns);
  for (const ids of portionsOf(replaced)) {
    yield* dialect.uncount(sql`run_id IN (${join(ids)})`);
    yield* deleteRuns(dialect, ids);
  }
}

/**
 * Deletes verdicts of runs that late spans changed so that the verdict's query or spec no longer matches the run. Verdicts of conversations
 * remain: they have the id of the conversation's first run, and a later version of the conversation replaces them.
 */
function* deleteStale(dialect: Dialect, records: readonly JudgedRecord[]): Steps<void> {
  const verdicts = sql`${raw(dialect.prefix)}verdicts`;
  const idsByRun = newestVerdictIds(records);
  for (const runs of portionsOf([...idsByRun.keys()])) {
    const all =
      yield sql`SELECT DISTINCT run_id, verdict_id FROM ${verdicts} WHERE run_id IN (${join(runs)})`;
    const others = all.flatMap(({ run_id: run, verdict_id: id }) =>
      idsByRun.get(String(run))?.has(String(id)) === true ? [] : [String(id)],
    );
    for (const ids of portionsOf(others)) {
      const rows =
        yield sql`SELECT verdict_id, json FROM ${verdicts} WHERE verdict_id IN (${join(ids)}) AND latest`;
      const stale = rows
        .filter(({ json }) => !isOfConversation(json))
        .map(({ verdict_id: id }) => String(id));
      if (stale.length === 0) continue;
      const those = sql`verdict_id IN (${join(stale)})`;
      yield* dialect.uncount(those);
      yield sql`DELETE FROM ${verdicts} WHERE ${those}`;
    }
  }
}

/** Returns the ids of the verdicts of each run that late spans changed, since its newest version, by run id. */
function newestVerdictIds(records: readonly JudgedRecord[]): ReadonlyMap<string, ReadonlySet<string>> {
  const idsByRun = new Map<string, Set<string>>();
  for (const { run, verdicts, isRevision } of records) {
    const known = isRevision === true ? new Set<string>() : idsByRun.get(run.runId);
    if (known === undefined) continue;
    for (const { verdictId } of verdicts) known.add(verdictId);
    idsByRun.set(run.runId, known);
  }
  return idsByRun;
}

function isOfConversation(json: unknown): boolean {
  const verdict = jsonOrNull(json) as JsonValue;
  return isObject(verdict) && verdict["turn_run_ids"] !== undefined;
}

/** Replaces each trace's stored telemetry by the trace's latest telemetry. */
function* writeTelemetry(dialect: Dialect, records: readonly JudgedRecord[]): Steps<void> {
  const newest = new Map(records.flatMap(({ telemetry }) => [...(telemetry ?? [])]));
  for (const ids of portionsOf([...newest.keys()])) {
    yield sql`
      DELETE FROM ${raw(dialect.prefix)}telemetry WHERE trace_id IN (${join(ids)}) ${dialect.ownTelemetry}`;
  }
  const rows = [...newest].flatMap(([traceId, parts]) =>
    parts.map((one, part) => ({ trace_id: traceId, part, ...one, ...dialect.moreOfTelemetry })),
  );
  yield { into: dialect.tables.telemetry, rows };
}

/** Records for each run which specs gave no verdict, and why. If the spec later gives a verdict about the run, this record is deleted. */
function* writeUnjudged({ tables, prefix }: Dialect, records: readonly JudgedRecord[]): Steps<void> {
  const unjudgedRows = new Map<string, Row>();
  const judged = new Map<string, Sql>();
  for (const { run, verdicts, unjudged, judgedUnixMs } of records) {
    for (const { spec } of verdicts) {
      const key = JSON.stringify([run.runId, spec]);
      judged.set(key, sql`(${run.runId}, ${spec})`);
      unjudgedRows.delete(key);
    }
    for (const { spec, reason, candidates } of unjudged) {
      unjudgedRows.set(JSON.stringify([run.runId, spec]), {
        run_id: run.runId,
        spec,
        reason,
        candidates: JSON.stringify(candidates),
        agent: run.agent,
        query: run.query?.slice(0, SEARCHABLE) ?? null,
        judged_ms: judgedUnixMs,
      });
    }
  }
  for (const pairs of portionsOf([...judged.values()])) {
    yield sql`DELETE FROM ${raw(prefix)}unjudged WHERE (run_id, spec) IN (VALUES ${join(pairs)})`;
  }
  yield { into: tables.unjudged, rows: [...unjudgedRows.values()] };
}

function runRow(dialect: Dialect, { run, verdicts, judgedUnixMs }: JudgedRecord): Row {
  return {
    run_id: run.runId,
    agent: run.agent,
    agent_folded: run.agent === null ? null : dialect.foldAgent(run.agent),
    service: run.service,
    conversation_id: run.conversationId,
    query: run.query,
    outcome: verdicts.length === 0 ? null : worst(verdicts.map((verdict) => verdict.outcome)),
    complete: run.complete,
    start_ms: run.startUnixMs,
    duration_ms: run.durationMs,
    total_tokens: run.totalTokens,
    cost_usd: run.costUsd,
    models: JSON.stringify(run.models),
    version: run.version ?? null,
    unmet_checks: JSON.stringify([...new Set(verdicts.flatMap(({ unmetChecks = [] }) => unmetChecks))]),
    query_ids: JSON.stringify([...new Set(verdicts.map(({ queryId }) => queryId))]),
    seen_ms: judgedUnixMs,
    json: run.json,
    ...dialect.moreOfRun(run),
  };
}

function verdictRows(dialect: Dialect, { run, verdicts, judgedUnixMs }: JudgedRecord): Row[] {
  const ofRun = {
    latest: true,
    run_id: run.runId,
    agent: run.agent,
    agent_folded: run.agent === null ? null : dialect.foldAgent(run.agent),
    judged_ms: judgedUnixMs,
    trace_ids: JSON.stringify(run.traceIds),
    duration_ms: run.durationMs,
    cost_usd: run.costUsd,
    tokens: run.totalTokens,
    text: `${run.query ?? ""}\n${run.answer ?? ""}`.slice(0, SEARCHABLE).toLowerCase(),
    ...dialect.moreOfVerdict(run, judgedUnixMs),
  };
  return verdicts.map(({ verdictId, revision, spec, queryId, outcome, decidedBy, json }) => ({
    ...ofRun,
    checks: decidedBy?.checks.join(",") ?? null,
    reason: decidedBy?.text ?? null,
    verdict_id: verdictId,
    revision,
    spec,
    query_id: queryId,
    outcome,
    json,
  }));
}

/** Splits items into portions, because SQL statements accept a limited number of values. */
function* portionsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += AT_A_TIME) yield items.slice(at, at + AT_A_TIME);
}
