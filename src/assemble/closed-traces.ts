import type { IdTable } from "./ids/id-table.ts";
import { LastIds } from "./ids/last-ids.ts";
import type { TraceEntry } from "./trace-entry.ts";
import type { TraceTimeouts } from "./timeouts/trace-timeouts.ts";
import type { ReferenceCountedBatches } from "./batches/reference-counted-batches.ts";

/**
 * Closed traces, oldest first: their spans are retained for a while, in case more come, then only their ids, to recognise what arrives too
 * late.
 */
export class ClosedTraces {
  readonly #timeouts: TraceTimeouts;
  readonly #pinned: ReferenceCountedBatches;
  readonly #traces: IdTable<TraceEntry>;
  readonly #onForgotten: ((trace: TraceEntry) => void) | undefined;
  readonly #retained = new Set<TraceEntry>();
  /** Ids whose spans were released, lately. */
  readonly forgottenIds: LastIds;
  #bytes = 0;

  /**
   * @param seed anything unpredictable
   * @param onForgotten gets each trace whose spans are about to be released
   */
  constructor(
    timeouts: TraceTimeouts,
    seed: number,
    pinned: ReferenceCountedBatches,
    traces: IdTable<TraceEntry>,
    onForgotten: ((trace: TraceEntry) => void) | undefined,
  ) {
    this.#timeouts = timeouts;
    this.#pinned = pinned;
    this.#traces = traces;
    this.#onForgotten = onForgotten;
    this.forgottenIds = new LastIds(seed, timeouts.forgottenIds);
  }

  /** How many there are whose spans are retained. */
  get retainedTraces(): number {
    return this.#retained.size;
  }

  add(trace: TraceEntry, nowMs: number): void {
    trace.closedAtMs = nowMs;
    if (trace.truncated || this.#timeouts.lateWindowMs === 0) {
      this.forget(trace);
      return;
    }
    trace.state = "closed";
    this.#retained.add(trace);
    this.#bytes += trace.bytes;
    for (const oldest of this.#retained) {
      if (this.#bytes <= this.#timeouts.lateBytes) break;
      this.forget(oldest);
    }
  }

  /** The trace was reopened, or never seen, here: late spans go to the assembler, not to this cache. */
  take(trace: TraceEntry): void {
    if (this.#retained.delete(trace)) this.#bytes -= trace.bytes;
  }

  expire(nowMs: number): void {
    for (const oldest of this.#retained) {
      if (oldest.closedAtMs + this.#timeouts.lateWindowMs > nowMs) break;
      this.forget(oldest);
    }
  }

  /** Releases the oldest spans until `isEnough`, or none are left. */
  shrink(isEnough: () => boolean): void {
    for (const oldest of this.#retained) {
      if (isEnough()) return;
      this.forget(oldest);
    }
  }

  /** Releases a trace's spans; its id is remembered for longer. */
  forget(trace: TraceEntry): void {
    if (this.#retained.delete(trace)) this.#bytes -= trace.bytes;
    this.#onForgotten?.(trace);
    for (const { batch } of trace.shares) this.#pinned.unpin(batch);
    for (const { batch } of trace.adopted) this.#pinned.unpin(batch);
    trace.forget();
    this.#traces.delete(...trace.id);
    this.forgottenIds.add(...trace.id);
  }
}
