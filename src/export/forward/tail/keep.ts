import type { Outcome } from "../../../model/outcome.ts";
import { traceShare } from "../../../pipeline/decisions.ts";

/** Rules that select the traces to forward to a backend. */
export interface Keep {
  /** Forwards traces with a verdict of one of these outcomes. */
  readonly outcomes: readonly Outcome[];
  /** Forwards traces with a failed span. */
  readonly errors: boolean;
  /** Forwards traces of at least this duration; null to ignore the duration. */
  readonly slowMs: number | null;
  /** Share of all other traces that are forwarded, from 0 to 1. */
  readonly share: number;
}

/** Inputs of the decision about a trace. */
export interface Known {
  /**
   * Id of the first trace of its runs, so that all traces of a run get the same decision. For a trace without
   * a run, this is the trace's own id.
   */
  readonly shareId: string;
  readonly outcomes: readonly Outcome[];
  readonly hasError: boolean;
  readonly durationMs: number;
}

/**
 * Reason of the decision; `all` if every trace is forwarded. The last five reasons mean that no decision was
 * possible.
 */
export type KeepReason =
  "all" | "outcome" | "error" | "slow" | "share" | "timeout" | "memory" | "restart" | "shutdown" | "fault";

export interface KeepDecision {
  readonly kept: boolean;
  readonly why: KeepReason;
}

/** Decides whether a trace is forwarded. The result for a trace is the same in every process. */
export function decideKeep(
  { shareId, outcomes, hasError, durationMs }: Known,
  keep: Keep | null,
): KeepDecision {
  if (keep === null) return { kept: true, why: "all" };
  if (outcomes.some((outcome) => keep.outcomes.includes(outcome))) return { kept: true, why: "outcome" };
  if (keep.errors && hasError) return { kept: true, why: "error" };
  if (keep.slowMs !== null && durationMs >= keep.slowMs) return { kept: true, why: "slow" };
  return { kept: traceShare(shareId) < keep.share, why: "share" };
}
