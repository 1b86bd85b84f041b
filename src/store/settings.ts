import type { Retention } from "./read/stored.ts";

export interface StoreSettings {
  /** `auto`: in a file where there is SQLite, else in memory. */
  readonly mode: "auto" | "sqlite" | "memory" | "postgres";
  readonly path: string;
  readonly postgres?: PostgresSettings;
  /** Keeps the telemetry of runs beside their verdicts. */
  readonly telemetry: boolean;
  readonly retention: Retention;
  /** Runs kept in a second over a long time; passed ones and others are counted apart. */
  readonly perSecond: number;
}

/** A database that several processes may share. */
export interface PostgresSettings {
  /** Null where none is named. */
  readonly url: string | null;
  readonly tls: "auto" | "verify" | "encrypt" | "off";
  readonly caFile: string | null;
  /** Keeps this process's id among those that share the database, over restarts; null: each start is another process. */
  readonly workerFile: string | null;
}
