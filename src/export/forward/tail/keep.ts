import type { Outcome } from "../../../model/outcome.ts";
import { traceShare } from "../../../pipeline/decisions.ts";

/** Rules that select the traces to forward to a backend. */
export interface Keep {
  /** Traces with a verdict that has one of these outcomes are forwarded. */
  readonly outcomes: readonly Outcome[];
  /** Whether traces with a failed span are forwarded. */
  readonly errors: boolean;
  /** Traces of at least this duration in milliseconds are forwarded; null to ignore the duration. */
  readonly slowMs: number | null;
  /** Share, from 0 to 1, of the traces that no other rule selects. This share is forwarded, too. */
  readonly share: number;
}

/** Facts about a trace from which the decision follows. */
export interface TraceFacts {
  /**
   * Trace id on which sampling depends. It is the id of the run's first trace, so that the decision is the same for all traces of a run.
   */
  readonly shareId: string;
  readonly outcomes: readonly Outcome[];
  readonly hasError: boolean;
  readonly durationMs: number;
}

/**
 * Reason of a decision. `all`: no rules are configured. `timeout`, `memory`, `restart`, `shutdown`, `fault`: the trace is forwarded because
 * its verdicts were not available.
 */
export type KeepReason =
  "all" | "outcome" | "error" | "slow" | "share" | "timeout" | "memory" | "restart" | "shutdown" | "fault";

export interface KeepDecision {
  readonly kept: boolean;
  readonly why: KeepReason;
}

/**
 * Decides whether a trace is forwarded. Without rules, every trace is. With rules, a trace is forwarded if `keep` selects it by an outcome,
 * a failed span or its duration. Of the other traces, the configured share is forwarded. The result depends only on the arguments, so all
 * processes decide alike.
 */
export function decideKeep(
  { shareId, outcomes, hasError, durationMs }: TraceFacts,
  keep: Keep | null,
): KeepDecision {
  if (keep === null) return { kept: true, why: "all" };
  if (outcomes.some((outcome) => keep.outcomes.includes(outcome))) return { kept: true, why: "outcome" };
  if (keep.errors && hasError) return { kept: true, why: "error" };
  if (keep.slowMs !== null && durationMs >= keep.slowMs) return { kept: true, why: "slow" };
  return { kept: traceShare(shareId) < keep.share, why: "share" };
}
