import type { Sql } from "sql-template-tag";
import type { VerdictSums, Window } from "../archive.ts";
import type { Row, Steps } from "./steps.ts";
import type { RunRecord } from "../read/stored.ts";
import type { Tables } from "./tables.ts";

/** SQL functions, tables and columns that differ between SQLite and PostgreSQL. */
export interface Dialect {
  readonly tables: Tables;
  /** Prefix of each table name, such as `tracejury.`. */
  readonly prefix: string;
  /** Normalises an agent's name for comparison. */
  readonly foldAgent: (name: string) => string;
  /** Returns the SQL condition that a column contains a text. */
  readonly contains: (column: Sql, text: string) => Sql;
  /** SQL for a run's query in lower case, including letters beyond ASCII. */
  readonly smallQuery: Sql;
  /** SQL for the error in a run's JSON, as JSON text; NULL if the run has no error. */
  readonly errorOfRun: Sql;
  /** SQL for a JSON text with a verdict's `expected_fail`, and the outcome and unmet checks of each layer. */
  readonly outlineOfVerdict: Sql;
  /** SQL for the way in which verdict `v` matched its query. */
  readonly matchOfVerdict: Sql;
  /** SQL for the hash of the spec of verdict `v`. */
  readonly specHashOfVerdict: Sql;
  /** SQL for the names of the tools that run `r` used, in order, as JSON text. */
  readonly toolsOfRun: Sql;
  /** Returns the SQL condition that run `r` has an attribute with this value. */
  readonly hasAttribute: (name: string, value: string) => Sql;
  /** SQL for the order of the telemetry rows `t` of a run. */
  readonly telemetryOrder: Sql;
  /**
   * SQL condition for the telemetry rows that this process wrote, and deletes before it writes them again.
   */
  readonly ownTelemetry: Sql;
  /** Returns the values of the columns that only this database has. */
  readonly moreOfRun: (run: RunRecord) => Row;
  readonly moreOfTelemetry: Row;
  readonly moreOfVerdict: (run: RunRecord, judgedUnixMs: number) => Row;
  /** Writes rows of `verdicts` in the order of their evaluation. */
  readonly writeVerdicts: (rows: readonly Row[]) => Steps<void>;
  /** Before runs are deleted, subtracts their verdicts from the sums. */
  readonly uncount: (runIds: readonly string[]) => Steps<void>;
  readonly sums: (window: Window, bucketMs: number | null) => Steps<VerdictSums[]>;
  readonly usedBytes: () => Steps<number>;
}
