import type { CloseReason } from "../model/run.ts";
import type { LogView } from "../model/telemetry/span-view.ts";
import { spanAt } from "../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../otlp/rows/columns.ts";
import { viewLog } from "../otlp/rows/log-view.ts";
import { viewSpan } from "../otlp/rows/span-view.ts";
import { hexOf } from "../otlp/bytes/text.ts";
import type { UncorrelatedLogs } from "./logs/uncorrelated-logs.ts";
import type { TraceEntry } from "./trace-entry.ts";
import type { UncorrelatedLog, Placed, RowRef } from "./batches/row-ref.ts";
import { compareColumns, compareSpanIds, isRoot, logRows, sortedRows, spanRows } from "./batches/rows.ts";
import { RowsById } from "./batches/rows-by-id.ts";
import type { Trace } from "./trace.ts";
import { uniqueLogs } from "./logs/unique-logs.ts";

export interface BuiltTrace {
  readonly trace: Trace;
  readonly duplicates: number;
  /** Number of the trace's log records, without duplicates. */
  readonly logs: number;
}

/**
 * Builds the trace from the rows of an entry. The result depends neither on duplicates, nor on the order of arrival, nor on the division
 * into requests. Exception: log records with the same time stay in order of arrival.
 */
export function buildTrace(
  entry: TraceEntry,
  closeReason: CloseReason,
  uncorrelatedLogs: UncorrelatedLogs,
  seed: number,
): BuiltTrace {
  const received = spanRows(entry);
  const byId = new RowsById(received, seed);
  const rows = sortedRows(byId.rows, byStart);
  for (let index = 0; index < rows.length; index++) (rows[index] as Placed).index = index;
  const parents = new Int32Array(rows.length);
  for (let index = 0; index < rows.length; index++)
    parents[index] = byId.find(rows[index] as Placed, SpanColumn.parentSpanId)?.index ?? -1;
  const { bySpan: own, uncorrelated, count: logs } = entry.logCount === 0 ? noLogs : attach(entry, byId);
  const bySpan = adopt(entry, rows, uncorrelatedLogs, own);
  const traceId = hexOf(entry.id);
  const spans = rows.map((ref) => viewSpan(ref.batch, ref.row, bySpan.get(ref.index) ?? none, traceId));
  const trace: Trace = {
    traceId,
    spans,
    parents,
    uncorrelatedLogs: uncorrelated,
    closeReason,
    truncated: entry.truncated,
    fingerprint: fingerprintOf(rows, uncorrelated.length + sumOf(bySpan)),
  };
  const duplicates = received.length - rows.length;
  return {
    trace: entry.emittedFingerprint === undefined ? trace : { ...trace, isRevision: true },
    duplicates,
    logs,
  };
}

/**
 * Returns a fingerprint of a trace. It consists of the number of spans, the number of log records, and a sum over each span's id, end and
 * number of attributes. Two versions of a span differ in their end or number of attributes.
 */
function fingerprintOf(rows: readonly RowRef[], logs: number): string {
  let sum = 0;
  for (const { batch, at } of rows) {
    const words = batch.rows;
    const id =
      Math.imul(words[at + SpanColumn.spanId] ?? 0, 0x9e3779b1) ^ (words[at + SpanColumn.spanId + 1] ?? 0);
    const state =
      Math.imul(words[at + SpanColumn.end] ?? 0, 0x85ebca6b) ^ (words[at + SpanColumn.attributes + 1] ?? 0);
    sum = (sum + Math.imul(id ^ (id >>> 15), 0xc2b2ae35) + Math.imul(state ^ (state >>> 13), 0x27d4eb2f)) | 0;
  }
  return `${rows.length}.${logs}.${(sum >>> 0).toString(36)}`;
}

function sumOf(lists: ReadonlyMap<number, readonly unknown[]>): number {
  let sum = 0;
  if (lists.size > 0) for (const { length } of lists.values()) sum += length;
  return sum;
}

/** Maximum number of spans that are searched one after another. */
const FEW = 32;

