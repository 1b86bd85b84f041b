import type { IdTable } from "./ids/id-table.ts";
import { LastIds } from "./ids/last-ids.ts";
import type { OpenTrace } from "./open-trace.ts";
import type { Patience } from "./timeouts/trace-timeouts.ts";
import type { PinnedBatches } from "./batches/reference-counted-batches.ts";

/** Closed traces, oldest first: their spans are kept for a while, in case more come, then only their ids, to know what comes too late. */
export class ClosedTraces {
  readonly #patience: Patience;
  readonly #pinned: PinnedBatches;
  readonly #traces: IdTable<OpenTrace>;
  readonly #onGone: ((trace: OpenTrace) => void) | undefined;
  readonly #kept = new Set<OpenTrace>();
  readonly #gone: LastIds;
  #bytes = 0;

  /**
   * @param seed anything unpredictable
   * @param onGone sees each trace that is about to let go of its spans
   */
  constructor(
    patience: Patience,
    seed: number,
    pinned: PinnedBatches,
    traces: IdTable<OpenTrace>,
    onGone: ((trace: OpenTrace) => void) | undefined,
  ) {
    this.#patience = patience;
    this.#pinned = pinned;
    this.#traces = traces;
    this.#onGone = onGone;
    this.#gone = new LastIds(seed, patience.goneKept);
  }

  /** Ids whose spans were let go of, lately. */
  get gone(): LastIds {
    return this.#gone;
  }

  /** How many there are whose spans are kept. */
  get kept(): number {
    return this.#kept.size;
  }

  add(trace: OpenTrace, nowMs: number): void {
    trace.closedAtMs = nowMs;
    if (trace.truncated || this.#patience.lateWindowMs === 0) {
      this.forget(trace);
      return;
    }
    trace.state = "closed";
    this.#kept.add(trace);
    this.#bytes += trace.bytes;
    for (const oldest of this.#kept) {
      if (this.#bytes <= this.#patience.lateBytes) break;
      this.forget(oldest);
    }
  }

  /** It is opened again, or has never been. Its spans are somebody else's now. */
  take(trace: OpenTrace): void {
    if (this.#kept.delete(trace)) this.#bytes -= trace.bytes;
  }

  expire(nowMs: number): void {
    for (const oldest of this.#kept) {
      if (oldest.closedAtMs + this.#patience.lateWindowMs > nowMs) break;
      this.forget(oldest);
    }
  }

  /** Lets go of the oldest spans until `isEnough`, or none are left. */
  shrink(isEnough: () => boolean): void {
    for (const oldest of this.#kept) {
      if (isEnough()) return;
      this.forget(oldest);
    }
  }

  /** Lets go of a trace's spans; its id is known for a while longer. */
  forget(trace: OpenTrace): void {
    if (this.#kept.delete(trace)) this.#bytes -= trace.bytes;
    this.#onGone?.(trace);
    for (const { batch } of trace.shares) this.#pinned.unpin(batch);
    trace.forget();
    this.#traces.delete(...trace.id);
    this.#gone.add(...trace.id);
  }
}
