import type { Database, Row, Statement, Value } from "./database.ts";

export const HOUR_MS = 3_600_000;

/** What one verdict adds to the sums of its hour. */
export interface Counted {
  readonly spec: string;
  readonly queryId: string;
  readonly agent: string | null;
  readonly outcome: string;
  readonly judgedMs: number;
  readonly durationMs: number;
  readonly costUsd: number | null;
  readonly totalTokens: number | null;
}

/**
 * Sums by spec, query, agent, hour and outcome, kept beside the verdicts: rates and trends over months are read from some thousand
 * rows instead of all verdicts. Only the newest revision of a verdict counts.
 */
export class Hours {
  readonly #add: Statement;

  constructor(database: Database) {
    this.#add = database.prepare(`
      INSERT INTO hours (spec, query_id, agent, hour, outcome, verdicts, duration_ms, cost_usd, costs, tokens, token_counts)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (spec, query_id, agent, hour, outcome) DO UPDATE SET
        verdicts = verdicts + excluded.verdicts, duration_ms = duration_ms + excluded.duration_ms,
        cost_usd = cost_usd + excluded.cost_usd, costs = costs + excluded.costs,
        tokens = tokens + excluded.tokens, token_counts = token_counts + excluded.token_counts`);
  }

  add(counted: Counted): void {
    this.#count(counted, 1);
  }

  /** Takes back what a row of `verdicts` had added. */
  remove(row: Row): void {
    const known = (value: unknown): number | null => (typeof value === "number" ? value : null);
    const agent = row["agent"];
    this.#count(
      {
        spec: String(row["spec"]),
        queryId: String(row["query_id"]),
        agent: typeof agent === "string" ? agent : null,
        outcome: String(row["outcome"]),
        judgedMs: Number(row["judged_ms"]),
        durationMs: Number(row["duration_ms"]),
        costUsd: known(row["cost_usd"]),
        totalTokens: known(row["tokens"]),
      },
      -1,
    );
  }

  #count(counted: Counted, sign: 1 | -1): void {
    const { spec, queryId, agent, outcome, judgedMs, durationMs, costUsd, totalTokens } = counted;
    const place: Value[] = [spec, queryId, agent ?? "", Math.floor(judgedMs / HOUR_MS), outcome];
    const cost = [sign * (costUsd ?? 0), costUsd === null ? 0 : sign];
    const tokens = [sign * (totalTokens ?? 0), totalTokens === null ? 0 : sign];
    this.#add.run(...place, sign, sign * durationMs, ...cost, ...tokens);
  }
}
