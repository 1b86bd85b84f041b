import sql, { join, raw, type Sql } from "sql-template-tag";
import type { OneOrMore } from "../archive.ts";

/** A condition on a value; undefined where there is none. */
export function when<Value>(value: Value | undefined, condition: (value: Value) => Sql): Sql | undefined {
  return value === undefined ? undefined : condition(value);
}

export function equal(column: string, value: string | number | undefined): Sql | undefined {
  return when(value, (given) => sql`${raw(column)} = ${given}`);
}

/** A condition on one of several values; on a single one as it is. */
export function oneOf<Value extends string>(
  given: OneOrMore<Value> | undefined,
  condition: (value: Value) => Sql,
): Sql | undefined {
  if (given === undefined || typeof given === "string") return when(given, condition);
  return given.length === 0 ? undefined : sql`(${join(given.map(condition), " OR ")})`;
}

/** At or after `since` and before `until`, each where it is given. */
export function between(
  column: string,
  { since, until }: { readonly since?: number; readonly until?: number },
): Sql | undefined {
  const from = when(since, (given) => sql`${raw(column)} >= ${given}`);
  const to = when(until, (given) => sql`${raw(column)} < ${given}`);
  return from === undefined && to === undefined ? undefined : allOf(from, to);
}

/** Joined by AND, those that are there; at least one is. */
export function allOf(...conditions: readonly (Sql | undefined)[]): Sql {
  return join(
    conditions.filter((one) => one !== undefined),
    " AND ",
  );
}
