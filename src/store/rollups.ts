import type { Database, Row, Statement, Value } from "./database.ts";

export const HOUR_MS = 3_600_000;
export const DAY_HOURS = 24;

/** Tables of sums, with the length of a row's time in hours. */
const tables = [
  { table: "hours", column: "hour", hours: 1 },
  { table: "days", column: "day", hours: DAY_HOURS },
] as const;

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
 * Sums by spec, query, agent, outcome and hour, and by day, kept beside the verdicts: rates and trends over months are read from some
 * thousand rows instead of all verdicts. Only the newest revision of a verdict counts.
 */
export class Rollups {
  readonly #adding: readonly { readonly hours: number; readonly add: Statement }[];

  constructor(database: Database) {
    this.#adding = tables.map(({ table, column, hours }) => ({
      hours,
      add: database.prepare(`
      INSERT INTO ${table} (spec, query_id, agent, ${column}, outcome, verdicts, duration_ms, cost_usd, costs, tokens, token_counts)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (spec, query_id, agent, ${column}, outcome) DO UPDATE SET
        verdicts = verdicts + excluded.verdicts, duration_ms = duration_ms + excluded.duration_ms,
        cost_usd = cost_usd + excluded.cost_usd, costs = costs + excluded.costs,
        tokens = tokens + excluded.tokens, token_counts = token_counts + excluded.token_counts`),
    }));
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
    const cost = [sign * (costUsd ?? 0), costUsd === null ? 0 : sign];
    const tokens = [sign * (totalTokens ?? 0), totalTokens === null ? 0 : sign];
    for (const { hours, add } of this.#adding) {
      const time = Math.floor(judgedMs / (HOUR_MS * hours));
      const place: Value[] = [spec, queryId, agent ?? "", time, outcome];
      add.run(...place, sign, sign * durationMs, ...cost, ...tokens);
    }
  }
}

/** Forgets what was before, in whole hours. To be called inside a transaction. */
export function trimRollups(database: Database, cutoffUnixMs: number): void {
  const hour = Math.floor(cutoffUnixMs / HOUR_MS);
  if (Number(database.prepare("DELETE FROM hours WHERE hour < ?").run(hour).changes) === 0) return;
  const day = Math.floor(hour / DAY_HOURS);
  database.prepare("DELETE FROM days WHERE day <= ?").run(day);
  // The day that is cut has what is left of its hours.
  database
    .prepare(`${daysOfHours} WHERE hour >= ? AND hour < ? GROUP BY spec, query_id, agent, hour / 24, outcome`)
    .run(day * DAY_HOURS, (day + 1) * DAY_HOURS);
}

const daysOfHours = `
  INSERT INTO days (spec, query_id, agent, day, outcome, verdicts, duration_ms, cost_usd, costs, tokens, token_counts)
  SELECT spec, query_id, agent, hour / 24, outcome, sum(verdicts), sum(duration_ms), sum(cost_usd), sum(costs),
    sum(tokens), sum(token_counts)
  FROM hours`;
