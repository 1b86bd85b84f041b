import type { PoolClient } from "pg";
import { worst } from "../../model/outcome.ts";
import type { JudgedRecord, RunRecord } from "../stored.ts";
import { type Columns, insertRows, withoutNul } from "./insert.ts";
import { foldAgent } from "./names.ts";
import { markSplit } from "./split-traces.ts";

/** Longest text of a verdict that can be searched, in characters. */
const SEARCHABLE = 1000;

/**
 * Puts records into the tables, in the order given; to be called in a transaction that has the lock of writers. A verdict that is there
 * already changes nothing, an older revision takes its place behind the newer ones.
 */
export async function writeRecords(
  client: PoolClient,
  records: readonly JudgedRecord[],
  worker: string,
): Promise<void> {
  await writeRuns(client, records, worker);
  await writeTelemetry(client, records, worker);
  await writeVerdicts(client, records, worker);
  await writeUnjudged(client, records);
  await markSplit(client, [...new Set(records.flatMap(({ run }) => run.traceIds))]);
}

const runColumns: Columns = {
  run_id: "text",
  agent: "text",
  agent_folded: "text",
  service: "text",
  conversation_id: "text",
  query: "text",
  query_small: "text",
  outcome: "text",
  complete: "boolean",
  start_ms: "double precision",
  duration_ms: "double precision",
  total_tokens: "double precision",
  cost_usd: "double precision",
  models: "text",
  tools: "text",
  attributes: "text",
  seen_ms: "bigint",
  worker: "text",
  json: "text",
};

async function writeRuns(
  client: PoolClient,
  records: readonly JudgedRecord[],
  worker: string,
): Promise<void> {
  // The last word about a run counts; one statement cannot say two.
  const newest = new Map(records.map((record) => [record.run.runId, record]));
  const rows = [...newest.values()].map(({ run, verdicts, judgedUnixMs }) => {
    const outcome = verdicts.length === 0 ? null : worst(verdicts.map((verdict) => verdict.outcome));
    const { tools, attributes } = looksOf(run);
    return [
      run.runId,
      run.agent,
      foldAgent(run.agent),
      run.service,
      run.conversationId,
      run.query,
      run.query?.toLowerCase() ?? null,
      outcome,
      run.complete,
      run.startUnixMs,
      run.durationMs,
      run.totalTokens,
      run.costUsd,
      JSON.stringify(run.models),
      JSON.stringify(tools),
      // An array of arrays would be taken apart: this one goes as text.
      arrayText(attributes),
      judgedUnixMs,
      worker,
      run.json,
    ];
  });
  const replaced = Object.keys(runColumns).filter((name) => name !== "run_id");
  await insertRows(client, "runs", runColumns, rows, {
    casts: { attributes: "text[]" },
    ending: `ON CONFLICT (run_id) DO UPDATE SET ${replaced.map((name) => `${name} = excluded.${name}`).join(", ")}
           WHERE runs.seen_ms <= excluded.seen_ms`,
  });
  const traces = [...newest.values()].flatMap(({ run }) => run.traceIds.map((id) => [id, run.runId]));
  await insertRows(client, "run_traces", { trace_id: "text", run_id: "text" }, traces, {
    ending: "ON CONFLICT DO NOTHING",
  });
}

async function writeTelemetry(
  client: PoolClient,
  records: readonly JudgedRecord[],
  worker: string,
): Promise<void> {
  const newest = new Map(records.flatMap(({ telemetry }) => [...(telemetry ?? [])]));
  if (newest.size === 0) return;
  const sql = "DELETE FROM tracejury.telemetry WHERE trace_id = ANY($1) AND worker = $2";
  await client.query(sql, [[...newest.keys()], worker]);
  const rows = [...newest].flatMap(([traceId, parts]) =>
    parts.map(({ signal, encoding, bytes }, part) => [
      traceId,
      worker,
      part,
      signal,
      encoding,
      Buffer.from(bytes),
    ]),
  );
  const columns = {
    trace_id: "text",
    worker: "text",
    part: "integer",
    signal: "text",
    encoding: "text",
    bytes: "bytea",
  };
  await insertRows(client, "telemetry", columns, rows);
}

