import type { Sql } from "sql-template-tag";
import type { VerdictSums, Window } from "../archive.ts";
import type { Row, Steps } from "./steps.ts";
import type { RunRecord } from "../read/stored.ts";
import type { Tables } from "./tables.ts";

/** Differences between the databases: functions, summary tables, and additional columns. */
export interface Dialect {
  readonly tables: Tables;
  /** Prefix of each table name, such as `tracejury.`. */
  readonly prefix: string;
  /** Normalises an agent's name for comparison. */
  readonly foldAgent: (name: string) => string;
  /** Condition: a column contains a text. */
  readonly contains: (column: Sql, text: string) => Sql;
  /** A run's query in lower case, including letters beyond ASCII. */
  readonly smallQuery: Sql;
  /** SQL for the error in a run's JSON, as JSON text; NULL if the run has no error. */
  readonly errorOfRun: Sql;
  /** SQL for a JSON text with `expected_fail`, the layers' outcomes and their unmet checks. */
  readonly outlineOfVerdict: Sql;
  /** SQL for the way in which verdict `v` matched its query. */
  readonly matchOfVerdict: Sql;
  /** SQL for the hash of the spec of verdict `v`. */
  readonly specHashOfVerdict: Sql;
  /** SQL for the names of the tools that run `r` used, in order, as JSON text. */
  readonly toolsOfRun: Sql;
  /** Condition: run `r` has an attribute with this value. */
  readonly hasAttribute: (name: string, value: string) => Sql;
  /** Sort order of the telemetry `t` of one run. */
  readonly telemetryOrder: Sql;
  /** Condition that selects a trace's telemetry of this process, to delete it before a rewrite. */
  readonly ownTelemetry: Sql;
  /** Returns values of columns that only this database has. */
  readonly moreOfRun: (run: RunRecord) => Row;
  readonly moreOfTelemetry: Row;
  readonly moreOfVerdict: (run: RunRecord, judgedUnixMs: number) => Row;
  /** Writes rows of `verdicts` in the order of their evaluation. */
  readonly writeVerdicts: (rows: readonly Row[]) => Steps<void>;
  /** Takes the verdicts of runs out of the sums, before they are deleted. */
  readonly uncount: (runIds: readonly string[]) => Steps<void>;
  readonly sums: (window: Window, bucketMs: number | null) => Steps<VerdictSums[]>;
  readonly usedBytes: () => Steps<number>;
}
