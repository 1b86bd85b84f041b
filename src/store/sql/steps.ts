import type { Sql } from "sql-template-tag";
import type { Table } from "./tables.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Rows to insert into a table, by column name. A missing value becomes NULL. */
export interface Insert {
  readonly into: Table;
  readonly rows: readonly Row[];
}

/**
 * Database work as a generator: it yields one statement at a time and receives its rows. SQLite runs it
 * synchronously and PostgreSQL asynchronously, so the work is written once for both.
 */
export type Steps<Result> = Generator<Sql | Insert, Result, readonly Row[]>;

export type Answer = (statement: Sql | Insert) => readonly Row[];

/**
 * Runs all steps synchronously.
 * @throws the error of `answer`; the remaining steps do not run
 */
export function runNow<Result>(steps: Steps<Result>, answer: Answer): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(step.value));
  return step.value;
}

/** Runs all steps asynchronously. Rejects with the error of `answer`; the remaining steps do not run. */
export async function runLater<Result>(
  steps: Steps<Result>,
  answer: (statement: Sql | Insert) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await answer(step.value));
  return step.value;
}
