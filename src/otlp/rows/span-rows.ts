import {
  ATTRIBUTE_WIDTH,
  EVENT_WIDTH,
  LINK_WIDTH,
  LOG_WIDTH,
  LogColumn,
  RARE_WIDTH,
  RareColumn,
  SPAN_WIDTH,
  SpanColumn,
  ValueType,
} from "./columns.ts";
import type { Rejections } from "../rejections.ts";
import type { Encoding } from "./batch.ts";
import type { RowTables, Table } from "./row-tables.ts";
import { BOUNDED_FROM_BYTES, ValueBounds } from "./value-bounds.ts";

/** Columns of a draft: the columns of a span, then those of `RareColumn`, then counts of dropped items. */
export const DraftColumn = {
  statusMessage: SPAN_WIDTH + RareColumn.statusMessage,
  droppedAttributes: SPAN_WIDTH + RareColumn.droppedAttributes,
  /**
   * Numbers of dropped events, of dropped links, of dropped attributes of one event, and of dropped attributes of all events. They are
   * added to the span's number of dropped attributes.
   */
  droppedEvents: SPAN_WIDTH + RARE_WIDTH,
  droppedLinks: SPAN_WIDTH + RARE_WIDTH + 1,
  droppedInEvent: SPAN_WIDTH + RARE_WIDTH + 2,
  droppedInEvents: SPAN_WIDTH + RARE_WIDTH + 3,
} as const;
const DRAFT_WIDTH = SPAN_WIDTH + RARE_WIDTH + 4;
const EVENTS = SPAN_WIDTH + RareColumn.events;
const LINKS = SPAN_WIDTH + RareColumn.links;

/** The common part of both span readers: begins a draft, and adds it to the rows or rejects it. */
export class SpanRows {
  /** Draft of the current span: its row, then its row of rare fields. */
  readonly draft = new Int32Array(DRAFT_WIDTH);
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

  begin(scope: number): void {
    const { tables, draft } = this;
    draft.fill(0);
    draft[SpanColumn.scope] = scope;
    draft[SpanColumn.next] = -1;
    this.attributes = tables.attributes.size;
    this.eventAttributes = tables.eventAttributes.size;
    this.events = tables.events.size;
    this.links = tables.links.size;
  }

  /**
   * Adds the draft of the span at [start, end) of the body to the rows, without attributes that are too expensive to decode.
   * @param left number of attributes, events and links that did not fit into their tables
   */
  keep(start: number, end: number, left: number, view: DataView, encoding: Encoding): void {
    const { tables, draft } = this;
    const costly = end - start < BOUNDED_FROM_BYTES ? 0 : this.bound(new ValueBounds(view, encoding));
    draft[SpanColumn.bytes] = start;
    draft[SpanColumn.bytes + 1] = end - start;
    draft[SpanColumn.attributes] = this.attributes / ATTRIBUTE_WIDTH;
    draft[SpanColumn.attributes + 1] = (tables.attributes.size - this.attributes) / ATTRIBUTE_WIDTH;
    const events = (tables.events.size - this.events) / EVENT_WIDTH;
    const links = (tables.links.size - this.links) / LINK_WIDTH;
    const dropped =
      left +
      costly +
      ((draft[DraftColumn.droppedEvents] as number) >>> 0) +
      ((draft[DraftColumn.droppedLinks] as number) >>> 0) +
      ((draft[DraftColumn.droppedInEvents] as number) >>> 0);
    if (dropped > 0) addDropped(draft, DraftColumn.droppedAttributes, dropped);
    const isPlain =
      events + links === 0 &&
      draft[DraftColumn.statusMessage + 1] === 0 &&
      draft[DraftColumn.droppedAttributes] === 0;
    draft[SpanColumn.rare] = isPlain ? -1 : this.keepRare(events, links);
    copy(draft, 0, tables.spans, SPAN_WIDTH);
  }

  /** Adds the draft's number of dropped attributes of one event to the number for all events of the span. */
  addDroppedInEvent(): void {
    const { draft } = this;
    const dropped = (draft[DraftColumn.droppedInEvent] as number) >>> 0;
    if (dropped === 0) return;
    addDropped(draft, DraftColumn.droppedInEvents, dropped);
    draft[DraftColumn.droppedInEvent] = 0;
  }

  private bound(bounds: ValueBounds): number {
    const { attributes, events, eventAttributes, links } = this.tables;
    return (
      bounds.removeFrom(attributes, this.attributes) +
      bounds.removeEventsFrom(events, this.events, eventAttributes, this.eventAttributes) +
      bounds.removeLinksFrom(links, this.links)
    );
  }

  private keepRare(events: number, links: number): number {
    const { tables, draft } = this;
    draft[EVENTS] = this.events / EVENT_WIDTH;
    draft[EVENTS + 1] = events;
    draft[LINKS] = this.links / LINK_WIDTH;
    draft[LINKS + 1] = links;
    return copy(draft, SPAN_WIDTH, tables.rare, RARE_WIDTH) / RARE_WIDTH;
  }

  /** Drops the draft, and counts its span as rejected. `index`: the span's index in the request, from 0. */
  reject(index: number, reason: string): void {
    const { tables } = this;
    this.rejections.add(index, reason);
    tables.attributes.size = this.attributes;
    tables.eventAttributes.size = this.eventAttributes;
    tables.events.size = this.events;
    tables.links.size = this.links;
  }
}

function copy(from: Int32Array, at: number, to: Table, width: number): number {
  const row = to.claim(width);
  const { data } = to;
  for (let i = 0; i < width; i++) data[row + i] = from[at + i] as number;
  return row;
}

/** The common part of both log readers. Log records are never rejected. */
export class LogRows {
  private readonly tables: RowTables;
  private attributes = 0;

  constructor(tables: RowTables) {
    this.tables = tables;
  }

  begin(scope: number): number {
    const { logs, attributes } = this.tables;
    const row = logs.claim(LOG_WIDTH);
    const { data } = logs;
    data.fill(0, row, row + LOG_WIDTH);
    data[row + LogColumn.scope] = scope;
    data[row + LogColumn.next] = -1;
    this.attributes = attributes.size;
    return row;
  }

  /** Adds the log row, without attributes and body values that are too expensive to decode. */
  keep(row: number, start: number, end: number, view: DataView, encoding: Encoding): void {
    const { logs, attributes } = this.tables;
    const { data } = logs;
    if (end - start >= BOUNDED_FROM_BYTES) {
      const bounds = new ValueBounds(view, encoding);
      const body = row + LogColumn.body;
      let costly = 0;
      if (!bounds.holds(data[body] as number, data[body + 1] as number, data[body + 2] as number)) {
        data[body] = ValueType.empty;
        costly = 1;
      }
      costly += bounds.removeFrom(attributes, this.attributes);
      if (costly > 0) addDropped(data, row + LogColumn.droppedAttributes, costly);
    }
    data[row + LogColumn.bytes] = start;
    data[row + LogColumn.bytes + 1] = end - start;
    data[row + LogColumn.attributes] = this.attributes / ATTRIBUTE_WIDTH;
    data[row + LogColumn.attributes + 1] = (attributes.size - this.attributes) / ATTRIBUTE_WIDTH;
  }
}

/** Increases an unsigned 32-bit count, at most to its maximum. */
function addDropped(data: Int32Array, at: number, more: number): void {
  data[at] = Math.min(((data[at] as number) >>> 0) + more, 0xffff_ffff) | 0;
}

export function isZero(data: Int32Array, at: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (data[at + i] !== 0) return false;
  return true;
}
