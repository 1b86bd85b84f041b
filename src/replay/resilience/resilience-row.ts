import type { Outcome } from "../../model/outcome.ts";
import type { FaultExpectation, FaultOutcome } from "./fault-outcome.ts";

/** Result of one query with one fault. */
export interface FaultRow {
  readonly queryId: string;
  /**
   * The injected fault, such as `empty@2`. If no model call suits the fault, its kind, such as `empty`. Null for the run without a fault,
   * or if the query was not run.
   */
  readonly fault: string | null;
  /** Outcome; null for the run without a fault. */
  readonly outcome: FaultOutcome | null;
  /** Expected outcome; null for the run without a fault, or if the query has no expectation. */
  readonly expected: FaultExpectation | null;
  /** Whether the outcome is at least as good as expected; null if there is no expectation or the outcome is undecided. */
  readonly met: boolean | null;
  readonly why: string;
  readonly verdicts: readonly Outcome[];
  readonly modelCalls: number;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
}
