import type { Outcome } from "../../../model/outcome.ts";
import { traceShare } from "../../../pipeline/decisions.ts";

/** Rules that select the traces to forward to a backend. */
export interface Keep {
  /** Outcomes of verdicts for which a trace is forwarded. */
  readonly outcomes: readonly Outcome[];
  /** Whether traces with a failed span are forwarded. */
  readonly errors: boolean;
  /** Minimum duration in milliseconds for which a trace is forwarded; null: the duration is ignored. */
  readonly slowMs: number | null;
  /** Share of all other traces that are forwarded, from 0 to 1. */
  readonly share: number;
}

/** Properties of a trace on which the decision depends. */
export interface Known {
  /**
   * Id of the first trace of the trace's run, so that all traces of a run get the same decision. Without a
   * run, the id of the trace itself.
   */
  readonly shareId: string;
  readonly outcomes: readonly Outcome[];
  readonly hasError: boolean;
  readonly durationMs: number;
}

/**
 * Reason of the decision. `all`: every trace is forwarded. The last five reasons mean that the trace could
 * not be evaluated in time and is forwarded.
 */
export type KeepReason =
  "all" | "outcome" | "error" | "slow" | "share" | "timeout" | "memory" | "restart" | "shutdown" | "fault";

export interface KeepDecision {
  readonly kept: boolean;
  readonly why: KeepReason;
}

/**
 * Decides whether a trace is forwarded. The decision depends only on the arguments, so all processes decide
 * alike.
 */
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
