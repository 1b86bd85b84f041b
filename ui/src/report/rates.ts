import type { ReportRun } from "../../../src/report/render/html/report-data.ts";
import type { Outcome } from "../types.ts";

/** Results of one query for one model, agent or attribute. */
export interface RateCell {
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  readonly total: number;
  /** Number of decided runs: runs that passed (with or without warnings) or failed. */
  readonly decided: number;
  /** Pass rate; null if no run is decided. */
  readonly rate: number | null;
  readonly worst: Outcome;
}

export interface RateRow {
  readonly spec: string;
  readonly id: string;
  readonly cells: ReadonlyMap<string, RateCell>;
  readonly all: RateCell;
}

export interface RateTable {
  /** Names of the columns, the most frequent first. */
  readonly columns: readonly string[];
  /** Number of columns that are not shown. */
  readonly moreColumns: number;
  /** Rows in this order: queries that fail (the lowest pass rate first), undecided queries, queries with warnings, and all others. */
  readonly rows: readonly RateRow[];
}

/** Returns what the columns can be: models, agents, and attributes that have only a few values. */
export function splits(runs: readonly ReportRun[]): readonly string[] {
  const values = new Map<string, Set<string>>();
  for (const { attributes } of runs) {
    for (const [key, value] of Object.entries(attributes)) {
      const seen = values.get(key) ?? new Set<string>();
      values.set(key, seen.add(value));
    }
  }
  const useful = [...values].filter(([, seen]) => seen.size > 1 && seen.size <= mostColumns);
  return ["model", "agent", ...useful.map(([key]) => key)];
}

const mostColumns = 12;

/** Returns the name of the column to which a run belongs: its model, its agent, or the value of an attribute. */
export function columnOf({ models, agent, attributes }: ReportRun, by: string): string {
  if (by === "model") return models.length === 0 ? "unknown" : models.join(" + ");
  if (by === "agent") return agent === "" ? "unknown" : agent;
  return attributes[by] ?? "unknown";
}

export function rateTable(runs: readonly ReportRun[], by: string): RateTable {
  const rows = new Map<string, CountedRow>();
  const frequency = new Map<string, number>();
  for (const run of runs) {
    const key = `${run.spec}\n${run.id}`;
    const row = rows.get(key) ?? { spec: run.spec, id: run.id, cells: new Map(), all: new Counted() };
    rows.set(key, row);
    const column = columnOf(run, by);
    frequency.set(column, (frequency.get(column) ?? 0) + 1);
    const cell = row.cells.get(column) ?? new Counted();
    row.cells.set(column, cell);
    cell.add(run.outcome);
    row.all.add(run.outcome);
  }
  const columns = [...frequency].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return {
    columns: columns.slice(0, mostColumns),
    moreColumns: Math.max(0, columns.length - mostColumns),
    rows: [...rows.values()].sort((a, b) => rank(a.all) - rank(b.all)),
  };
}

interface CountedRow {
  readonly spec: string;
  readonly id: string;
  readonly cells: Map<string, Counted>;
  readonly all: Counted;
}

/** Returns the sort key of a row: queries that fail are first, then undecided queries, then queries with warnings. */
function rank({ rate, worst }: RateCell): number {
  if (rate !== null && rate < 1) return rate;
  if (worst === "error" || worst === "incomplete") return 1;
  return worst === "warn" ? 2 : 3;
}

const worstFirst: readonly Outcome[] = ["fail", "error", "incomplete", "warn", "pass"];

class Counted implements RateCell {
  readonly counts: Partial<Record<Outcome, number>> = {};
  total = 0;

  add(outcome: Outcome): void {
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1;
    this.total++;
  }

  get #passed(): number {
    return (this.counts.pass ?? 0) + (this.counts.warn ?? 0);
  }

  get decided(): number {
    return this.#passed + (this.counts.fail ?? 0);
  }

  get rate(): number | null {
    return this.decided === 0 ? null : this.#passed / this.decided;
  }

  get worst(): Outcome {
    return worstFirst.find((outcome) => this.counts[outcome] !== undefined) ?? "skip";
  }
}
