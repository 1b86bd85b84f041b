import { LogColumn } from "../rows/columns.ts";
import { words } from "./protobuf-spans.ts";
import type { ValueReader } from "./protobuf-values.ts";
import { fields, overlong, refuse, type Wire } from "./protobuf-wire.ts";
import type { RowTables } from "../rows/row-tables.ts";
import { LogRows } from "../rows/span-rows.ts";

const LOG_FIELDS = fields(1, 2, 5, 6, 9, 10, 11, 12);

/** Reads `LogRecord` messages into rows. No record is rejected; invalid ids and values are ignored. */
export class LogReader {
  private readonly wire: Wire;
  private readonly values: ValueReader;
  private readonly tables: RowTables;
  private readonly rows: LogRows;

  constructor(wire: Wire, values: ValueReader, tables: RowTables) {
    this.wire = wire;
    this.values = values;
    this.tables = tables;
    this.rows = new LogRows(tables);
  }

  read(start: number, end: number, scope: number): void {
    const row = this.rows.begin(scope);
    this.fields(start, end, this.tables.logs.data, row);
    this.rows.keep(row, start, end, this.wire.view, "protobuf");
  }

  private fields(start: number, end: number, data: Int32Array, row: number): void {
    const { wire } = this;
    const { view } = wire;
    let observed = -1;
    let p = start;
    while (p < end) {
      const tag = view.getUint8(p++);
      if ((tag & 7) === 2 && tag < 128) {
        let length = view.getUint8(p++);
        if (length > 127) {
          length = wire.length(length, p);
          p = wire.at;
        }
        if (p + length > end) throw overlong(p);
        this.text(tag, p, length, data, row);
        p += length;
      } else if (tag === 9 || tag === 89) {
        if (p + 8 > end) throw overlong(p);
        if (tag === 9) words(view, p, 2, data, row + LogColumn.time);
        else observed = p;
        p += 8;
      } else if (tag === 16 || tag === 56) {
        wire.varint(p);
        p = wire.at;
        if (p > end) throw overlong(p);
        data[row + (tag === 16 ? LogColumn.severity : LogColumn.droppedAttributes)] = wire.low;
      } else p = wire.skip(tag, p, end, LOG_FIELDS);
    }
    const time = row + LogColumn.time;
    if (observed >= 0 && data[time] === 0 && data[time + 1] === 0) words(view, observed, 2, data, time);
  }

  private text(tag: number, p: number, length: number, data: Int32Array, row: number): void {
    const { view } = this.wire;
    this.values.tooDeep = false;
    switch (tag) {
      case 42:
        this.body(p, length, data, row);
        break;
      case 50:
        this.attribute(p, length);
        break;
      case 74:
        if (length === 16) words(view, p, 4, data, row + LogColumn.traceId);
        break;
      case 82:
        if (length === 8) words(view, p, 2, data, row + LogColumn.spanId);
        break;
      case 98:
        data[row + LogColumn.eventName] = p;
        data[row + LogColumn.eventName + 1] = length;
        break;
      default:
        refuse(tag, p, LOG_FIELDS);
    }
  }

  private body(p: number, length: number, data: Int32Array, row: number): void {
    const { values } = this;
    values.clear();
    values.value(p, p + length, 1);
    if (values.tooDeep) values.clear();
    data[row + LogColumn.body] = values.type;
    data[row + LogColumn.body + 1] = values.first;
    data[row + LogColumn.body + 2] = values.second;
  }

  private attribute(p: number, length: number): void {
    const { attributes } = this.tables;
    const before = attributes.size;
    this.values.attribute(p, p + length, attributes);
    if (this.values.tooDeep) attributes.size = before;
  }
}
