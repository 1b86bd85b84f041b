import type { Sql } from "sql-template-tag";
import type { VerdictSums, Window } from "../archive.ts";
import type { Row, Steps } from "./steps.ts";
import type { RunRecord } from "../read/stored.ts";
import type { Tables } from "./tables.ts";

/** Differences between the databases: functions, summary tables, and extra columns. */
export interface Dialect {
  readonly tables: Tables;
  /** Precedes the name of each table, such as `tracejury.`. */
  readonly prefix: string;
  /** The agent's name as it is stored for comparison. */
  readonly foldAgent: (name: string) => string;
  /** Whether a column's text has another text in it. */
  readonly contains: (column: Sql, text: string) => Sql;
  /** A run's query in small letters, beyond ASCII, too. */
  readonly smallQuery: Sql;
  /** The error in a run's JSON, as a JSON text; NULL where there is none. */
  readonly errorOfRun: Sql;
  /** A JSON text with `expected_fail`, the layers' outcomes and their unmet checks, each where the verdict has it. */
  readonly outlineOfVerdict: Sql;
  /** How a verdict `v` found its query. */
  readonly matchOfVerdict: Sql;
  /** Hash of the spec that a verdict `v` is by. */
  readonly specHashOfVerdict: Sql;
  /** Names of the tools that a run `r` used, in order, as a JSON text. */
  readonly toolsOfRun: Sql;
  /** Whether a run `r` has an attribute of this value. */
  readonly hasAttribute: (name: string, value: string) => Sql;
  /** Order of the telemetry `t` of one run. */
  readonly telemetryOrder: Sql;
  /** Filter for deleting a trace's telemetry before it is rewritten. */
  readonly ownTelemetry: Sql;
  /** Values of the columns that only this database has. */
  readonly moreOfRun: (run: RunRecord) => Row;
  readonly moreOfTelemetry: Row;
  readonly moreOfVerdict: (run: RunRecord, judgedUnixMs: number) => Row;
  /** Rows of `verdicts`, in the order in which they were made. */
  readonly writeVerdicts: (rows: readonly Row[]) => Steps<void>;
  /** Takes the verdicts of runs out of the sums, before they are deleted. */
  readonly uncount: (runIds: readonly string[]) => Steps<void>;
  readonly sums: (window: Window, bucketMs: number | null) => Steps<VerdictSums[]>;
  readonly usedBytes: () => Steps<number>;
}
