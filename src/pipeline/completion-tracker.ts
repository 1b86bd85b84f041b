import type { AgentRun } from "../model/run.ts";

/** Follows traces from when they are assembled until every run made of them has been judged, or will not be. */
export class CompletionTracker {
  readonly #closed = new Set<string>();
  /** Runs that are before their judges, by trace. */
  readonly #openRuns = new Map<string, number>();
  readonly #begun = new WeakSet<AgentRun>();

  /** Traces that wait. */
  get size(): number {
    return this.#closed.size;
  }

  closed(traceId: string): void {
    this.#closed.add(traceId);
  }

  /** A conversation is no part of this: its runs were judged by themselves before. */
  begin(run: AgentRun): void {
    if (run.turns !== undefined || this.#begun.has(run)) return;
    this.#begun.add(run);
    for (const id of run.traceIds) this.#openRuns.set(id, (this.#openRuns.get(id) ?? 0) + 1);
  }

  end(run: AgentRun): void {
    if (!this.#begun.delete(run)) return;
    for (const id of run.traceIds) {
      const left = (this.#openRuns.get(id) ?? 1) - 1;
      if (left === 0) this.#openRuns.delete(id);
      else this.#openRuns.set(id, left);
    }
  }

  /**
   * Takes out the traces about which nothing more is to be expected.
   * @param awaited traces of which runs are still to come
   */
  take(awaited: ReadonlySet<string>): Set<string> {
    const settled = new Set<string>();
    for (const id of this.#closed) if (!this.#openRuns.has(id) && !awaited.has(id)) settled.add(id);
    for (const id of settled) this.#closed.delete(id);
    return settled;
  }
}
