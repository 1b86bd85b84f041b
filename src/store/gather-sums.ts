import type { VerdictSums } from "../api/store.ts";
import { foldName } from "../evaluate/fold-name.ts";
import type { Outcome } from "../model/outcome.ts";
import { HOUR_MS } from "./rollups.ts";

/** Sums of one spec, query, agent (empty where not known), bucket (in hours, or null) and outcome; numbers as the driver gives them. */
export type SumRow = Readonly<Record<string, unknown>>;

/** Rows put together over agents and outcomes, in the order of spec, query and bucket. */
export function gathered(rows: readonly SumRow[], agent: string | undefined): VerdictSums[] {
  const wanted = agent === undefined ? null : foldName(agent);
  const groups = new Map<string, SumRow[]>();
  for (const row of rows) {
    if (Number(row["verdicts"]) === 0 || (wanted !== null && foldName(String(row["agent"])) !== wanted))
      continue;
    const key = JSON.stringify([row["spec"], row["query_id"], row["bucket"]]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].map(sum).toSorted(inOrder);
}

function sum(rows: readonly SumRow[]): VerdictSums {
  const total = (column: string): number => rows.reduce((all, row) => all + Number(row[column]), 0);
  const mean = (column: string, count: number): number | null => (count === 0 ? null : total(column) / count);
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const row of rows) {
    const outcome = row["outcome"] as Outcome;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + Number(row["verdicts"]);
  }
  const bucket = rows[0]?.["bucket"];
  const verdicts = total("verdicts");
  const costs = total("costs");
  const tokenCounts = total("token_counts");
  return {
    spec: String(rows[0]?.["spec"]),
    query_id: String(rows[0]?.["query_id"]),
    bucket_unix_ms: bucket === null || bucket === undefined ? null : Number(bucket) * HOUR_MS,
    outcomes,
    verdicts,
    mean_duration_ms: mean("duration_ms", verdicts),
    mean_cost_usd: mean("cost_usd", costs),
    costs,
    mean_tokens: mean("tokens", tokenCounts),
    token_counts: tokenCounts,
    agents: [...new Set(rows.map((row) => String(row["agent"])).filter((name) => name !== ""))].toSorted(),
  };
}

function inOrder(one: VerdictSums, other: VerdictSums): number {
  if (one.spec !== other.spec) return one.spec < other.spec ? -1 : 1;
  if (one.query_id !== other.query_id) return one.query_id < other.query_id ? -1 : 1;
  return (one.bucket_unix_ms ?? 0) - (other.bucket_unix_ms ?? 0);
}
