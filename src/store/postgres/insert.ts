import type { PoolClient } from "pg";

/** Names of columns with their types. */
export type Columns = Readonly<Record<string, string>>;

export interface InsertOptions {
  /** Types of columns whose values go as text. */
  readonly casts?: Columns;
  /** What follows the rows, such as `ON CONFLICT …`. */
  readonly ending?: string;
}

/** Inserts rows in one statement, in their order, each column as one array. */
export async function insertRows(
  client: PoolClient,
  table: string,
  columns: Columns,
  rows: readonly (readonly unknown[])[],
  { casts = {}, ending = "" }: InsertOptions = {},
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const arrays = names.map((name, at) => `$${at + 1}::${columns[name] ?? ""}[]`);
  const values = names.map((name) => (casts[name] === undefined ? name : `${name}::${casts[name]}`));
  await client.query(
    `INSERT INTO tracejury.${table} (${names.join(", ")})
     SELECT ${values.join(", ")} FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS given(${names.join(", ")}, at)
     ORDER BY at ${ending}`,
    names.map((_, at) => rows.map((row) => withoutNul(row[at]))),
  );
}

/** PostgreSQL's texts have no character 0. */
export function withoutNul(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
