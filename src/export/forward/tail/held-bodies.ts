import { gzip } from "node:zlib";
import { promisify } from "node:util";
import type { Verdict } from "../../../model/verdict.ts";
import { traceIdAt } from "../../../journal/records/batch-traces.ts";
import { type Batch, logAt, spanAt } from "../../../otlp/rows/batch.ts";
import { LogColumn, SpanColumn } from "../../../otlp/rows/columns.ts";
import type { HeldRequest, HeldTrace } from "./held-trace.ts";
import type { Outgoing } from "../outgoing.ts";
import { cutProtobuf, type Wanted } from "../../../otlp/protobuf/cut-protobuf.ts";
import { selectJson } from "../../../otlp/json/select-json.ts";

/** Encoded events for a span: protobuf fields, or the items of a JSON array. */
interface AddedEvents {
  protobuf(): Uint8Array;
  json(): string;
}

/** Encodes verdicts as span events for the root span of the judged run. */
export type EventsOf = (verdicts: readonly Verdict[]) => AddedEvents;

/**
 * Encodes held traces as requests to forward. For each received request, there is one with its unchanged records of these traces. Verdicts
 * are appended as events of the judged root spans.
 */
export async function heldBodies(
  traces: readonly HeldTrace[],
  eventsOf: EventsOf | null,
): Promise<Outgoing[]> {
  const rows = new Map<HeldRequest, number[]>();
  const verdicts = new Map<string, Verdict[]>();
  for (const { parts, runs } of traces) {
    for (const [request, some] of parts) rows.set(request, [...(rows.get(request) ?? []), ...some]);
    if (eventsOf === null) continue;
    for (const run of runs.values())
      for (const verdict of run.verdicts) {
        const root = `${verdict.run.traceId} ${verdict.run.rootSpanId}`;
        verdicts.set(root, [...(verdicts.get(root) ?? []), verdict]);
      }
  }
  return Promise.all(
    Array.from(rows, async ([request, some]) => {
      const events = new Map<number, AddedEvents>();
      if (request.signal === "traces" && eventsOf !== null && verdicts.size > 0)
        addRoots(request.batch, some, verdicts, eventsOf, events);
      return outgoingOf(request, some, events);
    }),
  );
}

async function outgoingOf(
  { batch, signal, encoding, headers, isCompressed }: HeldRequest,
  rows: readonly number[],
  events: ReadonlyMap<number, AddedEvents>,
): Promise<Outgoing> {
  const [atOf, column] =
    signal === "logs" ? [(row: number) => logAt(batch, row), LogColumn.bytes] : [spanAt, SpanColumn.bytes];
  const starts = new Set(rows.map((row) => batch.rows[atOf(row) + column] ?? -1));
  const isWhole = starts.size === batch.spanCount + batch.logCount && batch.rejected.count === 0;
  const body = isWhole && events.size === 0 ? batch.body : cutOut(batch, starts, events);
  const sent = isCompressed ? await promisify(gzip)(body) : body;
  return { signal, encoding, headers, coding: isCompressed ? "gzip" : null, body: sent };
}

/**
 * Finds the judged root spans among the rows, and adds their verdicts to `events`. If a root span was received several times, only one copy
 * gets the events.
 */
function addRoots(
  batch: Batch,
  rows: readonly number[],
  verdicts: Map<string, Verdict[]>,
  eventsOf: EventsOf,
  into: Map<number, AddedEvents>,
): void {
  for (const row of rows) {
    const at = spanAt(row);
    const id = `${traceIdAt(batch.rows, at + SpanColumn.traceId)} ${spanIdAt(batch, at)}`;
    const about = verdicts.get(id);
    if (about === undefined) continue;
    into.set(batch.rows[at + SpanColumn.bytes] ?? -1, eventsOf(about));
    verdicts.delete(id);
  }
}

function spanIdAt({ rows }: Batch, at: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(rows[at + SpanColumn.spanId] ?? 0, 0);
  bytes.writeInt32LE(rows[at + SpanColumn.spanId + 1] ?? 0, 4);
  return bytes.toString("hex");
}

/**
 * Returns a request body that contains only some records of a received request. The bytes of each record are copied unchanged.
 * @param wanted selects records by their offset in the body
 * @param events events to append, by the offset of the span
 */
export function cutOut(
  batch: Batch,
  wanted: Wanted,
  events: ReadonlyMap<number, AddedEvents> = new Map(),
): Uint8Array {
  if (batch.encoding === "json") {
    const inside = new Map(Array.from(events, ([start, added]) => [start, added.json()] as const));
    return selectJson(batch, wanted, inside);
  }
  const fields = new Map(Array.from(events, ([start, added]) => [start, added.protobuf()] as const));
  return cutProtobuf(batch, wanted, fields);
}
