import type { Sql } from "sql-template-tag";
import type { Table } from "./tables.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Rows to be inserted into a table, by the names of its columns; a column without a value becomes NULL. */
export interface Insert {
  readonly into: Table;
  readonly rows: readonly Row[];
}

/**
 * A piece of work on a database: yields one statement after the other and receives the rows of each. SQLite answers at once and
 * PostgreSQL later; the work is written once for both.
 */
export type Steps<Result> = Generator<Sql | Insert, Result, readonly Row[]>;

export type Answer = (statement: Sql | Insert) => readonly Row[];

/** @throws what `answer` throws; the rest of the work is not done then */
export function runNow<Result>(steps: Steps<Result>, answer: Answer): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(step.value));
  return step.value;
}

/** Rejects with what `answer` rejects with; the rest of the work is not done then. */
export async function runLater<Result>(
  steps: Steps<Result>,
  answer: (statement: Sql | Insert) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await answer(step.value));
  return step.value;
}
