import type { Outcome } from "../../model/outcome.ts";
import type { FaultOutcome } from "./fault-outcome.ts";

/** One query with one fault. */
export interface FaultRow {
  readonly queryId: string;
  /** Null: the run without a fault. */
  readonly fault: string | null;
  /** Null: the run without a fault. */
  readonly outcome: FaultOutcome | null;
  readonly why: string;
  readonly verdicts: readonly Outcome[];
  readonly modelCalls: number;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
}
