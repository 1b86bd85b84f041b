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
  /** Begins to read a closed trace into fragments of runs. */
  readonly beginTrace: (trace: Trace) => FragmentReading;
  /** Makes what stitches the runs; another one when a trace made the first throw. */
  readonly makeStitcher: () => Stitcher;
  /** Puts runs together into conversations, where specs are about such. */
  readonly conversations?: Conversations | undefined;
  /** Gets each run once it is whole, each conversation once it is over, and both again when they changed. */
  readonly onRun: (run: AgentRun) => void;
  /** Called with an error that one trace caused. That trace is finished; the others continue. */
  readonly onFault: OnFault;
}

/** Traces with more spans, or log records without a span, are read in slices, so that requests are answered meanwhile. */
const MOST_AT_ONCE = 500;
/** Large traces that are remembered until their runs are published; runs of others are published with small ones. */
const MOST_LARGE = 1_000;
/** Attributes read in one slice: some tens of milliseconds. */
const SLICE_ATTRIBUTES = 5_000;

/**
 * Whole runs are assembled and evaluated after so many spans were read; replays close traces after so many. Fewer spans cost a tenth more
 * CPU, because the code of every stage passes through the processor's cache for each trace; more cost as much again, because the garbage
 * collector moves what waits to be assembled.
 */
export const SPANS_PER_RELEASE = 500;

/**
 * rows → traces → fragments → runs. Live and replayed data take the same way; they differ in who calls `tick` and `close`.
 * Every part is an argument; nothing here does input or output. Nothing that one trace makes throw reaches the caller, or another trace.
 */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #stitcher: Stitcher;
  /** Large traces that are being read in slices, the oldest first. */
  #large: FragmentReading[] = [];
  /** Traces that were read in slices, and whose runs are still to be emitted. */
  readonly #largeTraceIds = new Set<string>();
  /** Runs to publish: a large one, and those behind it. */
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
   * Takes a decoded request. The batch and its body belong to the pipeline from here on.
   * @returns how many traces hold rows of it now
   */
  accept(batch: Batch, nowMs: number, whyLeftOut?: WhyLeftOut): number {
    return this.#parts.assembler.add(batch, nowMs, whyLeftOut);
  }

  /** Whether a closed trace may yet become part of a run or a conversation. */
  isOpen(traceId: string): boolean {
    const { conversations } = this.#parts;
    return (
      this.#stitcher.isOpen(traceId) || conversations?.isOpen(traceId) === true || this.#isBeingRead(traceId)
    );
  }

  /** Whether a run of a closed trace is still to come, whatever becomes of conversations. */
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
   * Emits traces that are due, at most `most`; returns true if more are due. Call it several times a second. A large trace is read, stitched
   * and published in calls of their own: each may take as long as all else.
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

  /** Publishes runs up to the first large one. */
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
    for (const id of traceIdsOf(large)) this.#largeTraceIds.delete(id);
    this.#give([large], nowMs);
    this.#emit(others, nowMs);
  }

  #publishAll(nowMs: number): void {
    while (this.#unpublished.length > 0) this.#publishNext(nowMs);
    this.#largeTraceIds.clear();
  }

  /** Frees memory: closes what is open, as `memory`, at most `most` traces, until no more than `targetBytes` are held. */
  evict(targetBytes: number, nowMs: number, most: number): void {
    this.#publishAll(nowMs);
    this.#read(this.#parts.assembler.evict(targetBytes, nowMs, most), nowMs);
    // Runs that waited are emitted by `tick`, which is called in slices.
    this.#give(this.#stitcher.emit(nowMs, 0), nowMs);
  }

  /** Estimated memory of fragments that wait for others, or are retained after they were emitted. */
  get fragmentBytes(): number {
    return this.#stitcher.heldBytes;
  }

  /** Forgets fragments that were emitted and are retained for late ones. */
  forgetReleased(): void {
    this.#stitcher.forgetReleased();
  }

  /** Forgets all that is retained for late spans: nothing more is accepted. */
  forgetRetained(): void {
    this.#parts.assembler.forgetClosed();
    this.#stitcher.forgetReleased();
    this.#parts.conversations?.forgetReleased();
  }

  /** Emits the oldest waiting fragments as they are, at most `most`. Returns the number of runs. */
  evictFragments(most: number, nowMs: number): number {
    const runs = this.#stitcher.evict(most);
    this.#give(runs, nowMs);
    return runs.length;
  }

  /** Closes traces without further spans, and emits complete runs. */
  close(traceIds: Iterable<TraceEntry["id"]>, reason: CloseReason, nowMs: number): void {
    this.#read(this.#parts.assembler.close(traceIds, reason, nowMs), nowMs);
    this.#readLarge(nowMs);
    this.#publishAll(nowMs);
    this.#give(this.#stitcher.emit(nowMs), nowMs);
  }

  /** Emits all that is left. */
  drain(reason: CloseReason, nowMs: number): void {
    this.#read(this.#parts.assembler.closeAll(reason, nowMs), nowMs);
    this.#readLarge(nowMs);
    this.#publishAll(nowMs);
    this.#give(this.#stitcher.drain(), nowMs);
    for (const conversation of this.#parts.conversations?.drain() ?? []) this.#publish(conversation);
  }

  #give(runs: readonly AgentRun[], nowMs: number): void {
    const { conversations } = this.#parts;
    for (const run of runs) {
      this.#publish(run);
      if (conversations === undefined) continue;
      try {
        for (const cut of conversations.add(run, nowMs)) this.#publish(cut);
      } catch (error) {
        this.#parts.onFault(traceFault("stitch", error, run));
      }
    }
  }

  #publish(run: AgentRun): void {
    try {
      this.#parts.onRun(run);
    } catch (error) {
      this.#parts.onFault(traceFault("publish", error, run));
    }
  }

  /** The trace caused an error: it is finished, and its runs get verdicts with the outcome `error`. */
  fail(trace: FailedTrace, stage: FaultStage, error: unknown): void {
    const run = unreadRun(trace, faultOf(stage, error));
    this.#parts.onFault(traceFault(stage, error, run));
    this.#publish(run);
  }

  /** Reads small traces at once and queues large ones. */
  #read(traces: readonly Trace[], nowMs: number): void {
    let spans = 0;
    for (const trace of traces) {
      // The trace was reopened: this reading contains everything that the running one reads.
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

  /** Reads on in the oldest large trace. Returns whether that was read to its end. */
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
