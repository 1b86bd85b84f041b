import type { Recording } from "./recordings.ts";

export interface Setting {
  /** A folder for whatever is written, and the home of the programs. */
  readonly home: string;
  readonly recordings: readonly Recording[];
  readonly rounds: number;
  /** Runs in the large dump. */
  readonly runs: number;
  /** How often each query is put to an agent. */
  readonly asks: number;
}
