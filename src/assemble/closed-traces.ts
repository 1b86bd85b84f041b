import type { IdTable } from "./ids/id-table.ts";
import { LastIds } from "./ids/last-ids.ts";
import type { OpenTrace } from "./open-trace.ts";
import type { TraceTimeouts } from "./timeouts/trace-timeouts.ts";
import type { ReferenceCountedBatches } from "./batches/reference-counted-batches.ts";

/**
 * Closed traces, oldest first: their spans are retained for a while, in case more come, then only their ids, to recognise what arrives too
 * late.
 */
export class ClosedTraces {
  readonly #timeouts: TraceTimeouts;
  readonly #pinned: ReferenceCountedBatches;
  readonly #traces: IdTable<OpenTrace>;
  readonly #onForgotten: ((trace: OpenTrace) => void) | undefined;
  readonly #kept = new Set<OpenTrace>();
  readonly #gone: LastIds;
  #bytes = 0;

  /**
   * @param seed anything unpredictable
   * @param onForgotten gets each trace whose spans are about to be released
   */
  constructor(
    timeouts: TraceTimeouts,
    seed: number,
    pinned: ReferenceCountedBatches,
    traces: IdTable<OpenTrace>,
    onForgotten: ((trace: OpenTrace) => void) | undefined,
  ) {
    this.#timeouts = timeouts;
    this.#pinned = pinned;
    this.#traces = traces;
    this.#onForgotten = onForgotten;
    this.#gone = new LastIds(seed, timeouts.forgottenIds);
  }

  /** Ids whose spans were released, lately. */
  get gone(): LastIds {
    return this.#gone;
  }

  /** How many there are whose spans are retained. */
  get kept(): number {
    return this.#kept.size;
  }

  add(trace: OpenTrace, nowMs: number): void {
    trace.closedAtMs = nowMs;
    if (trace.truncated || this.#timeouts.lateWindowMs === 0) {
      this.forget(trace);
      return;
    }
    trace.state = "closed";
    this.#kept.add(trace);
    this.#bytes += trace.bytes;
    for (const oldest of this.#kept) {
      if (this.#bytes <= this.#timeouts.lateBytes) break;
      this.forget(oldest);
    }
  }

  /** The trace was reopened, or never seen, here: late spans go to the assembler, not to this cache. */
  take(trace: OpenTrace): void {
    if (this.#kept.delete(trace)) this.#bytes -= trace.bytes;
  }

  expire(nowMs: number): void {
    for (const oldest of this.#kept) {
      if (oldest.closedAtMs + this.#timeouts.lateWindowMs > nowMs) break;
      this.forget(oldest);
    }
  }

  /** Releases the oldest spans until `isEnough`, or none are left. */
  shrink(isEnough: () => boolean): void {
    for (const oldest of this.#kept) {
      if (isEnough()) return;
      this.forget(oldest);
    }
  }

  /** Releases a trace's spans; its id is remembered for longer. */
  forget(trace: OpenTrace): void {
    if (this.#kept.delete(trace)) this.#bytes -= trace.bytes;
    this.#onForgotten?.(trace);
    for (const { batch } of trace.shares) this.#pinned.unpin(batch);
    trace.forget();
    this.#traces.delete(...trace.id);
    this.#gone.add(...trace.id);
  }
}
