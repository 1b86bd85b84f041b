import type { IdTable } from "./ids/id-table.ts";
import { LastIds } from "./ids/last-ids.ts";
import type { TraceEntry } from "./trace-entry.ts";
import type { TraceTimeouts } from "./timeouts/trace-timeouts.ts";
import type { ReferenceCountedBatches } from "./batches/reference-counted-batches.ts";

/**
 * Closed traces, oldest first. The spans of a closed trace are retained for at most `lateWindowMs`, because late spans may arrive.
 * Afterwards only the trace id is remembered, so that spans which arrive too late are recognised.
 */
export class ClosedTraces {
  readonly #timeouts: TraceTimeouts;
  readonly #pinned: ReferenceCountedBatches;
  readonly #traces: IdTable<TraceEntry>;
  readonly #onForgotten: ((trace: TraceEntry) => void) | undefined;
  readonly #retained = new Set<TraceEntry>();
  /** Ids of traces whose spans were released recently. */
  readonly forgottenIds: LastIds;
  #bytes = 0;

  /**
   * @param seed random number
   * @param onForgotten receives each trace that the assembler no longer needs, before its spans are released
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

  /** Removes a trace that is reopened or relinquished. Its spans are not released: the assembler goes on to use them, or unpins them. */
  take(trace: TraceEntry): void {
    if (this.#retained.delete(trace)) this.#bytes -= trace.bytes;
  }

  expire(nowMs: number): void {
    for (const oldest of this.#retained) {
      if (oldest.closedAtMs + this.#timeouts.lateWindowMs > nowMs) break;
      this.forget(oldest);
    }
  }

  /** Releases the spans of traces, oldest first, until `isEnough` returns true or no traces remain. */
  shrink(isEnough: () => boolean): void {
    for (const oldest of this.#retained) {
      if (isEnough()) return;
      this.forget(oldest);
    }
  }

  /** Releases the spans of a trace, and remembers its id. */
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
