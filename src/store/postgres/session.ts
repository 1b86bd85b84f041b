import { Sql } from "sql-template-tag";
import type { ClientBase, Pool } from "pg";
import { type Insert, type Row, runLater, type Steps } from "../sql/dialect.ts";

/** Runs database steps on one connection, or on any connection of a pool. */
export function runOver<Result>(client: ClientBase | Pool, steps: Steps<Result>): Promise<Result> {
  return runLater(steps, async (statement): Promise<readonly Row[]> => {
    if (statement instanceof Sql)
      return (await client.query<Row>(statement.text, statement.values.map(withoutNul))).rows;
    if (statement.rows.length > 0) await client.query(insertOf(statement), valuesOf(statement));
    return [];
  });
}

/** Returns a statement that inserts all rows in order, with one array parameter for each column. */
function insertOf({ into: { name, columns, casts = {}, ending } }: Insert): string {
  const names = Object.keys(columns);
  const arrays = names.map((column, at) => `$${at + 1}::${columns[column] ?? ""}[]`);
  const values = names.map((column) =>
    casts[column] === undefined ? column : `${column}::${casts[column]}`,
  );
  return `INSERT INTO tracejury.${name} (${names.join(", ")})
    SELECT ${values.join(", ")} FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS given(${names.join(", ")}, at)
    ORDER BY at ${ending}`;
}

function valuesOf({ into, rows }: Insert): unknown[][] {
  return Object.keys(into.columns).map((column) => rows.map((row) => withoutNul(row[column] ?? null)));
}

/** Replaces NUL characters, which PostgreSQL's text type cannot store, with U+FFFD. */
function withoutNul(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
