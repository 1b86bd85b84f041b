import { getHeapStatistics } from "node:v8";
import { garbageCollector, heapEconomy, youngGenerationLimit } from "../receive/admission/garbage.ts";
import { MemoryBudget } from "../receive/admission/memory-budget.ts";
import type { TailForwarder } from "../export/forward/tail/tail-forwarder.ts";
import type { Log } from "../support/telemetry/log/log.ts";
import type { Engine } from "../replay/engine.ts";

/** Maximum number of traces, fragments or conversations that one step of `evict` closes. */
const CLOSED_AT_ONCE = 8;
/** Maximum time in milliseconds that one tick spends on closing traces. */
const LONGEST_MS = 50;
/**
 * Maximum share of the memory for telemetry that one request may use. If one request could use all memory, it could block all other
 * requests.
 */
const LARGEST_SHARE = 0.75;
/** Share of the memory limit for V8's young generation (both of its semi-spaces). */
const YOUNG_SHARE = 1 / 32;

/** Creates the memory budget of the process, which includes the telemetry in the engine. */
export function openBudget(limit: number, engine: Engine, log: Log): MemoryBudget {
  const now = (): number => performance.now();
  const resident = (): number => process.memoryUsage.rss();
  const budget = new MemoryBudget({
    limit,
    base: resident(),
    resident,
    onMeasure: youngGenerationLimit(limit * YOUNG_SHARE),
    onShort: heapEconomy(),
    heap: () => getHeapStatistics().used_heap_size,
    collect: garbageCollector(),
    now,
    random: Math.random,
  });
  budget.watch(() => engine.assembler.heldBytes);
  budget.watch(() => engine.pipeline.fragmentBytes);
  budget.watch(() => engine.pipeline.conversationBytes);
  if (budget.limit > limit) {
    log.warn(
      { limit, used: budget.limit },
      "limits.memory is lower than the memory that the process needs without telemetry, so a higher limit is used: raise limits.memory",
    );
  }
  return budget;
}

/**
 * Closes traces early while memory is short. Call `evict` several times a second.
 * @param isBehind returns true if verdicts are produced faster than they are written. No trace is closed then, because the runs of closed
 * traces would stay in memory
 */
export function evict(
  budget: MemoryBudget,
  { pipeline, assembler }: Engine,
  nowMs: number,
  tailForwarder: TailForwarder | null,
  isBehind: () => boolean,
): void {
  const heldBytes = (): number => assembler.heldBytes + pipeline.fragmentBytes + pipeline.conversationBytes;
  budget.check();
  // After a request was refused for lack of memory, first releases closed traces that only wait for late spans.
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
    // Evicts from the part that uses most memory: open traces, pending fragments or conversations. So none of these parts can use all
    // memory.
    const { fragmentBytes, conversationBytes } = pipeline;
    if (conversationBytes > Math.max(fragmentBytes, assembler.heldBytes))
      pipeline.evictConversations(conversationBytes - (before - target), CLOSED_AT_ONCE);
    else if (fragmentBytes > assembler.heldBytes) pipeline.evictFragments(CLOSED_AT_ONCE, nowMs);
    else pipeline.evict(Math.max(0, assembler.heldBytes - (before - target)), nowMs, CLOSED_AT_ONCE);
    if (heldBytes() === before) break;
  }
}

/**
 * Returns the maximum size of a body in bytes. A body that is larger than the memory budget is refused as too large, because no retry could
 * succeed.
 */
export function largestBody(maxBody: number, budget: MemoryBudget, log: Log): number {
  const most = Math.floor(budget.hard * LARGEST_SHARE);
  if (most >= maxBody) return maxBody;
  log.warn(
    { max_body: maxBody, most },
    "limits.memory is too low for requests of the size receive.max_body, so a lower maximum size is used: raise limits.memory, or lower receive.max_body",
  );
  return most;
}