/** Whether the parent of a span is missing in the trace. */
export function hasDanglingParent(entry: TraceEntry, seed: number): boolean {
  if (entry.spanCount <= FEW) return lacksParent(entry);
  const received = spanRows(entry);
  const byId = new RowsById(received, seed);
  return received.some(
    (ref) => !isRoot(ref.batch.rows, ref.at) && byId.find(ref, SpanColumn.parentSpanId) === undefined,
  );
}

/** `hasDanglingParent` for a few spans. It runs for nearly every trace, so it allocates nothing. */
function lacksParent(entry: TraceEntry): boolean {
  for (let share = entry.lastShare; share !== undefined; share = share.before) {
    const { rows } = share.batch;
    for (let row = share.firstSpan; row >= 0;) {
      const at = spanAt(row);
      const parent = at + SpanColumn.parentSpanId;
      if (!isRoot(rows, at) && !hasSpan(entry, rows[parent] as number, rows[parent + 1] as number))
        return true;
      row = rows[at + SpanColumn.next] as number;
    }
  }
  return false;
}

/** Whether a span with this id (of two words) was received. */
function hasSpan(entry: TraceEntry, low: number, high: number): boolean {
  for (let share = entry.lastShare; share !== undefined; share = share.before) {
    const { rows } = share.batch;
    for (let row = share.firstSpan; row >= 0;) {
      const at = spanAt(row);
      if (rows[at + SpanColumn.spanId] === low && rows[at + SpanColumn.spanId + 1] === high) return true;
      row = rows[at + SpanColumn.next] as number;
    }
  }
  return false;
}

function byStart(a: RowRef, b: RowRef): number {
  return compareColumns(a, SpanColumn.start, b, SpanColumn.start) || compareSpanIds(a, b);
}

const none: readonly LogView[] = [];

/**
 * Log records of a trace. `bySpan`: the records of each span, by the span's index. `uncorrelated`: records that belong to no span of the
 * trace.
 */
interface Attached {
  readonly bySpan: ReadonlyMap<number, readonly LogView[]>;
  readonly uncorrelated: readonly LogView[];
  readonly count: number;
}

const noLogs: Attached = { bySpan: new Map(), uncorrelated: none, count: 0 };

/**
 * Assigns log records without a trace id to spans. A record belongs to the innermost span during which the same instrumentation wrote it.
 * If it names a session and a call or tool, it belongs to the span that names the same.
 */
function adopt(
  entry: TraceEntry,
  rows: readonly Placed[],
  uncorrelated: UncorrelatedLogs,
  own: Attached["bySpan"],
): Attached["bySpan"] {
  if (entry.adopted.length === 0 && !uncorrelated.mayHaveAnyFor(rows)) return own;
  const bySpan = new Map(own);
  const before = uncorrelated.adoptedBefore(entry.adopted);
  const all: UncorrelatedLog[] = [];
  const sessions = uncorrelated.sessionsOf(rows);
  entry.adopted = all;
  try {
    for (const span of rows.toReversed()) {
      const taken = uncorrelated.takeFor(span, sessions, before);
      if (taken === null) continue;
      const { known, fresh } = taken;
      for (const log of known) all.push(log);
      for (const log of fresh) all.push(log);
      const unique = uniqueLogs([...known, ...fresh]);
      if (unique.length < known.length + fresh.length) {
        const once = new Set(unique);
        uncorrelated.countDuplicates(fresh.filter((log) => !once.has(log)));
      }
      const views = unique.map((log) => viewLog(log.batch, log.row));
      bySpan.set(span.index, [...(bySpan.get(span.index) ?? []), ...views]);
    }
  } finally {
    uncorrelated.release(before.rest());
  }
  return bySpan;
}

/** Assigns log records to the spans that they name. Records that name no span, or a missing span, are uncorrelated. */
function attach(entry: TraceEntry, byId: RowsById): Attached {
  const bySpan = new Map<number, LogView[]>();
  const uncorrelated: LogView[] = [];
  const unique = uniqueLogs(logRows(entry));
  for (const ref of unique) {
    const owner = byId.find(ref, LogColumn.spanId)?.index ?? -1;
    const log = viewLog(ref.batch, ref.row);
    const owned = owner === -1 ? uncorrelated : bySpan.get(owner);
    if (owned === undefined) bySpan.set(owner, [log]);
    else owned.push(log);
  }
  return { bySpan, uncorrelated, count: unique.length };
}
