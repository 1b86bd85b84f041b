import { faultOf, type FaultStage } from "../model/fault.ts";
import type { Fragment } from "../runs/fragment.ts";
import type { FragmentReading } from "../runs/fragment-reader.ts";
import type { Assembler } from "../assemble/assembler.ts";
import type { WhyLeftOut } from "../assemble/assembler-counts.ts";
import type { TraceEntry } from "../assemble/trace-entry.ts";
import type { Trace } from "../assemble/trace.ts";
import type { AgentRun, CloseReason } from "../model/run.ts";
import type { Batch } from "../otlp/rows/batch.ts";
import type { Conversations } from "./conversation/conversations.ts";
import { ContainedStitcher, type Stitcher } from "./faults/contained-stitcher.ts";
import { type FailedTrace, traceIdsOf, unreadRun } from "./faults/faulty-run.ts";
import { type OnFault, traceFault } from "./faults/trace-fault.ts";

export interface PipelineParts {
  readonly assembler: Assembler;
  /** Starts reading a closed trace into fragments of runs. */
  readonly beginTrace: (trace: Trace) => FragmentReading;
  /**
   * Creates the run stitcher. The function is called again after an exception that a trace caused in the
   * first stitcher.
   */
  readonly makeStitcher: () => Stitcher;
  /** Groups runs into conversations; absent if no spec is about conversations. */
  readonly conversations?: Conversations | undefined;
  /** Gives each run the id that it keeps; the id of its root when absent. */
  readonly identify?: ((run: AgentRun) => AgentRun) | undefined;
  /** Called with each complete run and each ended conversation, and again when they have changed. */
  readonly onRun: (run: AgentRun) => void;
  /** Called with an exception that one trace caused. The failed trace is finished; other traces continue. */
  readonly onFault: OnFault;
}

/**
 * Traces with more spans, or with more log records without a span, are read in slices. Requests are answered
 * between slices.
 */
const MOST_AT_ONCE = 500;
/**
 * Maximum number of large traces that are remembered until their runs are published. Runs of further large
 * traces are published together with small ones.
 */
const MOST_LARGE = 1_000;
/** Attributes read in one slice, which takes some tens of milliseconds. */
const SLICE_ATTRIBUTES = 5_000;

/**
 * Complete runs are assembled and evaluated after this many spans were read; a replay also closes traces at
 * this interval. A smaller number costs a tenth more CPU, because each stage's code is reloaded into the
 * processor cache for each trace. A larger number costs as much, because the garbage collector moves the
 * waiting spans.
 */
export const SPANS_PER_RELEASE = 500;

