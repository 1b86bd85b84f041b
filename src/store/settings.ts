import type { Retention } from "./read/stored.ts";

export interface StoreSettings {
  /** `auto` means an SQLite file if SQLite is available, otherwise memory. */
  readonly mode: "auto" | "sqlite" | "memory" | "postgres";
  readonly path: string;
  readonly postgres?: PostgresSettings;
  /** Whether the telemetry of runs is stored with their verdicts. */
  readonly telemetry: boolean;
  readonly retention: Retention;
  /**
   * Maximum number of stored runs per second, as a long-term average. Runs with an unmet check and all other runs are limited separately,
   * each to this number.
   */
  readonly perSecond: number;
}

/** A PostgreSQL database that several processes can share. */
export interface PostgresSettings {
  /** Address of the database; null if none is configured. */
  readonly url: string | null;
  readonly tls: "auto" | "verify" | "encrypt" | "off";
  readonly caFile: string | null;
  /** File with this process's worker id, so that the id survives restarts; null for a new id at each start. */
  readonly workerFile: string | null;
}
