import { Sql } from "sql-template-tag";
import type { ClientBase, Pool } from "pg";
import { type Insert, type Row, runLater, type Steps } from "../sql/steps.ts";

/** Carries out work over a connection, or over any of a pool's. */
export function runOver<Result>(client: ClientBase | Pool, steps: Steps<Result>): Promise<Result> {
  return runLater(steps, async (statement): Promise<readonly Row[]> => {
    if (statement instanceof Sql)
      return (await client.query<Row>(statement.text, statement.values.map(withoutNul))).rows;
    if (statement.rows.length > 0) await client.query(insertOf(statement), valuesOf(statement));
    return [];
  });
}

/** All rows in one statement, in their order, each column as one array. */
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

/** PostgreSQL's texts have no character 0. */
function withoutNul(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
