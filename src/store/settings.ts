import type { Retention } from "./read/stored.ts";

export interface StoreSettings {
  /** `auto`: an SQLite file if SQLite is available, otherwise memory. */
  readonly mode: "auto" | "sqlite" | "memory" | "postgres";
  readonly path: string;
  readonly postgres?: PostgresSettings;
  /** Whether the telemetry of runs is stored with their verdicts. */
  readonly telemetry: boolean;
  readonly retention: Retention;
  /**
   * Maximum number of stored runs per second, as a long-term average. Runs with an unmet check and all other
   * runs have separate limits.
   */
  readonly perSecond: number;
}

/** A PostgreSQL database, which several processes may share. */
export interface PostgresSettings {
  /** Address of the database; null if none is configured. */
  readonly url: string | null;
  readonly tls: "auto" | "verify" | "encrypt" | "off";
  readonly caFile: string | null;
  /**
   * File that stores this process's worker id, so that the id survives restarts; null: each start gets a new
   * id.
   */
  readonly workerFile: string | null;
}
