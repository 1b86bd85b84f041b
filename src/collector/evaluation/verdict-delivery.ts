import type { Sending, VerdictNote } from "../../journal/delivery-ledger.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { AcceptLogs } from "../inputs/accept-logs.ts";

export interface VerdictDeliveryOptions {
  readonly acceptLogs: AcceptLogs;
  readonly lifecycle: TraceLifecycle;
  /**
   * Called when a run can be released: its verdicts were passed to the outputs, it has no verdict, or this process does not publish its
   * verdicts.
   */
  readonly onPassed?: (run: AgentRun) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Records the verdicts of each run, and passes them to the outputs. When every destination has received, stored or dropped the verdicts of
 * a run, records that the verdicts are delivered.
 */
export class VerdictDelivery {
  readonly #options: VerdictDeliveryOptions;
  readonly #recording = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #isClosed = false;

  constructor(options: VerdictDeliveryOptions) {
    this.#options = options;
  }

  /** Number of records that are being written. The run of a record stays in memory until the record is written. */
  get unwritten(): number {
    return this.#recording.size;
  }

  publish(
    run: AgentRun,
    verdicts: readonly Verdict[],
    send: (verdict: Verdict, sending: Sending) => void,
  ): void {
    const { acceptLogs, lifecycle, onPassed } = this.#options;
    const delivered = lifecycle.deliveryOf(run);
    if (verdicts.length === 0) {
      delivered();
      onPassed?.(run);
      return;
    }
    this.#record(async () => {
      try {
        const note = await acceptLogs.ownerOf(run).noteVerdict(run, verdicts, this.#ending.signal);
        if (note === null) return delivered();
        const done = this.#afterAll(verdicts.length, note, delivered);
        for (const verdict of verdicts) send(verdict, { ...note.sendingOf(verdict), done });
      } finally {
        onPassed?.(run);
      }
    });
  }

  /**
   * Returns a function that records the delivery when it is called for the `count`th time. The returned function does not retain the run.
   */
  #afterAll(count: number, note: VerdictNote, delivered: () => void): () => void {
    let open = count;
    return () => {
      if (--open > 0) return;
      this.#record(async () => {
        await note.noteDelivered();
        delivered();
      });
    };
  }

  /**
   * Stops retrying to record verdicts; the next process judges the runs of unrecorded verdicts again. Resolves when each running write has
   * succeeded or failed.
   */
  async settled(): Promise<void> {
    this.#ending.abort();
    while (this.#recording.size > 0) {
      await Promise.allSettled([...this.#recording, new Promise<void>((resolve) => setImmediate(resolve))]);
    }
  }

  /** Like `settled`, but also ignores all later calls of `publish`, so that the next process judges the runs of these calls. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settled();
  }

  #record(write: () => Promise<void>): void {
    if (this.#isClosed) return;
    const recording = write().finally(() => this.#recording.delete(recording));
    this.#recording.add(recording);
    recording.catch(this.#options.onError);
  }
}
