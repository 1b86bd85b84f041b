import sql, { raw } from "sql-template-tag";
import type { Outcome } from "../../model/outcome.ts";
import type { JudgedSample, SampleFilter } from "../archive.ts";
import { allOf, between, type Dialect, equal, type Row, type Steps, when } from "../sql/dialect.ts";
import { jsonOrNull, numberOrNull, textOrNull } from "../write/row-values.ts";

/** Returns the newest verdicts that match the filter, newest first, with the fields that a comparison of samples needs. */
export function* samplesOf(dialect: Dialect, filter: SampleFilter, limit: number): Steps<JudgedSample[]> {
  const { spec, query, agent, model, modelName, service, version, attribute } = filter;
  const prefix = raw(dialect.prefix);
  const where = allOf(
    sql`v.latest`,
    equal("v.spec", spec),
    equal("v.query_id", query),
    equal("v.agent_folded", agent === undefined ? undefined : dialect.foldAgent(agent)),
    when(model, (part) => dialect.contains(sql`lower(r.models)`, part.toLowerCase())),
    when(modelName, (name) => dialect.contains(sql`r.models`, JSON.stringify(name))),
    equal("r.service", service),
    equal("r.version", version),
    between("v.judged_ms", filter),
    when(attribute, ([name, value]) => dialect.hasAttribute(name, value)),
  );
  // Selects the numbers of the verdicts first, so that sorting need not read the JSON of all matching rows.
  const rows = yield sql`
    SELECT v.run_id, v.spec, v.query_id, ${dialect.matchOfVerdict} AS how, r.query, v.outcome, v.duration_ms, v.cost_usd,
      v.tokens, ${dialect.toolsOfRun} AS tools
    FROM (
      SELECT v.seq AS chosen_seq FROM ${prefix}verdicts v JOIN ${prefix}runs r ON r.run_id = v.run_id
      WHERE ${where} ORDER BY v.seq DESC LIMIT ${limit}
    ) chosen
    JOIN ${prefix}verdicts v ON v.seq = chosen.chosen_seq
    JOIN ${prefix}runs r ON r.run_id = v.run_id
    ORDER BY v.seq DESC`;
  return rows.map(sampleOf);
}

function sampleOf(row: Row): JudgedSample {
  const tools = jsonOrNull(row["tools"]) as readonly (string | null)[] | null;
  return {
    runId: String(row["run_id"]),
    spec: String(row["spec"]),
    queryId: String(row["query_id"]),
    isWildcard: row["how"] === "wildcard",
    query: textOrNull(row["query"]),
    outcome: row["outcome"] as Outcome,
    durationMs: Number(row["duration_ms"]),
    costUsd: numberOrNull(row["cost_usd"]),
    tokens: numberOrNull(row["tokens"]),
    tools: (tools ?? []).map((name) => name ?? "(unnamed)"),
  };
}
