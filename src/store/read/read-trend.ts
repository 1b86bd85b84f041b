import sql, { raw, type Sql } from "sql-template-tag";
import type { Outcome } from "../../model/outcome.ts";
import type { RunSetting, TimedVerdict, TrendFilter } from "../archive.ts";
import { allOf, between, type Dialect, equal, type Row, type Steps } from "../sql/dialect.ts";
import { jsonOrNull, numberOrNull, textOrNull, textsIn } from "../write/row-values.ts";

/**
 * Returns the verdicts of one query in a period. If the period has more than `limit` verdicts, returns about `limit` of them, evenly
 * spread.
 */
export function* timedVerdictsOf(
  dialect: Dialect,
  filter: TrendFilter,
  limit: number,
): Steps<TimedVerdict[]> {
  const { since, until, spec, query } = filter;
  const sums = yield* dialect.sums({ since, until, spec, query }, null);
  const count = sums.reduce((total, { verdicts }) => total + verdicts, 0);
  const each = Math.max(1, Math.ceil(count / limit));
  const spread = each === 1 ? undefined : sql`v.seq % ${each} = 0`;
  const rows = yield sql`
    SELECT v.judged_ms, v.outcome, v.duration_ms, v.cost_usd, v.tokens
    FROM ${raw(dialect.prefix)}verdicts v WHERE ${conditionsOf(filter, spread)}`;
  return rows.map((row) => ({
    judgedUnixMs: Number(row["judged_ms"]),
    outcome: row["outcome"] as Outcome,
    durationMs: Number(row["duration_ms"]),
    costUsd: numberOrNull(row["cost_usd"]),
    tokens: numberOrNull(row["tokens"]),
  }));
}

export function* settingsOf(dialect: Dialect, filter: TrendFilter, limit: number): Steps<RunSetting[]> {
  const prefix = raw(dialect.prefix);
  const rows = yield sql`
    SELECT r.version, r.models, ${dialect.toolsOfRun} AS tools, ${dialect.specHashOfVerdict} AS spec_hash
    FROM ${prefix}verdicts v JOIN ${prefix}runs r ON r.run_id = v.run_id
    WHERE ${conditionsOf(filter)} ORDER BY v.seq DESC LIMIT ${limit}`;
  return rows.map(settingOf);
}

function settingOf(row: Row): RunSetting {
  const tools = jsonOrNull(row["tools"]);
  return {
    version: textOrNull(row["version"]),
    models: textsIn(row["models"]),
    specHash: textOrNull(row["spec_hash"]),
    tools: Array.isArray(tools) && tools.every((name) => typeof name === "string") ? tools : null,
  };
}

function conditionsOf({ spec, query, since, until }: TrendFilter, more?: Sql): Sql {
  return allOf(
    sql`v.latest`,
    equal("v.query_id", query),
    equal("v.spec", spec),
    between("v.judged_ms", { since, until }),
    more,
  );
}
