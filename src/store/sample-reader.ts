import type { JudgedSample, SampleFilter } from "../api/store.ts";
import { foldName } from "../evaluate/fold-name.ts";
import type { Outcome } from "../model/outcome.ts";
import { Conditions } from "./conditions.ts";
import type { Database, Row } from "./database.ts";
import { soundJson } from "./json-column.ts";

/** The newest verdicts that fit, with what a comparison looks at. */
export function samplesOf(database: Database, filter: SampleFilter, limit: number): JudgedSample[] {
  const conditions = new Conditions()
    .always("v.latest = 1")
    .add("v.spec = ?", filter.spec)
    .add("v.query_id = ?", filter.query)
    .add("v.agent_folded = ?", filter.agent === undefined ? undefined : foldName(filter.agent))
    .add("instr(lower(r.models), ?) > 0", filter.model?.toLowerCase())
    .add("v.judged_ms >= ?", filter.since)
    .add("v.judged_ms < ?", filter.until)
    .add(
      `EXISTS (SELECT 1 FROM json_each(${soundJson("r.json")}, '$.attributes') WHERE key = ? AND value = ?)`,
      filter.attribute,
    );
  const rows = database
    .prepare(
      `SELECT v.run_id, v.spec, v.query_id, json_extract(${soundJson("v.json")}, '$.match.how') AS how, r.query, v.outcome, v.duration_ms, v.cost_usd, v.tokens,
         (SELECT json_group_array(json_extract(value, '$.name')) FROM json_each(${soundJson("r.json")}, '$.tools')
          WHERE type = 'object' AND json_extract(value, '$.executed') IS NOT 0) AS tools
       FROM verdicts v JOIN runs r ON r.run_id = v.run_id
       WHERE ${conditions.sql} ORDER BY v.seq DESC LIMIT ?`,
    )
    .all(...conditions.values, limit);
  return rows.map(sampleOf);
}

function sampleOf(row: Row): JudgedSample {
  const tools = JSON.parse(String(row["tools"])) as (string | null)[];
  return {
    runId: String(row["run_id"]),
    spec: String(row["spec"]),
    queryId: String(row["query_id"]),
    isWildcard: row["how"] === "wildcard",
    query: row["query"] as string | null,
    outcome: row["outcome"] as Outcome,
    durationMs: Number(row["duration_ms"]),
    costUsd: known(row["cost_usd"]),
    tokens: known(row["tokens"]),
    tools: tools.map((name) => name ?? "(unnamed)"),
  };
}

function known(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
