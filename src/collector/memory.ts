import { getHeapStatistics } from "node:v8";
import { garbageCollector, heapGrowth } from "../receive/admission/garbage.ts";
import { MemoryBudget } from "../receive/admission/memory-budget.ts";
import type { TailForwarder } from "../export/forward/tail/tail-forwarder.ts";
import type { Log } from "../support/telemetry/log/log.ts";
import type { Engine } from "../replay/engine.ts";

/** Closing traces takes time: at most this many at a time, and this long in one tick. */
const CLOSED_AT_ONCE = 8;
const LONGEST_MS = 50;
/** Largest share of memory for one request, so that it cannot block all others. */
const LARGEST_SHARE = 0.75;

/** Opens the account of the process's memory; what the engine holds is in it. */
export function openBudget(limit: number, engine: Engine, log: Log): MemoryBudget {
  const now = (): number => performance.now();
  const resident = (): number => process.memoryUsage.rss();
  const budget = new MemoryBudget({
    limit,
    base: resident(),
    resident,
    onShort: heapGrowth(),
    heap: () => getHeapStatistics().used_heap_size,
    collect: garbageCollector(),
    now,
    random: Math.random,
  });
  budget.watch(() => engine.assembler.heldBytes);
  budget.watch(() => engine.pipeline.fragmentBytes);
  if (budget.limit > limit) {
    log.warn({ limit, used: budget.limit }, "limits.memory is below the idle memory of the process: raised");
  }
  return budget;
}

/**
 * Closes traces early when memory runs short. To be called several times a second.
 * @param isBehind whether verdicts come faster than they are written; closing more traces would take memory then, and free none
 */
export function evict(
  budget: MemoryBudget,
  { pipeline, assembler }: Engine,
  nowMs: number,
  tailForwarder: TailForwarder | null,
  isBehind: () => boolean,
): void {
  const heldBytes = (): number => assembler.heldBytes + pipeline.fragmentBytes;
  budget.check();
  // For a request that did not fit: closed traces that only wait for late spans are worth less.
  const wanted = budget.takeWanted();
  if (wanted > 0) pipeline.evict(Math.max(0, assembler.heldBytes - wanted), nowMs, 0);
  const excess = budget.takeExcess();
  const target = Math.max(0, heldBytes() - excess);
  if (excess > 0 || wanted > 0) pipeline.forgetReleased();
  if (excess === 0) return;
  tailForwarder?.evict(excess);
  const until = performance.now() + LONGEST_MS;
  while (heldBytes() > target && performance.now() < until && !isBehind()) {
    const before = heldBytes();
    // Evicts from the larger of traces and fragments, so that many open traces do not displace all fragments, or the reverse.
    if (pipeline.fragmentBytes > assembler.heldBytes) pipeline.evictFragments(CLOSED_AT_ONCE, nowMs);
    else pipeline.evict(Math.max(0, assembler.heldBytes - (before - target)), nowMs, CLOSED_AT_ONCE);
    if (heldBytes() === before) break;
  }
}

/** A body that memory could never be given for is refused as too large instead of again and again. */
export function largestBody(maxBody: number, budget: MemoryBudget, log: Log): number {
  const most = Math.floor(budget.hard * LARGEST_SHARE);
  if (most >= maxBody) return maxBody;
  log.warn({ max_body: maxBody, most }, "limits.memory leaves no room for the largest requests: lowered");
  return most;
}
