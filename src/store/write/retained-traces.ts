import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { AgentRun } from "../../model/run.ts";

/** Traces without a run are forgotten when this many newer ones have come. */
const MOST = 2_000;

/**
 * Retains assembled traces until their runs are stored. Runs retain their telemetry anyway, so this adds only traces whose run is pending,
 * in a bounded number.
 */
export class RetainedTraces {
  readonly #unclaimed = new NewestEntries<string, Trace>(MOST);
  readonly #ofRun = new WeakMap<AgentRun, readonly Trace[]>();

  add(trace: Trace): void {
    this.#unclaimed.set(trace.traceId, trace);
  }

  /** A run has come of some of them. Several runs may come of one trace. */
  claim(run: AgentRun): void {
    const traces = run.traceIds.flatMap((id) => this.#unclaimed.get(id) ?? []);
    this.#ofRun.set(run, traces);
  }

  /** Traces of the run. */
  of(run: AgentRun): readonly Trace[] {
    return this.#ofRun.get(run) ?? [];
  }

  /** Releases the traces of which no run will come any more. */
  release(isOpen: (traceId: string) => boolean): void {
    for (const id of this.#unclaimed.keys()) if (!isOpen(id)) this.#unclaimed.delete(id);
  }
}
