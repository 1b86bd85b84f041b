import type { AgentRun } from "../../model/run.ts";

/** Traces that went to others and are remembered; the oldest are forgotten. */
const LOST_KEPT = 100_000;
const PRUNE_FROM = 10_000;

/** Which traces came over Kafka and are this process's, and which went to another one. */
export class OwnedTraces {
  /** With the number of the time it came: a trace that went and came back is another one. */
  readonly #owned = new Map<string, number>();
  readonly #lost = new Set<string>();
  readonly #begun = new WeakMap<AgentRun, number>();
  #times = 0;
  #pruneAt = PRUNE_FROM;

  has(traceId: string): boolean {
    return this.#owned.has(traceId);
  }

  take(traceIds: Iterable<string>): void {
    for (const id of traceIds) {
      if (this.#owned.has(id)) continue;
      this.#lost.delete(id);
      this.#owned.set(id, ++this.#times);
    }
  }

  lose(traceIds: Iterable<string>): void {
    for (const id of traceIds) {
      if (!this.#owned.delete(id)) continue;
      this.#lost.add(id);
    }
    for (const oldest of this.#lost) {
      if (this.#lost.size <= LOST_KEPT) break;
      this.#lost.delete(oldest);
    }
  }

  finish(traceIds: readonly string[]): void {
    for (const id of traceIds) this.#owned.delete(id);
  }

  begin(run: AgentRun): void {
    this.#begun.set(run, this.#timeOf(run));
  }

  owns({ traceIds }: AgentRun): boolean {
    return this.ownsAny(traceIds);
  }

  ownsAny(traceIds: readonly string[]): boolean {
    return traceIds.some((id) => this.#owned.has(id));
  }

  /** A run is another's when all that came of it over Kafka went there, or went there and came back since it was begun. */
  whose(run: AgentRun): "ours" | "another's" | "nobody's" {
    const begun = this.#begun.get(run);
    if (begun !== undefined) return begun === this.#timeOf(run) ? "ours" : "another's";
    if (this.owns(run)) return "ours";
    return run.traceIds.some((id) => this.#lost.has(id)) ? "another's" : "nobody's";
  }

  /** Forgets traces of which everything was taken before and nothing is held. */
  prune(held: () => ReadonlySet<string>, isKept: (traceId: string) => boolean): void {
    if (this.#owned.size < this.#pruneAt) return;
    const live = held();
    for (const id of this.#owned.keys()) if (!live.has(id) && !isKept(id)) this.#owned.delete(id);
    this.#pruneAt = Math.max(PRUNE_FROM, this.#owned.size * 2);
  }

  #timeOf({ traceIds }: AgentRun): number {
    let first = 0;
    for (const id of traceIds) {
      const time = this.#owned.get(id) ?? 0;
      if (time > 0 && (first === 0 || time < first)) first = time;
    }
    return first;
  }
}
