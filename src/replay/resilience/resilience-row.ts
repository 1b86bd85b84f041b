import type { Outcome } from "../../model/outcome.ts";
import type { FaultExpectation, FaultOutcome } from "./fault-outcome.ts";

/** One query with one fault. */
export interface FaultRow {
  readonly queryId: string;
  /** Null: the run without a fault. */
  readonly fault: string | null;
  /** Null: the run without a fault. */
  readonly outcome: FaultOutcome | null;
  /** Null where nothing is expected of the run. */
  readonly expected: FaultExpectation | null;
  /** Whether the outcome is as good as expected; null where nothing is expected, or the outcome is undecided. */
  readonly isMet: boolean | null;
  readonly why: string;
  readonly verdicts: readonly Outcome[];
  readonly modelCalls: number;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
}
