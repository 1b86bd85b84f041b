import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { AgentRun } from "../../model/run.ts";

/** Maximum number of retained traces without a run. Above this number, the oldest is released. */
const MOST = 2_000;

/**
 * Retains assembled traces until their runs are stored. A run retains its telemetry anyway, so this class needs additional memory only for
 * traces without a run.
 */
export class RetainedTraces {
  readonly #unclaimed = new NewestEntries<string, Trace>(MOST);
  readonly #ofRun = new WeakMap<AgentRun, readonly Trace[]>();

  add(trace: Trace): void {
    this.#unclaimed.set(trace.traceId, trace);
  }

  /** Records which traces belong to a run. A trace can belong to several runs. */
  claim(run: AgentRun): void {
    const traces = run.traceIds.flatMap((id) => this.#unclaimed.get(id) ?? []);
    this.#ofRun.set(run, traces);
  }

  /** Returns the traces of a run; empty if they are unknown. */
  of(run: AgentRun): readonly Trace[] {
    return this.#ofRun.get(run) ?? [];
  }

  /**
   * Releases the traces that can no longer become part of a run.
   * @param isOpen returns true if a trace may still become part of a run
   */
  release(isOpen: (traceId: string) => boolean): void {
    for (const id of this.#unclaimed.keys()) if (!isOpen(id)) this.#unclaimed.delete(id);
  }
}
