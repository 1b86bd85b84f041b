import type { Outcome } from "../../../model/outcome.ts";
import { traceShare } from "../../../pipeline/decisions.ts";

/** Which traces go on to a backend. */
export interface Keep {
  /** Traces with a verdict of one of these outcomes. */
  readonly outcomes: readonly Outcome[];
  /** Traces with a failed span. */
  readonly errors: boolean;
  /** Traces with at least this duration; null for any duration. */
  readonly slowMs: number | null;
  /** Share of all others, from 0 to 1. */
  readonly share: number;
}

/** Inputs of the decision about a trace. */
export interface Known {
  /** The first trace of its runs, so that all traces of a run go the same way; its own id when there is no run. */
  readonly shareId: string;
  readonly outcomes: readonly Outcome[];
  readonly hasError: boolean;
  readonly durationMs: number;
}

/** Why a trace went on or not: `all` where nothing is left out; the last five: it could not be decided. */
export type KeepReason =
  "all" | "outcome" | "error" | "slow" | "share" | "timeout" | "memory" | "restart" | "shutdown" | "fault";

export interface KeepDecision {
  readonly kept: boolean;
  readonly why: KeepReason;
}

/** The same for the same trace in every process. */
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
