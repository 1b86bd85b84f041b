import type { Outcome } from "../../../model/outcome.ts";
import { traceShare } from "../../../pipeline/decisions.ts";

/** Which traces go on to a backend. */
export interface Keep {
  /** Those with a verdict of one of these outcomes. */
  readonly outcomes: readonly Outcome[];
  /** Those in which a span has failed. */
  readonly errors: boolean;
  /** Those that took at least so long; null: however long they took. */
  readonly slowMs: number | null;
  /** Of all others, from 0 to 1. */
  readonly share: number;
}

/** What is known of a trace when it is decided about. */
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
