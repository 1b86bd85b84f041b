import {
  ATTRIBUTE_WIDTH,
  EVENT_WIDTH,
  LINK_WIDTH,
  LOG_WIDTH,
  RARE_WIDTH,
  RESOURCE_WIDTH,
  SCOPE_WIDTH,
  SPAN_WIDTH,
} from "./columns.ts";
import type { SourceLine } from "../../model/source-line.ts";
import type { RowTables } from "./row-tables.ts";

export type Encoding = "protobuf" | "json";

/** Spans that were rejected, while the remaining records of their request were accepted. */
export interface Rejected {
  readonly count: number;
  /** Index and problem of the first rejected span, as text; empty if no span was rejected. */
  readonly reason: string;
}

/**
 * A decoded request, with its body. Rows contain offsets into the body; values are decoded when they are first used. `columns.ts` describes
 * the layout of `rows`. The fields `…Start` are positions in `rows`.
 */
export interface Batch {
  readonly body: Uint8Array;
  readonly view: DataView;
  readonly encoding: Encoding;
  readonly rows: Int32Array;
  readonly spanCount: number;
  readonly logCount: number;
  readonly logStart: number;
  readonly rareStart: number;
  readonly resourceStart: number;
  readonly scopeStart: number;
  readonly eventStart: number;
  readonly linkStart: number;
  /** Position in `rows` of the first attribute of spans, logs and resources. */
  readonly attributeStart: number;
  readonly eventAttributeStart: number;
  readonly rejected: Rejected;
  /** Number of deviations from OTLP that were accepted: snake_case names, enum names, string indices. */
  readonly lenient: number;
  /** Memory of the batch in bytes: body, rows and objects. */
  readonly byteLength: number;
  /** Position of the batch in a dump, set once by the dump's reader; undefined if the batch was received. */
  origin: SourceLine | undefined;
}

/** Estimated size of a batch's own objects, in bytes. */
const OVERHEAD = 400;

/** Copies the reader's tables into one array that has exactly their total size. */
export function makeBatch(
  body: Uint8Array,
  view: DataView,
  encoding: Encoding,
  tables: RowTables,
  rejected: Rejected,
  lenient: number,
): Batch {
  const { spans, logs, rare, resources, scopes, events, links, attributes, eventAttributes } = tables;
  const logStart = spans.size;
  const rareStart = logStart + logs.size;
  const resourceStart = rareStart + rare.size;
  const scopeStart = resourceStart + resources.size;
  const eventStart = scopeStart + scopes.size;
  const linkStart = eventStart + events.size;
  const attributeStart = linkStart + links.size;
  const eventAttributeStart = attributeStart + attributes.size;
  const rows = new Int32Array(eventAttributeStart + eventAttributes.size);
  spans.copyTo(rows, 0);
  logs.copyTo(rows, logStart);
  rare.copyTo(rows, rareStart);
  resources.copyTo(rows, resourceStart);
  scopes.copyTo(rows, scopeStart);
  events.copyTo(rows, eventStart);
  links.copyTo(rows, linkStart);
  attributes.copyTo(rows, attributeStart);
  eventAttributes.copyTo(rows, eventAttributeStart);
  return {
    body,
    view,
    encoding,
    rows,
    spanCount: spans.size / SPAN_WIDTH,
    logCount: logs.size / LOG_WIDTH,
    logStart,
    rareStart,
    resourceStart,
    scopeStart,
    eventStart,
    linkStart,
    attributeStart,
    eventAttributeStart,
    rejected,
    lenient,
    byteLength: body.byteLength + rows.byteLength + OVERHEAD,
    origin: undefined,
  };
}

export function spanAt(row: number): number {
  return row * SPAN_WIDTH;
}

export function logAt(batch: Batch, row: number): number {
  return batch.logStart + row * LOG_WIDTH;
}

export function rareAt(batch: Batch, index: number): number {
  return batch.rareStart + index * RARE_WIDTH;
}

export function resourceAt(batch: Batch, index: number): number {
  return batch.resourceStart + index * RESOURCE_WIDTH;
}

export function scopeAt(batch: Batch, index: number): number {
  return batch.scopeStart + index * SCOPE_WIDTH;
}

export function eventAt(batch: Batch, index: number): number {
  return batch.eventStart + index * EVENT_WIDTH;
}

export function linkAt(batch: Batch, index: number): number {
  return batch.linkStart + index * LINK_WIDTH;
}

export function attributeAt(batch: Batch, index: number): number {
  return batch.attributeStart + index * ATTRIBUTE_WIDTH;
}

export function eventAttributeAt(batch: Batch, index: number): number {
  return batch.eventAttributeStart + index * ATTRIBUTE_WIDTH;
}
