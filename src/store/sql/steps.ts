import type { Sql } from "sql-template-tag";
import type { Table } from "./tables.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Rows to insert into a table, by column name. A missing value becomes NULL. */
export interface Insert {
  readonly into: Table;
  readonly rows: readonly Row[];
}

/**
 * Database work as a generator, which yields one statement at a time and receives the rows of the statement.
 * The same work runs synchronously on SQLite and asynchronously on PostgreSQL.
 */
export type Steps<Result> = Generator<Sql | Insert, Result, readonly Row[]>;

export type Answer = (statement: Sql | Insert) => readonly Row[];

/**
 * Runs all steps synchronously.
 * @throws the error of `answer`; later steps do not run
 */
export function runNow<Result>(steps: Steps<Result>, answer: Answer): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(step.value));
  return step.value;
}

/** Runs all steps asynchronously. The promise rejects with the error of `answer`; later steps do not run. */
export async function runLater<Result>(
  steps: Steps<Result>,
  answer: (statement: Sql | Insert) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await answer(step.value));
  return step.value;
}
