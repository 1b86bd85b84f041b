import { type Folded, foldRows } from "../tables/fold-rows.ts";
import type { Table, TableRow, TableRows } from "../tables/table-rows.ts";
import type { Outcome } from "../types.ts";

/** An item of `/api/v1/problems`. */
export interface ProblemGroup {
  readonly spec: string;
  readonly query_id: string;
  readonly outcome: Outcome;
  readonly checks: readonly string[] | null;
  readonly verdicts: number;
  readonly first_unix_ms: number;
  readonly last_unix_ms: number;
  readonly reasons: readonly { readonly text: string; readonly verdicts: number }[];
  readonly example: { readonly run_id: string; readonly query: string | null; readonly agent: string | null };
}

/** A row of a table in a group. */
export interface GroupRow extends TableRow {
  readonly queryId: string;
  readonly runId: string;
}

/**
 * Verdicts of one query, or of rows of one table, whose outcome was decided by the same checks. `query` and `example` belong to the latest
 * of these verdicts.
 */
export interface HomeGroup extends ProblemGroup {
  /** The table of which the queries are rows; null if the group is about a single query. */
  readonly table: Table | null;
  /** The rows in the group, sorted by line; empty if the query is not a row of a table. */
  readonly rows: readonly GroupRow[];
}

/** Combines the groups of rows of one table if outcome and checks are the same. The result is sorted by outcome, then by frequency. */
export function homeGroups(groups: readonly ProblemGroup[], rows: TableRows): readonly HomeGroup[] {
  const order = [...new Set(groups.map(({ outcome }) => outcome))];
  return foldRows(
    groups,
    rows,
    (group) => group,
    ({ outcome, checks }) => JSON.stringify([outcome, checks]),
  )
    .map(groupOf)
    .toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome) || b.verdicts - a.verdicts);
}

function groupOf({ first, table, rows }: Folded<ProblemGroup>): HomeGroup {
  const groups = rows.length === 0 ? [first] : rows.map(({ item }) => item);
  const newest = groups.reduce((a, b) => (b.last_unix_ms > a.last_unix_ms ? b : a));
  return {
    ...newest,
    verdicts: groups.reduce((all, { verdicts }) => all + verdicts, 0),
    first_unix_ms: groups.reduce((a, b) => Math.min(a, b.first_unix_ms), Infinity),
    reasons: commonReasons(groups),
    table,
    rows: rows
      .map(({ item, row }) => ({ ...row, queryId: item.query_id, runId: item.example.run_id }))
      .toSorted((a, b) => a.line - b.line),
  };
}

function commonReasons(groups: readonly ProblemGroup[]): ProblemGroup["reasons"] {
  const counts = new Map<string, number>();
  for (const { text, verdicts } of groups.flatMap(({ reasons }) => reasons))
    counts.set(text, (counts.get(text) ?? 0) + verdicts);
  return [...counts].map(([text, verdicts]) => ({ text, verdicts })).sort((a, b) => b.verdicts - a.verdicts);
}
