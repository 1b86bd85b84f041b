import {
  ATTRIBUTE_WIDTH,
  EVENT_WIDTH,
  LINK_WIDTH,
  LOG_WIDTH,
  LogColumn,
  SPAN_WIDTH,
  SpanColumn,
} from "./columns.ts";
import type { Rejections } from "./rejections.ts";
import type { RowTables } from "./row-tables.ts";

/** What every reader does at the beginning and the end of a span: its row, where its attributes lie, and taking it all back. */
export class SpanRows {
  private readonly tables: RowTables;
  private readonly rejections: Rejections;
  private attributes = 0;
  private eventAttributes = 0;
  private events = 0;
  private links = 0;

  constructor(tables: RowTables, rejections: Rejections) {
    this.tables = tables;
    this.rejections = rejections;
  }

  /** Claims an empty row; returns where it begins in the table of spans. */
  begin(resource: number, scope: number): number {
    const { tables } = this;
    const row = tables.spans.claim(SPAN_WIDTH);
    const { data } = tables.spans;
    data.fill(0, row, row + SPAN_WIDTH);
    data[row + SpanColumn.resource] = resource;
    data[row + SpanColumn.scope] = scope;
    data[row + SpanColumn.next] = -1;
    this.attributes = tables.attributes.size;
    this.eventAttributes = tables.eventAttributes.size;
    this.events = tables.events.size;
    this.links = tables.links.size;
    return row;
  }

  /** Completes the row of the span at [start, end) of the body. `left`: attributes, events and links there was no room for. */
  keep(row: number, start: number, end: number, left: number): void {
    const { tables } = this;
    const { data } = tables.spans;
    data[row + SpanColumn.bytes] = start;
    data[row + SpanColumn.bytes + 1] = end - start;
    data[row + SpanColumn.attributes] = this.attributes / ATTRIBUTE_WIDTH;
    data[row + SpanColumn.attributes + 1] = (tables.attributes.size - this.attributes) / ATTRIBUTE_WIDTH;
    data[row + SpanColumn.events] = this.events / EVENT_WIDTH;
    data[row + SpanColumn.events + 1] = (tables.events.size - this.events) / EVENT_WIDTH;
    data[row + SpanColumn.links] = this.links / LINK_WIDTH;
    data[row + SpanColumn.links + 1] = (tables.links.size - this.links) / LINK_WIDTH;
    if (left > 0) {
      const dropped = (data[row + SpanColumn.droppedAttributes] as number) >>> 0;
      data[row + SpanColumn.droppedAttributes] = Math.min(dropped + left, 0xffff_ffff) | 0;
    }
  }

  /** Takes the row back and counts the span, the `index`-th of its request, as rejected. */
  reject(row: number, index: number, reason: string): void {
    const { tables } = this;
    this.rejections.add(index, reason);
    tables.spans.size = row;
    tables.attributes.size = this.attributes;
    tables.eventAttributes.size = this.eventAttributes;
    tables.events.size = this.events;
    tables.links.size = this.links;
  }
}

/** The same for log records, which are never rejected. */
export class LogRows {
  private readonly tables: RowTables;
  private attributes = 0;

  constructor(tables: RowTables) {
    this.tables = tables;
  }

  begin(resource: number, scope: number): number {
    const { logs, attributes } = this.tables;
    const row = logs.claim(LOG_WIDTH);
    const { data } = logs;
    data.fill(0, row, row + LOG_WIDTH);
    data[row + LogColumn.resource] = resource;
    data[row + LogColumn.scope] = scope;
    data[row + LogColumn.next] = -1;
    this.attributes = attributes.size;
    return row;
  }

  keep(row: number, start: number, end: number): void {
    const { logs, attributes } = this.tables;
    const { data } = logs;
    data[row + LogColumn.bytes] = start;
    data[row + LogColumn.bytes + 1] = end - start;
    data[row + LogColumn.attributes] = this.attributes / ATTRIBUTE_WIDTH;
    data[row + LogColumn.attributes + 1] = (attributes.size - this.attributes) / ATTRIBUTE_WIDTH;
  }
}

export function isZero(data: Int32Array, at: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (data[at + i] !== 0) return false;
  return true;
}