/**
 * Converts rows into traces, fragments and runs. Live and replayed data use the same pipeline; only the
 * callers of `tick` and `close` differ. All dependencies are arguments, and the pipeline performs no I/O. An
 * exception of one trace reaches neither the caller nor other traces.
 */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #stitcher: Stitcher;
  /** Large traces that are read in slices, oldest first. */
  #large: FragmentReading[] = [];
  /** Traces that were read in slices and whose runs are not emitted yet. */
  readonly #largeTraceIds = new Set<string>();
  /** Runs to publish: a large run, and the runs behind it. */
  #unpublished: AgentRun[] = [];

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#stitcher = new ContainedStitcher(parts.makeStitcher, ([fragment], error) => {
      if (fragment === undefined) return;
      const { traceId, closeReason, root } = fragment;
      this.fail({ traceId, closeReason, spans: [root.span] }, "stitch", error);
    });
  }

  /**
   * Accepts a decoded request. The pipeline owns the batch and its body after this call.
   * @returns number of traces that have rows in the batch
   */
  accept(batch: Batch, nowMs: number, whyLeftOut?: WhyLeftOut): number {
    return this.#parts.assembler.add(batch, nowMs, whyLeftOut);
  }

  /** Whether a closed trace may still become part of a run or a conversation. */
  isOpen(traceId: string): boolean {
    const { conversations } = this.#parts;
    return (
      this.#stitcher.isOpen(traceId) || conversations?.isOpen(traceId) === true || this.#isBeingRead(traceId)
    );
  }

  /** Whether a run of a closed trace is still pending. Conversations are not considered. */
  isAwaited(traceId: string): boolean {
    return this.#stitcher.isAwaited(traceId) || this.#isBeingRead(traceId);
  }

  #isBeingRead(traceId: string): boolean {
    return (
      this.#large.some(({ trace }) => trace.traceId === traceId) ||
      this.#unpublished.some((run) => traceIdsOf(run).includes(traceId))
    );
  }

  /**
   * Emits at most `most` due traces. Returns true if more traces are due. Call this several times a second. A
   * large trace is read, stitched and published in separate calls, because each step may take as long as all
   * other work.
   */
  tick(nowMs: number, most = Infinity): boolean {
    const { assembler, conversations } = this.#parts;
    if (this.#unpublished.length > 0) {
      this.#publishNext(nowMs);
      return this.#isBehind;
    }
    this.#read(assembler.closeDue(nowMs, most), nowMs);
    if (this.#readSlice(SLICE_ATTRIBUTES, nowMs)) return true;
    this.#emit(this.#stitcher.emit(nowMs, most), nowMs);
    for (const conversation of conversations?.due(nowMs) ?? []) this.#publish(conversation);
    return this.#isBehind;
  }

  get #isBehind(): boolean {
    const isLargeLeft = this.#large.length > 0 || this.#unpublished.length > 0;
    return this.#parts.assembler.isBehind || this.#stitcher.isBehind || isLargeLeft;
  }

  /** Publishes runs up to and including the first large run. */
  #emit(runs: readonly AgentRun[], nowMs: number): void {
    const isLarge = (run: AgentRun): boolean => traceIdsOf(run).some((id) => this.#largeTraceIds.has(id));
    const first = this.#largeTraceIds.size === 0 ? -1 : runs.findIndex(isLarge);
    this.#unpublished = first < 0 ? [] : runs.slice(first);
    this.#give(first < 0 ? runs : runs.slice(0, first), nowMs);
  }

  #publishNext(nowMs: number): void {
    const [large, ...others] = this.#unpublished;
    this.#unpublished = [];
    if (large === undefined) return;
    const left = new Set(others.flatMap(traceIdsOf));
    for (const id of traceIdsOf(large)) if (!left.has(id)) this.#largeTraceIds.delete(id);
    this.#give([large], nowMs);
    this.#emit(others, nowMs);
  }

  #publishAll(nowMs: number): void {
    while (this.#unpublished.length > 0) this.#publishNext(nowMs);
    this.#largeTraceIds.clear();
  }

  /**
   * Frees memory: closes at most `most` open traces with the reason `memory`, until at most `targetBytes` are
   * held. While large runs wait, it publishes only one of them, because publishing all of them would block
   * requests for seconds.
   */
  evict(targetBytes: number, nowMs: number, most: number): void {
    if (this.#unpublished.length > 0) {
      this.#publishNext(nowMs);
      return;
    }
    this.#read(this.#parts.assembler.evict(targetBytes, nowMs, most), nowMs);
    // `tick` emits waiting runs, because `tick` is called in slices.
    this.#give(this.#stitcher.emit(nowMs, 0), nowMs);
  }

  /** Estimated memory in bytes of pending fragments, and of emitted fragments that are retained. */
  get fragmentBytes(): number {
    return this.#stitcher.heldBytes;
  }

  /** Forgets emitted fragments that are retained for late spans. */
  forgetReleased(): void {
    this.#stitcher.forgetReleased();
  }

  /** Forgets all telemetry that is retained for late spans, because nothing more is accepted. */
  forgetRetained(): void {
    this.#parts.assembler.forgetClosed();
    this.#stitcher.forgetReleased();
    this.#parts.conversations?.forgetReleased();
  }

  /** Emits the oldest pending fragments as they are, at most `most`. Returns the number of runs. */
  evictFragments(most: number, nowMs: number): number {
    const runs = this.#stitcher.evict(most);
    this.#give(runs, nowMs);
    return runs.length;
  }

  /** Closes traces that get no further spans, and emits complete runs. */
  close(traceIds: Iterable<TraceEntry["id"]>, reason: CloseReason, nowMs: number): void {
    this.#read(this.#parts.assembler.close(traceIds, reason, nowMs), nowMs);
    this.#readLarge(nowMs);
    this.#publishAll(nowMs);
    this.#give(this.#stitcher.emit(nowMs), nowMs);
  }

  /** Emits all remaining runs. */
  drain(reason: CloseReason, nowMs: number): void {
    this.#read(this.#parts.assembler.closeAll(reason, nowMs), nowMs);
    this.#readLarge(nowMs);
    this.#publishAll(nowMs);
    this.#give(this.#stitcher.drain(), nowMs);
    for (const conversation of this.#parts.conversations?.drain() ?? []) this.#publish(conversation);
  }

  #give(runs: readonly AgentRun[], nowMs: number): void {
    const { conversations } = this.#parts;
    for (const found of runs) {
      const run = this.#identified(found);
      this.#publish(run);
      if (conversations === undefined) continue;
      try {
        for (const cut of conversations.add(run, nowMs)) this.#publish(cut);
      } catch (error) {
        this.#parts.onFault(traceFault("stitch", error, run));
      }
    }
  }

  #identified(run: AgentRun): AgentRun {
    try {
      return this.#parts.identify?.(run) ?? run;
    } catch (error) {
      this.#parts.onFault(traceFault("stitch", error, run));
      return run;
    }
  }

  #publish(run: AgentRun): void {
    try {
      this.#parts.onRun(run);
    } catch (error) {
      this.#parts.onFault(traceFault("publish", error, run));
    }
  }

  /** Finishes a trace that caused an exception. The trace's runs get verdicts with the outcome `error`. */
  fail(trace: FailedTrace, stage: FaultStage, error: unknown): void {
    const run = unreadRun(trace, faultOf(stage, error));
    this.#parts.onFault(traceFault(stage, error, run));
    this.#publish(run);
  }

  /** Reads small traces at once and queues large ones. */
  #read(traces: readonly Trace[], nowMs: number): void {
    let spans = 0;
    for (const trace of traces) {
      // The trace was reopened: the new reading replaces the running one, because it contains the same spans.
      if (this.#large.length > 0)
        this.#large = this.#large.filter((one) => one.trace.traceId !== trace.traceId);
      const size = trace.spans.length + trace.uncorrelatedLogs.length;
      const isLarge = size > MOST_AT_ONCE;
      try {
        const reading = this.#parts.beginTrace(trace);
        if (isLarge) this.#large.push(reading);
        else this.#stitch(reading.next(Infinity) ?? [], nowMs);
      } catch (error) {
        this.fail(trace, "read", error);
      }
      spans += isLarge ? 0 : size;
      if (spans < SPANS_PER_RELEASE) continue;
      this.#give(this.#stitcher.emit(nowMs, 0), nowMs);
      spans = 0;
    }
  }

  /** Continues reading the oldest large trace. Returns whether its end was reached. */
  #readSlice(attributes: number, nowMs: number): boolean {
    const [reading] = this.#large;
    if (reading === undefined) return false;
    try {
      const fragments = reading.next(attributes);
      if (fragments === undefined) return false;
      this.#large.shift();
      if (this.#largeTraceIds.size >= MOST_LARGE) this.#largeTraceIds.clear();
      if (fragments.length > 0) this.#largeTraceIds.add(reading.trace.traceId);
      this.#stitch(fragments, nowMs);
    } catch (error) {
      this.#large = this.#large.filter((one) => one !== reading);
      this.fail(reading.trace, "read", error);
    }
    return true;
  }

  #readLarge(nowMs: number): void {
    while (this.#large.length > 0) this.#readSlice(Infinity, nowMs);
  }

  #stitch(fragments: readonly Fragment[], nowMs: number): void {
    if (fragments.length > 0) this.#stitcher.add(fragments, nowMs);
  }
}