const verdictColumns: Columns = {
  verdict_id: "text",
  revision: "integer",
  latest: "boolean",
  run_id: "text",
  spec: "text",
  query_id: "text",
  agent: "text",
  agent_folded: "text",
  outcome: "text",
  split: "boolean",
  judged_ms: "bigint",
  first_ms: "bigint",
  trace_ids: "text",
  duration_ms: "double precision",
  cost_usd: "double precision",
  tokens: "double precision",
  text: "text",
  worker: "text",
  json: "text",
};

async function writeVerdicts(
  client: PoolClient,
  records: readonly JudgedRecord[],
  worker: string,
): Promise<void> {
  const rows = records.flatMap(({ run, verdicts, judgedUnixMs }) =>
    verdicts.map((verdict) => [
      verdict.verdictId,
      verdict.revision,
      true,
      run.runId,
      verdict.spec,
      verdict.queryId,
      run.agent,
      foldAgent(run.agent),
      verdict.outcome,
      run.split === true,
      judgedUnixMs,
      judgedUnixMs,
      JSON.stringify(run.traceIds),
      run.durationMs,
      run.costUsd,
      run.totalTokens,
      `${run.query ?? ""}\n${run.answer ?? ""}`.slice(0, SEARCHABLE).toLowerCase(),
      worker,
      verdict.json,
    ]),
  );
  if (rows.length === 0) return;
  await insertRows(client, "verdicts", verdictColumns, rows, { ending: "ON CONFLICT DO NOTHING" });
  const ids = [...new Set(rows.map(([id]) => id))];
  await client.query(
    `UPDATE tracejury.verdicts v SET latest = (v.revision = n.newest), first_ms = n.first
     FROM (SELECT verdict_id, max(revision) AS newest, min(first_ms) AS first
           FROM tracejury.verdicts WHERE verdict_id = ANY($1) GROUP BY verdict_id HAVING count(*) > 1) n
     WHERE v.verdict_id = n.verdict_id AND (v.latest <> (v.revision = n.newest) OR v.first_ms <> n.first)`,
    [ids],
  );
  await client.query(
    `DELETE FROM tracejury.unjudged u USING unnest($1::text[], $2::text[]) AS j(run_id, spec)
     WHERE u.run_id = j.run_id AND u.spec = j.spec`,
    [rows.map((row) => row[3]), rows.map((row) => withoutNul(row[4]))],
  );
}

async function writeUnjudged(client: PoolClient, records: readonly JudgedRecord[]): Promise<void> {
  const newest = new Map(
    records.flatMap(({ run, unjudged, judgedUnixMs }) =>
      unjudged.map(({ spec, reason, candidates }) => [
        JSON.stringify([run.runId, spec]),
        [
          run.runId,
          spec,
          reason,
          JSON.stringify(candidates),
          run.agent,
          run.query?.slice(0, SEARCHABLE) ?? null,
          judgedUnixMs,
        ],
      ]),
    ),
  );
  const columns = {
    run_id: "text",
    spec: "text",
    reason: "text",
    candidates: "text",
    agent: "text",
    query: "text",
    judged_ms: "bigint",
  };
  await insertRows(client, "unjudged", columns, [...newest.values()], {
    ending:
      "ON CONFLICT (run_id, spec) DO UPDATE SET reason = excluded.reason, candidates = excluded.candidates",
  });
}

/** What comparisons ask of a run: the tools it used, in order, and its attributes. */
function looksOf({ json }: RunRecord): { readonly tools: string[]; readonly attributes: string[] } {
  const { tools = [], attributes = {} } = JSON.parse(json) as {
    tools?: readonly { readonly name: string | null; readonly executed: boolean | null }[];
    attributes?: Readonly<Record<string, unknown>>;
  };
  return {
    tools: tools.filter(({ executed }) => executed !== false).map(({ name }) => name ?? "(unnamed)"),
    attributes: Object.entries(attributes).map(([key, value]) => attributeText(key, String(value))),
  };
}

/** Key and value as one text that no other pair gives. */
export function attributeText(key: string, value: string): string {
  return JSON.stringify([key, value]);
}

function arrayText(texts: readonly string[]): string {
  const quoted = texts.map((text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`);
  return `{${quoted.join(",")}}`;
}
