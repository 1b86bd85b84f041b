import {
  ATTRIBUTE_WIDTH,
  EVENT_WIDTH,
  EventColumn,
  LINK_WIDTH,
  LinkColumn,
  MAX_DEPTH,
  SpanColumn,
  UNKNOWN_PARENT,
} from "../rows/columns.ts";
import type { ValueReader } from "./protobuf-values.ts";
import { fields, overlong, refuse, type Wire } from "./protobuf-wire.ts";
import { badId, type Rejections } from "../rejections.ts";
import type { RowTables } from "../rows/row-tables.ts";
import { DraftColumn, isZero, SpanRows } from "../rows/span-rows.ts";

const SPAN_FIELDS = fields(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
const ATTRIBUTE_TAG = 74;
const FLAGS_TAG = 133;
const EVENT_ATTRIBUTE_TAG = 26;
const EVENT_FIELDS = fields(1, 2, 3, 4);
const LINK_FIELDS = fields(1, 2);
const STATUS_FIELDS = fields(2, 3);

export class SpanReader {
  private readonly wire: Wire;
  private readonly values: ValueReader;
  private readonly tables: RowTables;
  private readonly rows: SpanRows;
  private traceIdLength = 0;
  private spanIdLength = 0;

  constructor(wire: Wire, values: ValueReader, tables: RowTables, rejections: Rejections) {
    this.wire = wire;
    this.values = values;
    this.tables = tables;
    this.rows = new SpanRows(tables, rejections);
  }

  /** Reads the span at [start, end). `index`: the span's index in the request, from 0. */
  read(start: number, end: number, index: number, scope: number): void {
    const { rows } = this;
    rows.begin(scope);
    this.fields(start, end, rows.draft);
    const problem = this.problem(rows.draft);
    if (problem === undefined) rows.keep(start, end, this.values.left, this.wire.view, "protobuf");
    else rows.reject(index, problem);
  }

  private fields(start: number, end: number, data: Int32Array): void {
    const { wire, values } = this;
    const { view } = wire;
    const { attributes } = this.tables;
    this.traceIdLength = 0;
    this.spanIdLength = 0;
    values.left = 0;
    values.tooDeep = false;
    let p = start;
    while (p < end) {
      const tag = view.getUint8(p++);
      if (tag === ATTRIBUTE_TAG) p = values.attributes(p, end, ATTRIBUTE_TAG, attributes);
      else if ((tag & 7) === 2 && tag < 128) {
        let length = view.getUint8(p++);
        if (length > 127) {
          length = wire.length(length, p);
          p = wire.at;
        }
        const next = p + length;
        if (next > end) throw overlong(p);
        this.text(tag, p, length, data);
        p = next;
      } else if (tag === 57 || tag === 65) {
        if (p + 8 > end) throw overlong(p);
        const at = tag === 57 ? SpanColumn.start : SpanColumn.end;
        data[at] = view.getInt32(p, true);
        data[at + 1] = view.getInt32(p + 4, true);
        p += 8;
      } else if (tag === 48 || tag === 80) {
        wire.varint(p);
        p = wire.at;
        if (p > end) throw overlong(p);
        data[tag === 48 ? SpanColumn.kind : DraftColumn.droppedAttributes] = wire.low;
      } else if (tag === 96 || tag === 112) {
        p = this.count(p, end, data, tag === 96 ? DraftColumn.droppedEvents : DraftColumn.droppedLinks);
      } else p = this.other(tag, p, end, data);
    }
  }

  private count(p: number, end: number, data: Int32Array, column: number): number {
    const { wire } = this;
    wire.varint(p);
    if (wire.at > end) throw overlong(wire.at);
    data[column] = wire.low;
    return wire.at;
  }

  /** Reads a length-delimited field that is not an attribute. */
  private text(tag: number, p: number, length: number, data: Int32Array): void {
    const { view } = this.wire;
    switch (tag) {
      case 10:
        this.traceIdLength = length;
        if (length === 16) words(view, p, 4, data, SpanColumn.traceId);
        break;
      case 18:
        this.spanIdLength = length;
        if (length === 8) words(view, p, 2, data, SpanColumn.spanId);
        break;
      case 34:
        if (length === 8) words(view, p, 2, data, SpanColumn.parentSpanId);
        else
          data.fill(length === 0 ? 0 : UNKNOWN_PARENT, SpanColumn.parentSpanId, SpanColumn.parentSpanId + 2);
        break;
      case 42:
        data[SpanColumn.name] = p;
        data[SpanColumn.name + 1] = length;
        break;
      case 90:
        this.event(p, p + length);
        break;
      case 106:
        this.link(p, p + length);
        break;
      case 122:
        this.status(p, p + length, data);
        break;
      case 26:
        break;
      default:
        refuse(tag, p, SPAN_FIELDS);
    }
  }

  /** Reads a field whose tag has several bytes. An unknown field is skipped. */
  private other(tag: number, p: number, end: number, data: Int32Array): number {
    const { wire } = this;
    if (tag < 128 || wire.length(tag, p) !== FLAGS_TAG) return wire.skip(tag, p, end, SPAN_FIELDS);
    const { at } = wire;
    if (at + 4 > end) throw overlong(at);
    data[SpanColumn.flags] = wire.view.getInt32(at, true);
    return at + 4;
  }

  private event(start: number, end: number): void {
    const { wire, values } = this;
    const { view } = wire;
    const { events, eventAttributes } = this.tables;
    const row = events.claim(EVENT_WIDTH);
    if (row < 0) {
      this.values.left++;
      return;
    }
    const { data } = events;
    data.fill(0, row, row + EVENT_WIDTH);
    const from = eventAttributes.size;
    let p = start;
    while (p < end) {
      const tag = view.getUint8(p++);
      if (tag === 9) {
        if (p + 8 > end) throw overlong(p);
        words(view, p, 2, data, row + EventColumn.time);
        p += 8;
      } else if (tag === EVENT_ATTRIBUTE_TAG) {
        p = values.attributes(p, end, EVENT_ATTRIBUTE_TAG, eventAttributes);
      } else if (tag === 18) {
        let length = view.getUint8(p++);
        if (length > 127) {
          length = wire.length(length, p);
          p = wire.at;
        }
        if (p + length > end) throw overlong(p);
        data[row + EventColumn.name] = p;
        data[row + EventColumn.name + 1] = length;
        p += length;
      } else if (tag === 32) p = this.count(p, end, this.rows.draft, DraftColumn.droppedInEvent);
      else p = wire.skip(tag, p, end, EVENT_FIELDS);
    }
    this.rows.addDroppedInEvent();
    data[row + EventColumn.attributes] = from / ATTRIBUTE_WIDTH;
    data[row + EventColumn.attributes + 1] = (eventAttributes.size - from) / ATTRIBUTE_WIDTH;
  }

  /** Reads a link. A link with an id of the wrong length is ignored. */
  private link(start: number, end: number): void {
    const { wire } = this;
    const { links } = this.tables;
    let traceId = -1;
    let spanId = -1;
    let p = start;
    while (p < end) {
      const tag = wire.view.getUint8(p++);
      if (tag === 10 || tag === 18) {
        let length = wire.view.getUint8(p++);
        if (length > 127) {
          length = wire.length(length, p);
          p = wire.at;
        }
        if (p + length > end) throw overlong(p);
        if (tag === 10) traceId = length === 16 ? p : -1;
        else spanId = length === 8 ? p : -1;
        p += length;
      } else p = wire.skip(tag, p, end, LINK_FIELDS);
    }
    if (traceId < 0 || spanId < 0) return;
    const row = links.claim(LINK_WIDTH);
    if (row < 0) {
      this.values.left++;
      return;
    }
    words(wire.view, traceId, 4, links.data, row + LinkColumn.traceId);
    words(wire.view, spanId, 2, links.data, row + LinkColumn.spanId);
  }

  private status(start: number, end: number, data: Int32Array): void {
    const { wire } = this;
    let p = start;
    while (p < end) {
      const tag = wire.view.getUint8(p++);
      if (tag === 24) {
        wire.varint(p);
        p = wire.at;
        if (p > end) throw overlong(p);
        data[SpanColumn.status] = wire.low;
      } else if (tag === 18) {
        let length = wire.view.getUint8(p++);
        if (length > 127) {
          length = wire.length(length, p);
          p = wire.at;
        }
        if (p + length > end) throw overlong(p);
        data[DraftColumn.statusMessage] = p;
        data[DraftColumn.statusMessage + 1] = length;
        p += length;
      } else p = wire.skip(tag, p, end, STATUS_FIELDS);
    }
  }

  private problem(data: Int32Array): string | undefined {
    const t = SpanColumn.traceId;
    const s = SpanColumn.spanId;
    if (this.traceIdLength !== 16 || isZero(data, t, 4)) return badId("trace id", this.traceIdLength);
    if (this.spanIdLength !== 8 || isZero(data, s, 2)) return badId("span id", this.spanIdLength);
    return this.values.tooDeep ? `an attribute is nested more than ${MAX_DEPTH} levels deep` : undefined;
  }
}

/** Copies words in little-endian order. */
export function words(view: DataView, p: number, count: number, data: Int32Array, at: number): void {
  for (let i = 0; i < count; i++) data[at + i] = view.getInt32(p + 4 * i, true);
}
