import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { AgentRun } from "../../model/run.ts";

/** Traces without a run are forgotten when this many newer traces have arrived. */
const MOST = 2_000;

/**
 * Retains assembled traces until their runs are stored. Runs retain their telemetry anyway, so this class
 * adds only a bounded number of traces whose run is pending.
 */
export class RetainedTraces {
  readonly #unclaimed = new NewestEntries<string, Trace>(MOST);
  readonly #ofRun = new WeakMap<AgentRun, readonly Trace[]>();

  add(trace: Trace): void {
    this.#unclaimed.set(trace.traceId, trace);
  }

  /** Records that the run contains these traces. A trace may have several runs. */
  claim(run: AgentRun): void {
    const traces = run.traceIds.flatMap((id) => this.#unclaimed.get(id) ?? []);
    this.#ofRun.set(run, traces);
  }

  /** Returns the traces of the run. */
  of(run: AgentRun): readonly Trace[] {
    return this.#ofRun.get(run) ?? [];
  }

  /** Releases traces that no further run can contain. */
  release(isOpen: (traceId: string) => boolean): void {
    for (const id of this.#unclaimed.keys()) if (!isOpen(id)) this.#unclaimed.delete(id);
  }
}
