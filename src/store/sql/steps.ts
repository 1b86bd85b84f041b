import type { Sql } from "sql-template-tag";
import type { Table } from "./tables.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Rows to insert into a table, by column name. A column without a value becomes NULL. */
export interface Insert {
  readonly into: Table;
  readonly rows: readonly Row[];
}

/**
 * Database work as a generator: it yields a statement, and gets the rows of its result. The same work runs synchronously on SQLite and
 * asynchronously on PostgreSQL.
 */
export type Steps<Result> = Generator<Sql | Insert, Result, readonly Row[]>;

export type Answer = (statement: Sql | Insert) => readonly Row[];

/**
 * Runs all steps synchronously.
 * @param answer executes one statement
 * @throws the error of `answer`; the later steps do not run
 */
export function runNow<Result>(steps: Steps<Result>, answer: Answer): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(step.value));
  return step.value;
}

/** Runs all steps asynchronously. Rejects with the error of `answer`; the later steps then do not run. */
export async function runLater<Result>(
  steps: Steps<Result>,
  answer: (statement: Sql | Insert) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await answer(step.value));
  return step.value;
}
