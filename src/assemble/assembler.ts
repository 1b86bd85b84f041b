import { type Batch, logAt, spanAt } from "../otlp/rows/batch.ts";
import { ATTRIBUTE_WIDTH, LOG_WIDTH, LogColumn, SPAN_WIDTH, SpanColumn } from "../otlp/rows/columns.ts";
import { wordsOf } from "../otlp/bytes/text.ts";
import { scopeNames } from "../otlp/rows/scope-names.ts";
import type { CloseReason } from "../model/run.ts";
import { AssemblerCounts, uncounted, uncountedLogs, type WhyLeftOut } from "./assembler-counts.ts";
import { ClosedTraces } from "./closed-traces.ts";
import { whenComplete } from "./timeouts/completion.ts";
import { IdTable } from "./ids/id-table.ts";
import { BatchSources } from "./logs/batch-sources.ts";
import { SessionRecords } from "./logs/session-records.ts";
import { UncorrelatedLogs } from "./logs/uncorrelated-logs.ts";
import { type BatchShare, TraceEntry } from "./trace-entry.ts";
import { ReferenceCountedBatches } from "./batches/reference-counted-batches.ts";
import type { TraceTimeouts } from "./timeouts/trace-timeouts.ts";
import { isRoot } from "./batches/rows.ts";
import { hasDanglingParent, buildTrace } from "./build-trace.ts";
import { TimingWheel } from "./timeouts/timing-wheel.ts";
import type { Trace } from "./trace.ts";

/**
 * Reports a trace that cannot be assembled, with its close reason and the exception. The assembler closes the trace and does not emit it.
 */
export type AssemblyFault = (trace: TraceEntry, reason: CloseReason, error: unknown) => void;

const TICK_MS = 100;
/** Approximate memory of a trace in bytes, in addition to its spans. */
const TRACE_BYTES = 700;

/**
 * Assigns spans to traces, closes traces, and handles late spans. Spans are rows of batches, and are not interpreted. The assembler has no
 * timer: callers pass the current time.
 */
