import { LogColumn } from "../rows/columns.ts";
import { Field } from "./json-fields.ts";
import type { JsonAttributeReader } from "./values/json-attributes.ts";
import type { JsonParts } from "./json-parts.ts";
import type { JsonScalars } from "./values/json-scalars.ts";
import type { JsonScanner } from "./json-scanner.ts";
import type { JsonValueReader } from "./values/json-values.ts";
import type { RowTables } from "../rows/row-tables.ts";
import { isZero, LogRows } from "../rows/span-rows.ts";

/** Reads log record objects into rows. No record is rejected; invalid ids and values are ignored. */
export class JsonLogReader {
  private readonly scanner: JsonScanner;
  private readonly values: JsonValueReader;
  private readonly lists: JsonAttributeReader;
  private readonly scalars: JsonScalars;
  private readonly tables: RowTables;
  private readonly rows: LogRows;
  private readonly observed = new Int32Array(2);

  constructor(parts: JsonParts, tables: RowTables) {
    this.scanner = parts.scanner;
    this.values = parts.values;
    this.lists = parts.lists;
    this.scalars = parts.scalars;
    this.tables = tables;
    this.rows = new LogRows(tables);
  }

  /** Reads the record at `p`. Returns the position after the record. */
  read(p: number, scope: number): number {
    const { scanner, observed } = this;
    const row = this.rows.begin(scope);
    const { data } = this.tables.logs;
    observed.fill(0);
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      at = this.field(scanner.field, at, data, row);
      at = scanner.nextMember(at);
    }
    const time = row + LogColumn.time;
    if (isZero(data, time, 2)) data.set(observed, time);
    this.values.problem = undefined;
    this.rows.keep(row, p, ~at, scanner.view, "json");
    return ~at;
  }

  private field(field: number, p: number, data: Int32Array, row: number): number {
    const { scalars } = this;
    switch (field) {
      case Field.timeUnixNano:
        return scalars.unsigned(p, "timeUnixNano", data, row + LogColumn.time);
      case Field.observedTimeUnixNano:
        return scalars.unsigned(p, "observedTimeUnixNano", this.observed, 0);
      case Field.severityNumber:
        return scalars.enumeration(p, "severityNumber", data, row + LogColumn.severity);
      case Field.eventName:
        return scalars.text(p, "eventName", data, row + LogColumn.eventName);
      case Field.traceId:
        return scalars.id(p, "trace id", 4, data, row + LogColumn.traceId);
      case Field.spanId:
        return scalars.id(p, "span id", 2, data, row + LogColumn.spanId);
      case Field.droppedAttributesCount:
        return scalars.small(p, "droppedAttributesCount", data, row + LogColumn.droppedAttributes);
      case Field.attributes:
        return this.lists.attributes(p, this.tables.attributes, true);
      case Field.body:
        return this.body(p, data, row + LogColumn.body);
      default:
        return this.scanner.skip(p);
    }
  }

  private body(p: number, data: Int32Array, at: number): number {
    const { values } = this;
    values.clear();
    values.problem = undefined;
    const end = values.value(p, 1);
    if (values.problem !== undefined) values.clear();
    data[at] = values.type;
    data[at + 1] = values.first;
    data[at + 2] = values.second;
    return end;
  }
}
