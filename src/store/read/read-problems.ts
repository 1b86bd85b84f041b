import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Outcome } from "../../model/outcome.ts";
import type { ProblemGroup, Window } from "../archive.ts";
import { allOf, between, type Dialect, equal, type Row, type Steps } from "../sql/dialect.ts";
import { textOrNull } from "../write/row-values.ts";
import { groupBy } from "../../support/structures/group-by.ts";

/** Maximum number of different reasons that are read for all groups together. */
const MOST_REASONS = 2_000;
const REASONS_OF_GROUP = 5;

const severity: readonly unknown[] = ["fail", "error", "incomplete", "warn"];

/** Groups the verdicts that neither passed nor were skipped. */
export function* problemsOf(dialect: Dialect, window: Window, limit: number): Steps<ProblemGroup[]> {
  const verdicts = raw(`${dialect.prefix}verdicts`);
  const where = conditions(dialect, window);
  const groups = yield sql`
    SELECT spec, query_id, outcome, checks, count(*) AS verdicts, min(judged_ms) AS first_ms, max(judged_ms) AS last_ms,
      max(seq) AS newest
    FROM ${verdicts} WHERE ${where} GROUP BY spec, query_id, outcome, checks`;
  const shown = groups.toSorted(worstFirst).slice(0, limit);
  if (shown.length === 0) return [];
  const reasons = yield sql`
    SELECT spec, query_id, outcome, checks, reason, count(*) AS verdicts
    FROM ${verdicts} WHERE ${where} AND reason <> '' GROUP BY spec, query_id, outcome, checks, reason
    ORDER BY 6 DESC, reason LIMIT ${MOST_REASONS}`;
  const newest = join(shown.map((row) => Number(row["newest"])));
  const examples = yield sql`
    SELECT v.seq, v.run_id, v.agent, r.query
    FROM ${verdicts} v LEFT JOIN ${raw(`${dialect.prefix}runs`)} r ON r.run_id = v.run_id WHERE v.seq IN (${newest})`;
  const reasonsByGroup = groupBy(reasons, keyOf);
  const exampleBySeq = new Map(examples.map((row) => [Number(row["seq"]), row]));
  return shown.map((row) =>
    groupOf(row, reasonsByGroup.get(keyOf(row)) ?? [], exampleBySeq.get(Number(row["newest"])) ?? {}),
  );
}

function conditions(dialect: Dialect, { agent, spec, query, ...times }: Window): Sql {
  return allOf(
    sql`latest AND outcome NOT IN ('pass', 'skip')`,
    between("judged_ms", times),
    equal("spec", spec),
    equal("query_id", query),
    equal("agent_folded", agent === undefined ? undefined : dialect.foldAgent(agent)),
  );
}

function worstFirst(a: Row, b: Row): number {
  return (
    severity.indexOf(a["outcome"]) - severity.indexOf(b["outcome"]) ||
    Number(b["verdicts"]) - Number(a["verdicts"]) ||
    Number(b["newest"]) - Number(a["newest"])
  );
}

function keyOf(row: Row): string {
  return JSON.stringify([row["spec"], row["query_id"], row["outcome"], row["checks"]]);
}

function groupOf(row: Row, reasons: readonly Row[], example: Row): ProblemGroup {
  return {
    spec: String(row["spec"]),
    query_id: String(row["query_id"]),
    outcome: row["outcome"] as Outcome,
    checks: textOrNull(row["checks"])?.split(",") ?? null,
    verdicts: Number(row["verdicts"]),
    first_unix_ms: Number(row["first_ms"]),
    last_unix_ms: Number(row["last_ms"]),
    reasons: reasons.slice(0, REASONS_OF_GROUP).map((one) => ({
      text: String(one["reason"]),
      verdicts: Number(one["verdicts"]),
    })),
    example: {
      run_id: String(example["run_id"]),
      query: textOrNull(example["query"]),
      agent: textOrNull(example["agent"]),
    },
  };
}
