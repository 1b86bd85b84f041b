import type { CloseReason } from "../../model/run.ts";
import type { OpenTrace } from "../open-trace.ts";
import type { TraceTimeouts } from "./trace-timeouts.ts";

export interface Due {
  readonly atMs: number;
  readonly reason: CloseReason;
}

/**
 * When an open trace is to be closed if nothing more comes, and by which rule: T1 `root_complete`, T2 `root_partial`, T3 `root_cap`, T4 `idle`, T5 `max_age` (`trace-timeouts.ts`). Missing parents are looked for only once the root has
 * been quiet for T1: before that the answer does not matter.
 */
export function dueMs(
  open: OpenTrace,
  timeouts: TraceTimeouts,
  hasDanglingParent: (open: OpenTrace) => boolean,
): Due {
  const oldest: Due = { atMs: open.firstSeenMs + timeouts.maxAgeMs, reason: "max_age" };
  if (open.rootSeenMs < 0) return sooner({ atMs: open.lastSeenMs + timeouts.idleMs, reason: "idle" }, oldest);
  const capped = sooner({ atMs: open.rootSeenMs + timeouts.rootCapMs, reason: "root_cap" }, oldest);
  const quiet = sooner({ atMs: open.lastSeenMs + timeouts.rootQuietMs, reason: "root_complete" }, capped);
  if (quiet.reason !== "root_complete" || !hasDanglingParent(open)) return quiet;
  return sooner({ atMs: open.lastSeenMs + timeouts.rootOpenMs, reason: "root_partial" }, capped);
}

function sooner(a: Due, b: Due): Due {
  return a.atMs <= b.atMs ? a : b;
}
