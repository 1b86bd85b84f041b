import type { Fragment } from "../runs/fragments/fragment.ts";
import type { Assembler } from "../assemble/assembler.ts";
import type { Trace } from "../assemble/trace.ts";
import type { RunStitcher } from "../runs/stitching/run-stitcher.ts";
import type { AgentRun, CloseReason } from "../model/run.ts";
import type { Batch } from "../otlp/batch.ts";
import type { Conversations } from "./conversation/conversations.ts";

export interface PipelineParts {
  readonly assembler: Assembler;
  readonly adapt: (trace: Trace) => readonly Fragment[];
  readonly joiner: RunStitcher;
  /** Puts runs together into conversations, where specs are about such. */
  readonly conversations?: Conversations | undefined;
  /** Gets each run once it is whole, each conversation once it is over, and both again when they changed. Must not throw. */
  readonly onRun: (run: AgentRun) => void;
}

/**
 * rows → traces → pieces → runs. Live and replayed data take the same way; they differ in who calls `tick` and `close`.
 * Every part is handed in; nothing here reads the world.
 */
export class Pipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /**
   * Takes a decoded request. The batch and its body belong to the pipeline from here on.
   * @param isOver tells traces whose rows are left out
   * @returns how many traces hold rows of it now
   */
  accept(batch: Batch, nowMs: number, isOver?: (rows: Int32Array, at: number) => boolean): number {
    return this.#parts.assembler.add(batch, nowMs, isOver);
  }

  /**
   * Closed traces that may yet become part of a run or a conversation.
   * @param released also those that were given out and are kept, in case more comes
   */
  openTraceIds(released = true): Set<string> {
    const ids = this.#parts.joiner.openTraceIds(released);
    for (const id of this.#parts.conversations?.openTraceIds(released) ?? []) ids.add(id);
    return ids;
  }

  /** Closed traces of which a run is still to come, whatever becomes of conversations. */
  awaitedTraceIds(): Set<string> {
    return this.#parts.joiner.awaitedTraceIds();
  }

  /** Releases what has become due, at most so many traces; true when more are. To be called several times a second. */
  tick(nowMs: number, most = Infinity): boolean {
    const { assembler, joiner, conversations } = this.#parts;
    this.#join(assembler.due(nowMs, most), nowMs);
    this.#give(joiner.release(nowMs), nowMs);
    for (const conversation of conversations?.due(nowMs) ?? []) this.#parts.onRun(conversation);
    return assembler.isBehind;
  }

  /** Lets go of memory: closes what is open, as `memory`, at most `most` traces, until no more than `targetBytes` are held. */
  relieve(targetBytes: number, nowMs: number, most: number): void {
    this.#join(this.#parts.assembler.relieve(targetBytes, nowMs, most), nowMs);
    this.#give(this.#parts.joiner.release(nowMs), nowMs);
  }

  /** Lets go of pieces of runs: those given out are forgotten, and the oldest that wait, at most so many, go out as they are. Gives how many runs went. */
  relievePieces(most: number, nowMs: number): number {
    const runs = this.#parts.joiner.evict(most);
    this.#give(runs, nowMs);
    return runs.length;
  }

  /** Releases one trace of which nothing more will come. */
  close(traceId: readonly [number, number, number, number], reason: CloseReason, nowMs: number): void {
    const trace = this.#parts.assembler.close(traceId, reason, nowMs);
    if (trace === undefined) return;
    this.#join([trace], nowMs);
    this.#give(this.#parts.joiner.release(nowMs), nowMs);
  }

  /** Releases all that is left. */
  drain(reason: CloseReason, nowMs: number): void {
    this.#join(this.#parts.assembler.drain(reason, nowMs), nowMs);
    this.#give(this.#parts.joiner.drain(), nowMs);
    for (const conversation of this.#parts.conversations?.drain() ?? []) this.#parts.onRun(conversation);
  }

  #give(runs: readonly AgentRun[], nowMs: number): void {
    const { conversations, onRun } = this.#parts;
    for (const run of runs) {
      onRun(run);
      for (const cut of conversations?.add(run, nowMs) ?? []) onRun(cut);
    }
  }

  #join(traces: readonly Trace[], nowMs: number): void {
    for (const trace of traces) {
      const fragments = this.#parts.adapt(trace);
      if (fragments.length > 0) this.#parts.joiner.add(fragments, nowMs);
    }
  }
}