export class Assembler {
  readonly counts = new AssemblerCounts();
  readonly #timeouts: TraceTimeouts;
  readonly #traces: IdTable<TraceEntry>;
  readonly #wheel = new TimingWheel<TraceEntry>(TICK_MS);
  readonly #isOwnTelemetry: (scopeName: string) => boolean;
  readonly #onFault: AssemblyFault;
  readonly #closed: ClosedTraces;
  /** Trace of the last added row. The next row mostly belongs to the same trace. */
  #latest: TraceEntry | undefined;
  /** Open traces, in the order in which each was begun or last reopened. */
  readonly #waiting = new Set<TraceEntry>();
  readonly #pinned = new ReferenceCountedBatches();
  readonly #sources = new BatchSources();
  readonly #uncorrelatedLogs = new UncorrelatedLogs(this.#pinned, this.#sources, this.counts.logs);
  readonly #sessions = new SessionRecords(this.#sources, (a, b, c, d) =>
    this.#closed.forgottenIds.has(a, b, c, d),
  );
  readonly #tooLarge: TraceEntry[] = [];
  /** Traces that the timing wheel returned, and that have not been examined yet. */
  readonly #overdue = new Set<TraceEntry>();
  readonly #seed: number;
  #openBytes = 0;
  #openTraces = 0;
  #begunTraces = 0;
  /** Number of traces with rows in the batch that is being added. */
  #holders = 0;

  /**
   * @param seed random number, so that senders cannot choose ids that collide in hash tables
   * @param isOwnTelemetry whether telemetry of a scope is Tracejury's own; such telemetry is not judged
   * @param onForgotten receives each trace that the assembler no longer needs, before its spans are released
   * @param onFault receives exceptions; without it, they are thrown
   */
  constructor(
    timeouts: TraceTimeouts,
    seed: number,
    isOwnTelemetry: (scopeName: string) => boolean = () => false,
    onForgotten?: (trace: TraceEntry) => void,
    onFault: AssemblyFault = (_, __, error) => {
      throw error;
    },
  ) {
    this.#onFault = onFault;
    this.#seed = seed;
    this.#timeouts = timeouts;
    this.#traces = new IdTable<TraceEntry>(seed);
    this.#closed = new ClosedTraces(timeouts, seed, this.#pinned, this.#traces, onForgotten);
    this.#isOwnTelemetry = isOwnTelemetry;
  }

  /** Whether the last call of `closeDue` left due traces open. */
  get isBehind(): boolean {
    return this.#overdue.size > 0;
  }

  get openTraces(): number {
    return this.#openTraces;
  }

  /** Number of all traces that this assembler has ever received. */
  get begunTraces(): number {
    return this.#begunTraces;
  }

  /** Size of the spans and log records of open traces, in bytes. */
  get openBytes(): number {
    return this.#openBytes;
  }

  /**
   * Retained memory in bytes. It consists of an entry for each trace, and of the bodies and rows of all batches that a trace or an
   * uncorrelated log record needs.
   */
  get heldBytes(): number {
    return this.#pinned.bytes + (this.#waiting.size + this.#closed.retainedTraces) * TRACE_BYTES;
  }

  /** Number of spans of open traces. They have no outcome yet. */
  get openSpans(): number {
    let spans = 0;
    for (const entry of this.#waiting) spans += uncounted(entry);
    return spans;
  }

  /** Number of log records that have no outcome yet: those of open traces, and those without a trace id. */
  get openLogs(): number {
    let records = this.#uncorrelatedLogs.uncounted;
    for (const entry of this.#waiting) records += uncountedLogs(entry);
    return records;
  }

  /**
   * Adds all spans and log records of a batch. The batch stays in memory until all its traces are released.
   * @returns number of traces with rows in the batch
   */
  add(batch: Batch, nowMs: number, whyLeftOut?: WhyLeftOut): number {
    const ours = scopeNames(batch).map((name) => this.#isOwnTelemetry(name));
    this.#holders = 0;
    if (batch.spanCount > 0) {
      this.#uncorrelatedLogs.sawSpans(batch);
      this.#sessions.sawSpans(batch);
    }
    for (let row = 0; row < batch.spanCount; row++) {
      const at = spanAt(row);
      if (ours[batch.rows[at + SpanColumn.scope] ?? -1] === true) {
        this.counts.own++;
        continue;
      }
      const leftOut = whyLeftOut?.(batch.rows, at + SpanColumn.traceId);
      if (leftOut === undefined) this.#addSpan(batch, row, nowMs);
      else this.counts[leftOut]++;
    }
    for (let row = 0; row < batch.logCount; row++) {
      const at = logAt(batch, row);
      if (ours[batch.rows[at + LogColumn.scope] ?? -1] === true) {
        this.counts.logs.own++;
        continue;
      }
      const known = this.#sessions.identify(batch, row);
      const leftOut = whyLeftOut?.(batch.rows, at + LogColumn.traceId);
      if (leftOut !== undefined) {
        this.counts.logs[leftOut]++;
        continue;
      }
      if (known !== undefined) this.#addUncorrelated(batch, row, false, known.subject);
      this.#addLog(batch, row, nowMs, known?.service);
    }
    return this.#holders;
  }

  /**
   * Returns a number for each session that the batch's log records name: the number of the session's trace that these records form. The
   * first trace of a session has the number 0. An accept log stores the numbers. They cannot be computed again later, because they depend
   * on which traces were forgotten when the records arrived.
   */
  sessionTraces(batch: Batch): readonly number[] {
    return this.#sessions.generationsOf(batch);
  }

  /** Assigns the log records of a batch to the traces that `sessionTraces` returned for this batch in an earlier process. */
  restoreSessionTraces(batch: Batch, traces: readonly number[]): void {
    this.#sessions.restore(batch, traces);
  }

  /** Returns the ids of the traces that `sessionTraces` returned for the batch. */
  sessionTraceIds(batch: Batch, traces: readonly number[]): readonly TraceEntry["id"][] {
    return this.#sessions.idsOf(batch, traces);
  }

  /** Marks traces as finished, because an earlier process has finished them. Later telemetry of these traces is ignored as too late. */
  forgetFinished(ids: Iterable<TraceEntry["id"]>): void {
    for (const id of ids) this.#closed.forgottenIds.add(...id);
  }

  /** Whether log records of the batch that have no trace id may still be assigned to a span. */
  mayJoin(batch: Batch): boolean {
    return this.#uncorrelatedLogs.mayJoin(batch);
  }

  /**
   * Closes all traces that are too large, and due traces until `most` traces are closed. Returns the closed traces, sorted by start time.
   * If further traces are due, `isBehind` is true.
   */
  closeDue(nowMs: number, most = Infinity): Trace[] {
    for (const entry of this.#wheel.take(nowMs)) this.#overdue.add(entry);
    const closing: [TraceEntry, CloseReason][] = this.#tooLarge
      .splice(0)
      .filter((entry) => entry.state === "open")
      .map((entry) => [entry, "too_large"]);
    for (const entry of this.#overdue) {
      if (closing.length >= most) break;
      this.#overdue.delete(entry);
      if (entry.state !== "open") continue;
      const due = this.#whenComplete(entry, nowMs);
      if (due.atMs <= nowMs) closing.push([entry, due.reason]);
      else this.#wheel.put(entry, due.atMs);
    }
    this.#closed.expire(nowMs);
    return this.#close(closing, nowMs);
  }

  /**
   * Closes the open traces among these ids, and returns them, sorted by start time. Called by a replay, which knows the position of each
   * trace's last span.
   */
  close(ids: Iterable<TraceEntry["id"]>, reason: CloseReason, nowMs: number): Trace[] {
    const closing: [TraceEntry, CloseReason][] = [];
    for (const id of ids) {
      const entry = this.#traces.get(...id);
      if (entry?.state === "open") closing.push([entry, reason]);
    }
    return this.#close(closing, nowMs);
  }

  /** Whether spans of the trace are in memory: the trace is open, or is closed and retained for late spans. */
  has(traceId: string): boolean {
    return this.#traces.get(...wordsOf(traceId)) !== undefined;
  }

  /** Whether further log records of the session may follow, because the trace of the session's records is open. */
  isSessionOpen(service: string, session: string): boolean {
    return this.#traces.get(...this.#sessions.traceIdOf(service, session))?.state === "open";
  }

  /** Releases the closed traces that are retained for late spans. */
  forgetClosed(): void {
    this.#closed.shrink(() => false);
  }

  /**
   * Forgets the traces that another process reads and judges, including the remembered ids of released traces.
   * @returns ids of all these traces
   */
  relinquish(
    isAnothers: (trace: TraceEntry) => boolean,
    isGoneToAnother: (id: TraceEntry["id"]) => boolean,
  ): TraceEntry["id"][] {
    const gone = [...this.#closed.forgottenIds.values()].filter(isGoneToAnother);
    for (const id of gone) this.#closed.forgottenIds.delete(...id);
    const leaving = [...this.#traces.values()].filter(isAnothers);
    for (const trace of leaving) this.#drop(trace);
    return [...gone, ...leaving.map(({ id }) => id)];
  }

  #drop(trace: TraceEntry): void {
    if (trace.state === "open") {
      this.counts.relinquished += uncounted(trace);
      this.counts.logs.relinquished += uncountedLogs(trace);
      this.#openTraces--;
      this.#openBytes -= trace.bytes;
    }
    this.#wheel.remove(trace);
    this.#waiting.delete(trace);
    this.#closed.take(trace);
    for (const { batch } of trace.shares) this.#pinned.unpin(batch);
    for (const { batch } of trace.adopted) this.#pinned.unpin(batch);
    this.#traces.delete(...trace.id);
    trace.forget();
  }

  /** Closes all open traces, and returns them, sorted by start time. */
  closeAll(reason: CloseReason, nowMs: number): Trace[] {
    const open = [...this.#traces.values()].filter((trace) => trace.state === "open");
    return this.#close(
      open.map((trace) => [trace, reason]),
      nowMs,
    );
  }

  /**
   * Frees memory until at most `targetBytes` are used, in this order:
   * 1. Releases closed traces that are retained for late spans.
   * 2. Closes up to `most` open traces with the reason `memory`.
   * 3. Forgets log records without a trace id.
   * The oldest come first: a body is freed only when all its traces are released, and traces of the same time share bodies. Returns the
   * closed traces.
   */
  evict(targetBytes: number, nowMs: number, most: number): Trace[] {
    this.#closed.shrink(() => this.heldBytes <= targetBytes);
    const closed: Trace[] = [];
    for (const entry of this.#waiting) {
      if (this.heldBytes <= targetBytes || closed.length >= most) return inOrder(closed);
      entry.truncated = true;
      closed.push(...this.#close([[entry, "memory"]], nowMs));
    }
    this.#uncorrelatedLogs.shrink(() => this.heldBytes > targetBytes);
    return inOrder(closed);
  }

  #addSpan(batch: Batch, row: number, nowMs: number): void {
    const rows = batch.rows;
    const at = spanAt(row);
    const entry = this.#entry(rows, at + SpanColumn.traceId, nowMs);
    if (entry === undefined) {
      this.counts.expired++;
      return;
    }
    if (entry.truncated) {
      this.counts.tooLarge++;
      return;
    }
    if (entry.state === "closed") this.#reopen(entry, nowMs);
    const { lastShare } = entry;
    const share = lastShare?.batch === batch ? lastShare : this.#shareOf(entry, batch);
    rows[at + SpanColumn.next] = share.firstSpan;
    share.firstSpan = row;
    entry.spanCount++;
    this.#hold(
      entry,
      (rows[at + SpanColumn.bytes + 1] ?? 0) +
        rowBytes(SPAN_WIDTH, rows[at + SpanColumn.attributes + 1] ?? 0),
    );
    if (entry.rootSeenMs < 0 && isRoot(rows, at)) {
      entry.rootSeenMs = nowMs;
      this.#wheel.put(entry, nowMs + this.#timeouts.rootQuietMs);
    }
    entry.lastSeenMs = nowMs;
    if (entry.spanCount > this.#timeouts.maxSpans || entry.bytes > this.#timeouts.maxBytes)
      this.#overflow(entry);
  }

  #addUncorrelated(batch: Batch, row: number, isCounted: boolean, subject: string | undefined): void {
    this.counts.uncorrelatedLogs++;
    this.#uncorrelatedLogs.add(batch, row, isCounted, subject);
  }

  /** @param service service of the record, if the record is assigned to the trace of its session; otherwise undefined */
  #addLog(batch: Batch, row: number, nowMs: number, service: string | undefined): void {
    const rows = batch.rows;
    const record = logAt(batch, row);
    const at = record + LogColumn.traceId;
    if (((rows[at] ?? 0) | (rows[at + 1] ?? 0) | (rows[at + 2] ?? 0) | (rows[at + 3] ?? 0)) === 0) {
      this.#addUncorrelated(batch, row, true, undefined);
      return;
    }
    const entry = this.#entry(rows, at, nowMs);
    if (entry === undefined || entry.truncated) {
      this.counts.logs[entry === undefined ? "expired" : "tooLarge"]++;
      return;
    }
    if (entry.state === "closed") this.#reopen(entry, nowMs);
    const share = this.#shareOf(entry, batch);
    rows[record + LogColumn.next] = share.firstLog;
    share.firstLog = row;
    entry.logCount++;
    entry.sessionService = service ?? entry.sessionService;
    const bytes = rows[record + LogColumn.bytes + 1] ?? 0;
    this.#hold(entry, bytes + rowBytes(LOG_WIDTH, rows[record + LogColumn.attributes + 1] ?? 0));
    entry.lastSeenMs = nowMs;
    if (entry.bytes > this.#timeouts.maxBytes) this.#overflow(entry);
  }

  #shareOf(entry: TraceEntry, batch: Batch): BatchShare {
    const last = entry.lastShare;
    const share = entry.shareOf(batch);
    if (share !== last) {
      this.#holders++;
      this.#pinned.pin(batch);
    }
    return share;
  }

  /** Returns the trace with the id at index `at`. A new trace is begun. Undefined if the trace's spans were released. */
  #entry(rows: Int32Array, at: number, nowMs: number): TraceEntry | undefined {
    const a = rows[at] ?? 0;
    const b = rows[at + 1] ?? 0;
    const c = rows[at + 2] ?? 0;
    const d = rows[at + 3] ?? 0;
    const latest = this.#latest;
    if (latest !== undefined && latest.state !== "forgotten" && latest.hasId(a, b, c, d)) return latest;
    const known = this.#traces.get(a, b, c, d);
    if (known !== undefined) return (this.#latest = known);
    if (this.#closed.forgottenIds.has(a, b, c, d)) return undefined;
    const entry = new TraceEntry([a, b, c, d], nowMs);
    this.#traces.set(entry);
    this.#begunTraces++;
    this.#openTraces++;
    this.#waiting.add(entry);
    this.#wheel.put(entry, Math.min(nowMs + this.#timeouts.idleMs, nowMs + this.#timeouts.maxAgeMs));
    return entry;
  }

  #hold(entry: TraceEntry, bytes: number): void {
    entry.bytes += bytes;
    this.#openBytes += bytes;
  }

  /** Reopens a closed trace for a late span or log record. Later, the complete trace is emitted again. */
  #reopen(entry: TraceEntry, nowMs: number): void {
    this.#closed.take(entry);
    this.#openBytes += entry.bytes;
    this.#openTraces++;
    this.#waiting.add(entry);
    entry.state = "open";
    entry.revised = true;
    // The root arrived before the trace was closed, so the time-out after the root starts again.
    if (entry.rootSeenMs >= 0) entry.rootSeenMs = nowMs;
    this.#wheel.put(entry, nowMs + this.#timeouts.rootQuietMs);
  }

  #overflow(entry: TraceEntry): void {
    entry.truncated = true;
    this.#wheel.remove(entry);
    // The trace may already be in the list of traces to close. If it were closed twice, it would be counted twice.
    this.#overdue.delete(entry);
    this.#tooLarge.push(entry);
  }

  #close(closing: readonly (readonly [TraceEntry, CloseReason])[], nowMs: number): Trace[] {
    const traces: Trace[] = [];
    for (const [entry, reason] of closing) {
      const built = this.#build(entry, reason);
      const isNews = built !== null && built.trace.fingerprint !== entry.emittedFingerprint;
      entry.emittedFingerprint = built?.trace.fingerprint;
      this.counts.close(entry, built?.trace.spans.length ?? entry.spanCount, built?.duplicates ?? 0);
      this.counts.logs.close(entry, built?.logs ?? entry.logCount);
      this.#wheel.remove(entry);
      this.#openTraces--;
      this.#waiting.delete(entry);
      this.#openBytes -= entry.bytes;
      this.#closed.add(entry, nowMs);
      if (isNews) traces.push(built.trace); // If only duplicates have reopened the trace, nothing is emitted.
    }
    return inOrder(traces);
  }

  #whenComplete(entry: TraceEntry, nowMs: number): ReturnType<typeof whenComplete> {
    try {
      return whenComplete(entry, this.#timeouts, (one) => hasDanglingParent(one, this.#seed));
    } catch {
      return { atMs: nowMs, reason: "idle" }; // Assembling the trace will throw the same exception, which is then reported.
    }
  }

  #build(entry: TraceEntry, reason: CloseReason): ReturnType<typeof buildTrace> | null {
    try {
      const built = buildTrace(entry, reason, this.#uncorrelatedLogs, this.#seed);
      const { sessionService } = entry;
      const isBeside = sessionService !== undefined && this.#sessions.hasSpans(sessionService);
      return isBeside ? { ...built, trace: { ...built.trace, isBesideSpans: true } } : built;
    } catch (error) {
      this.#onFault(entry, reason, error);
      return null;
    }
  }
}

function rowBytes(width: number, attributes: number): number {
  return (width + attributes * ATTRIBUTE_WIDTH) * 4;
}

/** Sorts by start, and then by id. Each start is decoded only once. */
function inOrder(traces: readonly Trace[]): Trace[] {
  return traces
    .map((trace) => ({ trace, start: trace.spans[0]?.startUnixMs ?? 0 }))
    .sort((a, b) => a.start - b.start || (a.trace.traceId < b.trace.traceId ? -1 : 1))
    .map(({ trace }) => trace);
}
