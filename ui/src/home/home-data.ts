import { ApiError, ask } from "../api.ts";
import { rangeMs, type TimeRange } from "../parts/time-range.tsx";
import type { Outcome } from "../types.ts";
import { type HomeGroup, homeGroups, type ProblemGroup } from "./home-groups.ts";
import { type SpecWithRows, type TableRows, tableRowsOf } from "../tables/table-rows.ts";
import type { Sums } from "../views/query-data.ts";

export interface HomeData {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly groups: readonly HomeGroup[];
  /** The queries that are rows of tables, with the place of each row. */
  readonly rows: TableRows;
  readonly queries: readonly Sums[];
  /** Sums over all queries, one entry for each step of time. */
  readonly trend: readonly Sums[];
  readonly bucketMs: number;
  /** Number of queries of the specs that have no run in this period. */
  readonly queriesWithoutRun: number;
}

const hourMs = 3_600_000;
const longestInHours = 72 * hourMs;
/** Number of groups to load, before rows of tables are combined. */
const mostGroups = "2000";

/** Loads the data of the Home view. Resolves to null if the collector stores no sums. */
export async function loadHome(range: TimeRange): Promise<HomeData | null> {
  const parameters = { since: range.since, until: range.until };
  const isShort = (rangeMs(range) ?? longestInHours) <= longestInHours;
  try {
    const [problems, { queries }, { trends }, { specs }] = await Promise.all([
      ask<{ since_unix_ms: number; until_unix_ms: number; groups: ProblemGroup[] }>("/api/v1/problems", {
        parameters: { ...parameters, limit: mostGroups },
      }),
      ask<{ queries: Sums[] }>("/api/v1/queries", { parameters }),
      ask<{ trends: Sums[] }>("/api/v1/trends", {
        parameters: { ...parameters, bucket: isShort ? "hour" : "day" },
      }),
      ask<{ specs: SpecWithRows[] }>("/api/v1/specs"),
    ]);
    const seen = new Set(queries.map(({ spec, query_id: id }) => JSON.stringify([spec, id])));
    const all = specs.flatMap(({ name, queries: of }) => of.map(({ id }) => JSON.stringify([name, id])));
    const rows = tableRowsOf(specs);
    return {
      sinceMs: problems.since_unix_ms,
      untilMs: problems.until_unix_ms,
      groups: homeGroups(problems.groups, rows),
      rows,
      queries,
      trend: trends,
      bucketMs: isShort ? hourMs : 24 * hourMs,
      queriesWithoutRun: all.filter((key) => !seen.has(key)).length,
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Returns the number of verdicts by outcome. */
export function countsOf(sums: readonly Sums[]): Readonly<Partial<Record<Outcome, number>>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcomes } of sums) {
    for (const [outcome, count] of Object.entries(outcomes)) {
      counts[outcome as Outcome] = (counts[outcome as Outcome] ?? 0) + count;
    }
  }
  return counts;
}
