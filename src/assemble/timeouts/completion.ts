import type { CloseReason } from "../../model/run.ts";
import type { TraceEntry } from "../trace-entry.ts";
import type { TraceTimeouts } from "./trace-timeouts.ts";

export interface Completion {
  readonly atMs: number;
  readonly reason: CloseReason;
}

/**
 * Returns the time at which an open trace is complete if no further spans arrive, and the rule that decides. The rules
 * (`trace-timeouts.ts`) are T1 `root_complete`, T2 `root_partial`, T3 `root_cap`, T4 `idle` and T5 `max_age`. After the root arrived, the
 * assembler does not call `whenComplete` before the time of T1. Until then, the trace stays open in any case, and the search for a missing
 * parent costs time.
 */
export function whenComplete(
  entry: TraceEntry,
  timeouts: TraceTimeouts,
  hasDanglingParent: (entry: TraceEntry) => boolean,
): Completion {
  const maxAge: Completion = { atMs: entry.firstSeenMs + timeouts.maxAgeMs, reason: "max_age" };
  if (entry.rootSeenMs < 0)
    return sooner({ atMs: entry.lastSeenMs + timeouts.idleMs, reason: "idle" }, maxAge);
  const capped = sooner({ atMs: entry.rootSeenMs + timeouts.rootCapMs, reason: "root_cap" }, maxAge);
  const earliest = sooner({ atMs: entry.lastSeenMs + timeouts.rootQuietMs, reason: "root_complete" }, capped);
  if (earliest.reason !== "root_complete" || !hasDanglingParent(entry)) return earliest;
  return sooner({ atMs: entry.lastSeenMs + timeouts.rootOpenMs, reason: "root_partial" }, capped);
}

function sooner(a: Completion, b: Completion): Completion {
  return a.atMs <= b.atMs ? a : b;
}
