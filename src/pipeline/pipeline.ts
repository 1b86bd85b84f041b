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
import { type FailedTrace, type OnFault, traceFault, traceIdsOf, unreadRun } from "./faults/faulty-run.ts";

export interface PipelineParts {
  readonly assembler: Assembler;
  /** Begins to read a closed trace into fragments of runs. */
  readonly beginTrace: (trace: Trace) => FragmentReading;
  /** Creates a run stitcher. Called again after an exception in the stitcher. */
  readonly makeStitcher: () => Stitcher;
  /** Groups runs into conversations; absent if no spec has queries about conversations. */
  readonly conversations?: Conversations | undefined;
  /** Returns the run with an id that late spans do not change. Without this function, the id is that of the current root span. */
  readonly identify?: ((run: AgentRun) => AgentRun) | undefined;
  /**
   * Receives each complete run and each ended conversation, to judge it or pass it on. A run or conversation that changes is received
   * again.
   */
  readonly onRun: (run: AgentRun) => void;
  /** Reports an exception that a trace caused. The pipeline finishes this trace, and continues with all other traces. */
  readonly onFault: OnFault;
}

/** If a trace has more spans and uncorrelated log records than this, it is read in slices. Between slices, the process answers requests. */
const MOST_AT_ONCE = 500;
/**
 * Maximum number of large traces whose ids are remembered. Above this number, all of them are forgotten, and their runs are published
 * together with other runs.
 */
const MOST_LARGE = 1_000;
/** Number of attributes that one slice reads. This takes a few dozen milliseconds. */
const SLICE_ATTRIBUTES = 5_000;

/**
 * Number of spans after which complete runs are assembled and judged; a replay also closes traces then. With a lower number, each stage's
 * code is loaded into the processor cache more often, which costs a tenth more CPU. With a higher number, the garbage collector moves the
 * waiting spans.
 */
export const SPANS_PER_RELEASE = 500;

/**
 * Converts rows into traces, fragments and runs. Live and replayed data use the same pipeline; only the callers of `tick` and `close`
 * differ. The pipeline does no I/O: all dependencies are arguments. An exception that a trace causes affects neither the caller nor other
 * traces.
 */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #stitcher: Stitcher;
  /** Large traces that are being read in slices, oldest first. */
  #large: FragmentReading[] = [];
  /** Ids of large traces whose runs are not published yet. */
  readonly #largeTraceIds = new Set<string>();
  /** Runs that are not published yet: the first is a run of a large trace, the others come after it. */
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
   * Accepts a decoded request. Afterwards the batch and its body belong to the pipeline.
   * @returns number of traces with rows in the batch
   */
  accept(batch: Batch, nowMs: number, whyLeftOut?: WhyLeftOut): number {
    return this.#parts.assembler.add(batch, nowMs, whyLeftOut);
  }

  /** Whether a closed trace is still being read, or may still become part of a run or a conversation. */
  isOpen(traceId: string): boolean {
    const { conversations } = this.#parts;
    return (
      this.#stitcher.isOpen(traceId) || conversations?.isOpen(traceId) === true || this.#isBeingRead(traceId)
    );
  }

  /** Whether a closed trace is still being read, or a run of it is still awaited. Conversations are ignored. */
  isAwaited(traceId: string): boolean {
    return this.#stitcher.isAwaited(traceId) || this.#isBeingRead(traceId);
  }

  /** Whether any closed trace is still being read, or a run of any closed trace is still awaited. Conversations are ignored. */
  get hasAwaited(): boolean {
    return this.#stitcher.hasAwaited || this.#large.length > 0 || this.#unpublished.length > 0;
  }

  #isBeingRead(traceId: string): boolean {
    return (
      this.#large.some(({ trace }) => trace.traceId === traceId) ||
      this.#unpublished.some((run) => traceIdsOf(run).includes(traceId))
    );
  }

  /**
   * Closes and emits at most `most` due traces. Returns whether further work is due. Call `tick` several times a second. A large trace is
   * read, stitched and published in separate calls, because each of these steps may take as long as all other work of a call.
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

  /** Publishes the runs before the first run of a large trace. That run and all runs after it are published by the next calls of `tick`. */
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
   * Frees memory: closes at most `most` open traces with the reason `memory`, until at most `targetBytes` are used. If runs of large traces
   * are unpublished, publishes only one of them: publishing all would block requests for seconds.
   */
  evict(targetBytes: number, nowMs: number, most: number): void {
    if (this.#unpublished.length > 0) {
      this.#publishNext(nowMs);
      return;
    }
    this.#read(this.#parts.assembler.evict(targetBytes, nowMs, most), nowMs);
    // Emits only runs that do not wait for further fragments. All other runs are emitted by `tick`, in slices.
    this.#give(this.#stitcher.emit(nowMs, 0), nowMs);
  }

  /** Estimated memory in bytes of pending fragments, and of fragments of emitted runs that are retained for late spans. */
  get fragmentBytes(): number {
    return this.#stitcher.heldBytes;
  }

  /** Estimated memory in bytes of the runs in open conversations. */
  get conversationBytes(): number {
    return this.#parts.conversations?.heldBytes ?? 0;
  }

  /**
   * Frees memory: emits up to `most` conversations, those without a run for the longest time first, until at most `targetBytes` are used.
   */
  evictConversations(targetBytes: number, most: number): void {
    for (const cut of this.#parts.conversations?.evict(targetBytes, most) ?? []) this.#publish(cut);
  }

  /** Forgets the fragments of emitted runs, which are retained for late spans. */
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
   * Frees memory: emits up to `most` of the oldest pending fragments (parts of runs in one trace) of one service. Returns the number of
   * emitted runs.
   */
  evictFragments(most: number, nowMs: number): number {
    const runs = this.#stitcher.evict(most);
    this.#give(runs, nowMs);
    return runs.length;
  }

  /** Closes these traces with the given reason, and emits the runs that are complete. */
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

  /** Reads small traces at once. Large traces are queued, and read in slices. */
  #read(traces: readonly Trace[], nowMs: number): void {
    let spans = 0;
    for (const trace of traces) {
      // The trace was reopened, and is read again completely, so its current reading ends.
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

  /** Reads the next slice of the oldest large trace. Returns whether this was the trace's last slice. */
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
