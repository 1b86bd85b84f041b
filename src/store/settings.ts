import type { Retention } from "./stored.ts";

export interface StoreSettings {
  /** `auto`: in a file where there is SQLite, else in memory. */
  readonly mode: "auto" | "sqlite" | "memory";
  readonly path: string;
  /** Keeps the telemetry of runs beside their verdicts. */
  readonly telemetry: boolean;
  readonly retention: Retention;
  /** Runs kept in a second over a long time; passed ones and others are counted apart. */
  readonly perSecond: number;
}
