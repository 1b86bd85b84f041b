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
  /** Creates the run stitcher. Called again after a trace has caused an exception in the stitcher. */
  readonly makeStitcher: () => Stitcher;
  /** Groups runs into conversations; absent if no spec has queries about conversations. */
  readonly conversations?: Conversations | undefined;
  /** Returns the run with its lasting id; if absent, the id comes from the root span. */
  readonly identify?: ((run: AgentRun) => AgentRun) | undefined;
  /**
   * Called with each complete run and each ended conversation. A run or conversation that changed is passed
   * again.
   */
  readonly onRun: (run: AgentRun) => void;
  /**
   * Called with each exception that a trace caused. The failed trace is finished, and other traces continue.
   */
  readonly onFault: OnFault;
}

/**
 * Traces with more spans and uncorrelated log records than this number are read in slices. Requests are
 * answered between slices.
 */
const MOST_AT_ONCE = 500;
/**
 * Maximum number of remembered large traces. With more large traces, all are forgotten, and the runs of
 * large traces are published together with other runs.
 */
const MOST_LARGE = 1_000;
/** Attributes read in one slice, which takes a few dozen milliseconds. */
const SLICE_ATTRIBUTES = 5_000;

/**
 * Complete runs are assembled and evaluated after this many spans were read. A replay also closes traces at
 * this interval. With fewer spans, evaluation costs a tenth more CPU, because each stage's code is reloaded
 * into the processor cache for each trace. With more spans, the garbage collector moves the waiting spans,
 * which costs as much.
 */
export const SPANS_PER_RELEASE = 500;

/**
 * Converts rows into traces, fragments and runs. Live and replayed data use the same pipeline; only the
 * callers of `tick` and `close` differ. All dependencies are arguments, and the pipeline performs no I/O. An
 * exception that a trace causes reaches neither the caller nor other traces.
 */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #stitcher: Stitcher;
  /** Large traces that are read in slices, oldest first. */
  #large: FragmentReading[] = [];
  /** Ids of traces that were read in slices and whose runs are not published yet. */
  readonly #largeTraceIds = new Set<string>();
  /** Runs to publish: the next large run first, then all runs that follow it. */
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

  /** Whether a closed trace may still become part of a run or a conversation, or is still being read. */
  isOpen(traceId: string): boolean {
    const { conversations } = this.#parts;
    return (
      this.#stitcher.isOpen(traceId) || conversations?.isOpen(traceId) === true || this.#isBeingRead(traceId)
    );
  }

  /**
   * Whether a run of a closed trace is still pending, or the trace is still being read. Conversations are
   * not considered.
   */
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
   * Closes and emits at most `most` due traces, and returns whether more work is due. The caller calls
   * `tick` several times a second. A large trace is read, stitched and published in separate calls, because
   * each step may take as long as all other work.
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

  /**
   * Publishes the runs before the first large run. The large run and all later runs wait for the next calls
   * of `tick`.
   */
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
   * Frees memory: closes at most `most` open traces with the reason `memory`, until at most `targetBytes`
   * are held. If large runs wait, one large run is published instead, because publishing all large runs
   * would block requests for seconds.
   */
  evict(targetBytes: number, nowMs: number, most: number): void {
    if (this.#unpublished.length > 0) {
      this.#publishNext(nowMs);
      return;
    }
    this.#read(this.#parts.assembler.evict(targetBytes, nowMs, most), nowMs);
    // Emits no run that waits for more fragments; `tick` emits such runs in slices.
    this.#give(this.#stitcher.emit(nowMs, 0), nowMs);
  }

  /** Estimated memory in bytes of pending fragments, and of emitted fragments that are retained. */
  get fragmentBytes(): number {
    return this.#stitcher.heldBytes;
  }

  /** Forgets emitted fragments, which are retained for late spans. */
  forgetReleased(): void {
    this.#stitcher.forgetReleased();
  }

  /** Forgets all telemetry that is retained for late spans. Called when no more telemetry is accepted. */
  forgetRetained(): void {
    this.#parts.assembler.forgetClosed();
    this.#stitcher.forgetReleased();
    this.#parts.conversations?.forgetReleased();
  }

  /**
   * Emits at most `most` of the oldest pending fragments without waiting for their other parts. Returns the
   * number of runs.
   */
  evictFragments(most: number, nowMs: number): number {
    const runs = this.#stitcher.evict(most);
    this.#give(runs, nowMs);
    return runs.length;
  }

  /** Closes these traces with the given reason, and emits complete runs. */
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

  /** Reads small traces at once, and queues large traces. */
  #read(traces: readonly Trace[], nowMs: number): void {
    let spans = 0;
    for (const trace of traces) {
      // Removes the running read of a reopened trace, because the new read covers the same spans.
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

  /** Continues reading the oldest large trace. Returns whether the reading ended. */
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
