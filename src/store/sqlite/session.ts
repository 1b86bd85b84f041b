import { Sql } from "sql-template-tag";
import { type Insert, type Row, runNow, type Steps } from "../sql/dialect.ts";
import type { Table } from "../sql/tables.ts";
import { type Database, type Statement, transaction, type Value } from "./database.ts";
import { rollupTables } from "./rollups.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

const tables: readonly Table[] = [...Object.values(sqliteDialect.tables), ...Object.values(rollupTables)];
/** Maximum number of cached prepared statements. The number is limited, because filters produce many different statements. */
const MOST_PREPARED = 200;

/** Runs the statements of `Steps` synchronously, and caches prepared statements. */
export class SqliteSession {
  readonly database: Database;
  readonly #inserts: ReadonlyMap<Table, { readonly names: readonly string[]; readonly statement: Statement }>;
  readonly #prepared = new Map<string, Statement>();

  /**
   * Prepares all insert statements.
   * @throws Error if the schema does not match the statements
   */
  constructor(database: Database) {
    this.database = database;
    this.#inserts = new Map(
      tables.map((table) => {
        const names = Object.keys(table.columns);
        const places = names.map(() => "?").join(", ");
        const text = `INSERT INTO ${table.name} (${names.join(", ")}) VALUES (${places}) ${table.ending}`;
        return [table, { names, statement: database.prepare(text) }];
      }),
    );
  }

  run<Result>(steps: Steps<Result>): Result {
    return runNow(steps, (statement) =>
      statement instanceof Sql ? this.#query(statement) : this.#insert(statement),
    );
  }

  /** Runs the steps in a transaction. If a step throws, rolls the transaction back. */
  runInTransaction<Result>(steps: Steps<Result>): Result {
    return transaction(this.database, () => this.run(steps));
  }

  #query({ sql, values }: Sql): readonly Row[] {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear();
      statement = this.database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement.all(...values.map(asValue));
  }

  #insert({ into, rows }: Insert): readonly Row[] {
    const insert = this.#inserts.get(into);
    for (const row of rows) insert?.statement.run(...insert.names.map((name) => asValue(row[name])));
    return [];
  }
}

/** Converts a value for SQLite, which has no boolean type. */
function asValue(value: unknown): Value {
  if (typeof value === "boolean") return value ? 1 : 0;
  return (value ?? null) as Value;
}
