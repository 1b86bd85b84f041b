import type { AgentRun, CloseReason } from "../../model/run.ts";
import type { Fragment } from "../../runs/fragment.ts";
import type { RunStitcher } from "../../runs/waiting/run-stitcher.ts";
import { traceIdsOf } from "./faulty-run.ts";

/** The part of `RunStitcher` that the pipeline uses. */
export type Stitcher = Pick<
  RunStitcher,
  | "add"
  | "emit"
  | "evict"
  | "drain"
  | "isOpen"
  | "isAwaited"
  | "hasAwaited"
  | "isBehind"
  | "heldBytes"
  | "forgetReleased"
>;

interface Added {
  readonly fragments: readonly Fragment[];
  readonly atMs: number;
}

/**
 * Wraps a run stitcher, so that an exception affects only the trace that caused it. For this, it remembers the fragments that were not
 * emitted yet. After an exception in `emit`, `evict` or `drain`, it searches for faulty traces:
 * 1. It stitches each trace that was added since the last call, one at a time.
 * 2. If none of these throws, it stitches each other remembered trace, one at a time.
 * 3. It reports the traces that threw, and adds all others to a new stitcher.
 * 4. If the new stitcher also throws, it emits every trace separately.
 */
export class ContainedStitcher implements Stitcher {
  readonly #make: () => Stitcher;
  readonly #onFault: (fragments: readonly Fragment[], error: unknown) => void;
  #stitcher: Stitcher;
  /** Fragments that were added since the last `emit` or `evict`, by trace id. */
  #fresh = new Map<string, Added>();
  /** Fragments that were added earlier, by trace id. They are kept while a run of the trace is awaited. */
  #waiting = new Map<string, Added>();
  #waitingAtCleaning = 0;

  constructor(make: () => Stitcher, onFault: (fragments: readonly Fragment[], error: unknown) => void) {
    this.#make = make;
    this.#stitcher = make();
    this.#onFault = onFault;
  }

  add(fragments: readonly Fragment[], nowMs: number): void {
    const [first] = fragments;
    if (first === undefined) return;
    this.#waiting.delete(first.traceId);
    this.#fresh.set(first.traceId, { fragments, atMs: nowMs });
    try {
      this.#stitcher.add(fragments, nowMs);
    } catch (error) {
      this.#fresh.delete(first.traceId);
      this.#onFault(fragments, error);
      this.#rebuild();
    }
  }

  emit(nowMs: number, most?: number): AgentRun[] {
    const runs = this.#contained((stitcher) => stitcher.emit(nowMs, most));
    this.#settle(runs);
    return runs;
  }

  evict(most: number): AgentRun[] {
    const runs = this.#contained((stitcher) => stitcher.evict(most));
    this.#settle(runs);
    return runs;
  }

  drain(closeReason?: CloseReason): AgentRun[] {
    const runs = this.#contained((stitcher) => stitcher.drain(closeReason));
    this.#fresh.clear();
    this.#waiting.clear();
    return runs;
  }

  isOpen(traceId: string): boolean {
    return this.#stitcher.isOpen(traceId);
  }

  isAwaited(traceId: string): boolean {
    return this.#stitcher.isAwaited(traceId);
  }

  get hasAwaited(): boolean {
    return this.#stitcher.hasAwaited;
  }

  get isBehind(): boolean {
    return this.#stitcher.isBehind;
  }

  get heldBytes(): number {
    return this.#stitcher.heldBytes;
  }

  forgetReleased(): void {
    this.#stitcher.forgetReleased();
  }

  #contained(work: (stitcher: Stitcher) => AgentRun[]): AgentRun[] {
    try {
      return work(this.#stitcher);
    } catch {
      // The last call succeeded with all earlier traces, so the faulty trace probably is among the newest.
      if (!this.#leaveOutFaulty(this.#fresh)) this.#leaveOutFaulty(this.#waiting);
      this.#rebuild();
    }
    try {
      return work(this.#stitcher);
    } catch {
      const apart = [...this.#waiting.values(), ...this.#fresh.values()];
      this.#waiting.clear();
      this.#fresh.clear();
      this.#stitcher = this.#make();
      return apart.flatMap(({ fragments, atMs }) => this.#alone(fragments, atMs) ?? []);
    }
  }

  /** Removes the traces that throw when they are stitched one at a time. Returns whether any did. */
  #leaveOutFaulty(among: Map<string, Added>): boolean {
    const before = among.size;
    for (const [traceId, { fragments, atMs }] of among) {
      if (this.#alone(fragments, atMs) === undefined) among.delete(traceId);
    }
    return among.size < before;
  }

  /** Stitches one trace by itself, and returns its runs. If this throws, reports the trace, and returns undefined. */
  #alone(fragments: readonly Fragment[], atMs: number): AgentRun[] | undefined {
    try {
      const stitcher = this.#make();
      stitcher.add(fragments, atMs);
      return stitcher.drain();
    } catch (error) {
      this.#onFault(fragments, error);
      return undefined;
    }
  }

  #rebuild(): void {
    this.#stitcher = this.#make();
    for (const among of [this.#waiting, this.#fresh]) {
      for (const [traceId, { fragments, atMs }] of among) {
        try {
          this.#stitcher.add(fragments, atMs);
        } catch (error) {
          among.delete(traceId);
          this.#onFault(fragments, error);
        }
      }
    }
  }

  /** Moves the new traces of which a run is still awaited to `#waiting`, and forgets all traces whose runs were emitted. */
  #settle(runs: readonly AgentRun[]): void {
    for (const [traceId, added] of this.#fresh)
      if (this.#stitcher.isAwaited(traceId)) this.#waiting.set(traceId, added);
    this.#fresh.clear();
    if (this.#waiting.size === 0) return;
    for (const run of runs) for (const id of traceIdsOf(run)) this.#forgetEmitted(id);
    if (this.#waiting.size <= 2 * this.#waitingAtCleaning + 1_000) return;
    for (const id of this.#waiting.keys()) this.#forgetEmitted(id);
    this.#waitingAtCleaning = this.#waiting.size;
  }

  #forgetEmitted(traceId: string): void {
    if (!this.#stitcher.isAwaited(traceId)) this.#waiting.delete(traceId);
  }
}
