import type { TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import { type OnFault, traceFault } from "../../pipeline/faults/faulty-run.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { Engine } from "../../replay/engine.ts";
import type { AcceptLogs } from "../inputs/accept-logs.ts";
import type { Results } from "../outputs/results.ts";
import type { Recorder } from "../../support/telemetry/metrics/recorder.ts";

export interface FollowedParts {
  readonly lifecycle: TraceLifecycle;
  readonly engine: Engine;
  readonly acceptLogs: AcceptLogs;
  readonly results: Results;
  readonly tailForwarder: TailForwarder | null;
  /** Monotonic clock in milliseconds, such as `performance.now`. */
  readonly now: () => number;
}

/**
 * Interval in milliseconds at which traces are finished. Without tail-based forwarding, traces are also settled at this interval; otherwise
 * at each tick.
 */
const SELDOM_MS = 1_000;

/**
 * Settles a trace (counts its final outcome) when its runs are judged. Finishes a trace (forgets its data) when no step of its processing
 * remains.
 */
export class TraceFollower {
  readonly #parts: FollowedParts;
  #seldomMs = -Infinity;
  #finishing: Promise<void> | null = null;

  constructor(parts: FollowedParts) {
    this.#parts = parts;
  }

  /**
   * Settles and finishes traces. Call `tick` several times a second.
   * @param aheadMs milliseconds until the next call
   */
  tick(aheadMs: number): void {
    const { engine, results, tailForwarder, now } = this.#parts;
    const isSeldom = now() - this.#seldomMs >= SELDOM_MS;
    if (isSeldom) this.#seldomMs = now();
    if (isSeldom || tailForwarder !== null) this.settle(aheadMs);
    if (!isSeldom) return;
    results.releaseTraces((id) => engine.pipeline.isOpen(id));
    if (this.#finishing === null) void this.finish();
  }

  settle(aheadMs: number): void {
    const { lifecycle, engine, tailForwarder, now } = this.#parts;
    const settled = lifecycle.settle((id) => engine.pipeline.isAwaited(id));
    tailForwarder?.tick(settled, now() + aheadMs);
  }

  /** Records traces as finished if no step of their processing remains. Resolves when they are recorded, or the write has failed. */
  async finish(): Promise<void> {
    await this.#finishing;
    this.#finishing = this.#finish().finally(() => (this.#finishing = null));
    await this.#finishing;
  }

  async #finish(): Promise<void> {
    const { lifecycle, engine, acceptLogs, tailForwarder } = this.#parts;
    const isOpen = (id: string): boolean => engine.pipeline.isOpen(id) || tailForwarder?.holds(id) === true;
    lifecycle.finish(await acceptLogs.finish(lifecycle.finishable(isOpen)));
  }
}

/** Reports outcomes of traces as metrics, and passes forwarding decisions to the lifecycle and the accept log. */
export function observeLifecycle(
  lifecycle: TraceLifecycle,
  acceptLogs: AcceptLogs,
  tailForwarder: TailForwarder | null,
  recorder: Recorder,
  onFault: OnFault,
): void {
  recorder.observe("tracejury.traces.settled", (report) => {
    for (const [outcome, count] of lifecycle.counts) report(count, [outcome]);
  });
  recorder.observe("tracejury.traces.pending", (report) => report(lifecycle.pending, []));
  if (tailForwarder === null) return;
  tailForwarder.events = {
    decided: (destination, traceId, { kept, why }) => {
      lifecycle.forwarded(traceId, { destination, kept, why });
      recorder.count("tracejury.forward.traces", 1, [destination, kept ? "kept" : "left_out", why]);
    },
    note: (forwarded) => acceptLogs.requests.noteForwarded(forwarded),
    failed: (traceId, error) => onFault(traceFault("publish", error, { traceId })),
  };
  recorder.observe("tracejury.forward.held_traces", (report) => {
    for (const { name, hold } of tailForwarder.routes) report(hold.size, [name]);
  });
}
