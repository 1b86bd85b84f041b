import sql, { join, raw, type Sql } from "sql-template-tag";
import type { OneOrMore } from "../archive.ts";

/** Returns a condition on a value; undefined if the value is undefined. */
export function when<Value>(value: Value | undefined, condition: (value: Value) => Sql): Sql | undefined {
  return value === undefined ? undefined : condition(value);
}

export function equal(column: string, value: string | number | undefined): Sql | undefined {
  return when(value, (given) => sql`${raw(column)} = ${given}`);
}

/** Returns a condition that matches the value, or any of several values; undefined if none is given. */
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

/** Joins the conditions by AND, and ignores undefined conditions. At least one condition must be defined. */
export function allOf(...conditions: readonly (Sql | undefined)[]): Sql {
  return join(
    conditions.filter((one) => one !== undefined),
    " AND ",
  );
}
