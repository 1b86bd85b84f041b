import sql, { join, raw, type Sql } from "sql-template-tag";
import type { OneOrMore, VerdictSums, Window } from "../archive.ts";
import type { RunRecord } from "../read/stored.ts";
import type { Table, Tables } from "./tables.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Rows to insert into a table, by column name. A column without a value becomes NULL. */
export interface Insert {
  readonly into: Table;
  readonly rows: readonly Row[];
}

/**
 * Database work as a generator: it yields one statement after another, and receives the resulting rows. So the same code runs synchronously
 * on SQLite and asynchronously on PostgreSQL.
 */
export type Steps<Result> = Generator<Sql | Insert, Result, readonly Row[]>;

type Answer = (statement: Sql | Insert) => readonly Row[];

/**
 * Runs all steps synchronously.
 * @param answer executes one statement
 * @throws the error of `answer`; the steps after it then do not run
 */
export function runNow<Result>(steps: Steps<Result>, answer: Answer): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(step.value));
  return step.value;
}

/** Runs all steps asynchronously. Rejects with the error of `answer`; the steps after it then do not run. */
export async function runLater<Result>(
  steps: Steps<Result>,
  answer: (statement: Sql | Insert) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await answer(step.value));
  return step.value;
}

/** SQL functions, tables and columns that differ between SQLite and PostgreSQL. */
export interface Dialect {
  readonly tables: Tables;
  /** Prefix of each table name, such as `tracejury.`. */
  readonly prefix: string;
  /** Normalises an agent's name for comparison. */
  readonly foldAgent: (name: string) => string;
  /** Returns the SQL condition for rows whose column contains a text. */
  readonly contains: (column: Sql, text: string) => Sql;
  /** SQL for a run's query in lower case, including letters beyond ASCII. */
  readonly smallQuery: Sql;
  /** SQL for the error in a run's JSON, as JSON text; NULL if the run has no error. */
  readonly errorOfRun: Sql;
  /** SQL for a JSON text with a verdict's `expected_fail`, and for each layer, the outcome and the checks that did not pass. */
  readonly outlineOfVerdict: Sql;
  /** SQL for `match.how` of verdict `v`: how the run matched its query. */
  readonly matchOfVerdict: Sql;
  /** SQL for the hash of the spec of verdict `v`. */
  readonly specHashOfVerdict: Sql;
  /** SQL for the names of the tools that run `r` used, in order, as JSON text. */
  readonly toolsOfRun: Sql;
  /** Returns the SQL condition for runs `r` that have an attribute with this value. */
  readonly hasAttribute: (name: string, value: string) => Sql;
  /** SQL for the order of the telemetry rows `t` of a run. */
  readonly telemetryOrder: Sql;
  /** SQL condition for the telemetry rows that this process wrote. The process deletes these rows before it writes new ones. */
  readonly ownTelemetry: Sql;
  /** Returns the values of the columns of `runs` that only this kind of database has. */
  readonly moreOfRun: (run: RunRecord) => Row;
  readonly moreOfTelemetry: Row;
  readonly moreOfVerdict: (run: RunRecord, judgedUnixMs: number) => Row;
  /** Writes rows of `verdicts` in the order of their evaluation. */
  readonly writeVerdicts: (rows: readonly Row[]) => Steps<void>;
  /** Before verdicts are deleted, subtracts them from the sums. `where` is an SQL condition that selects them. */
  readonly uncount: (where: Sql) => Steps<void>;
  readonly sums: (window: Window, bucketMs: number | null) => Steps<VerdictSums[]>;
  readonly usedBytes: () => Steps<number>;
}

/** Returns a condition on a value; undefined if the value is undefined. */
export function when<Value>(value: Value | undefined, condition: (value: Value) => Sql): Sql | undefined {
  return value === undefined ? undefined : condition(value);
}

export function equal(column: string, value: string | number | undefined): Sql | undefined {
  return when(value, (given) => sql`${raw(column)} = ${given}`);
}

/** Returns a condition that matches the value, or any of several values; undefined if no value is given. */
export function oneOf<Value extends string>(
  given: OneOrMore<Value> | undefined,
  condition: (value: Value) => Sql,
): Sql | undefined {
  if (given === undefined || typeof given === "string") return when(given, condition);
  return given.length === 0 ? undefined : sql`(${join(given.map(condition), " OR ")})`;
}

/** Returns a condition for the period from `since` until before `until`; undefined if both are absent. */
export function between(
  column: string,
  { since, until }: { readonly since?: number; readonly until?: number },
): Sql | undefined {
  const from = when(since, (given) => sql`${raw(column)} >= ${given}`);
  const to = when(until, (given) => sql`${raw(column)} < ${given}`);
  return from === undefined && to === undefined ? undefined : allOf(from, to);
}

/** Joins the conditions with AND; undefined ones are ignored. At least one condition must be defined. */
export function allOf(...conditions: readonly (Sql | undefined)[]): Sql {
  return join(
    conditions.filter((one) => one !== undefined),
    " AND ",
  );
}
