import {
  ATTRIBUTE_WIDTH,
  EVENT_WIDTH,
  EventColumn,
  LINK_WIDTH,
  LinkColumn,
  SpanColumn,
  UNKNOWN_PARENT,
} from "../rows/columns.ts";
import { Field } from "./json-fields.ts";
import type { JsonAttributeReader } from "./values/json-attributes.ts";
import type { JsonParts } from "./json-parts.ts";
import type { JsonScalars } from "./values/json-scalars.ts";
import type { JsonScanner } from "./json-scanner.ts";
import type { JsonValueReader } from "./values/json-values.ts";
import type { Rejections } from "../rejections.ts";
import type { RowTables } from "../rows/row-tables.ts";
import { DraftColumn, isZero, SpanRows } from "../rows/span-rows.ts";

export class JsonSpanReader {
  private readonly scanner: JsonScanner;
  private readonly values: JsonValueReader;
  private readonly lists: JsonAttributeReader;
  private readonly scalars: JsonScalars;
  private readonly tables: RowTables;
  private readonly rows: SpanRows;

  constructor(parts: JsonParts, tables: RowTables, rejections: Rejections) {
    this.scanner = parts.scanner;
    this.values = parts.values;
    this.lists = parts.lists;
    this.scalars = parts.scalars;
    this.tables = tables;
    this.rows = new SpanRows(tables, rejections);
  }

  /** Reads the span at `p`. `index`: the span's index in the request, from 0. Returns the position after the span. */
  read(p: number, index: number, scope: number): number {
    const { values, lists, rows } = this;
    rows.begin(scope);
    values.problem = undefined;
    lists.left = 0;
    const end = this.fields(p, rows.draft);
    const problem = this.problem(rows.draft);
    if (problem === undefined) rows.keep(p, end, lists.left, this.scanner.view, "json");
    else rows.reject(index, problem);
    return end;
  }

  private fields(p: number, data: Int32Array): number {
    const { scanner } = this;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      at = this.field(scanner.field, at, data);
      at = scanner.nextMember(at);
    }
    return ~at;
  }

  private field(field: number, p: number, data: Int32Array): number {
    const { scalars, lists } = this;
    switch (field) {
      case Field.traceId:
        return scalars.id(p, "trace id", 4, data, SpanColumn.traceId);
      case Field.spanId:
        return scalars.id(p, "span id", 2, data, SpanColumn.spanId);
      case Field.parentSpanId:
        return this.parent(p, data, SpanColumn.parentSpanId);
      case Field.name:
        return scalars.text(p, "name", data, SpanColumn.name);
      case Field.kind:
        return scalars.enumeration(p, "kind", data, SpanColumn.kind);
      case Field.startTimeUnixNano:
        return scalars.unsigned(p, "startTimeUnixNano", data, SpanColumn.start);
      case Field.endTimeUnixNano:
        return scalars.unsigned(p, "endTimeUnixNano", data, SpanColumn.end);
      case Field.attributes:
        return lists.attributes(p, this.tables.attributes, false);
      case Field.flags:
        return scalars.small(p, "flags", data, SpanColumn.flags);
      case Field.droppedAttributesCount:
        return scalars.small(p, "droppedAttributesCount", data, DraftColumn.droppedAttributes);
      case Field.droppedEventsCount:
        return scalars.small(p, "droppedEventsCount", data, DraftColumn.droppedEvents);
      case Field.droppedLinksCount:
        return scalars.small(p, "droppedLinksCount", data, DraftColumn.droppedLinks);
      case Field.status:
        return this.status(p, data);
      case Field.events:
        return this.list(p, "events", this.event);
      case Field.links:
        return this.list(p, "links", this.link);
      default:
        return this.scanner.skip(p);
    }
  }

  private list(p: number, name: string, read: (p: number) => number): number {
    const { scanner } = this;
    if (!scanner.isArray(p)) return this.values.mismatch(p, `${name} must be an array`);
    let at = scanner.enterArray(p);
    while (at >= 0) {
      if (scanner.isObject(at)) at = read(at);
      else
        at = scanner.isNull(at) ? scanner.skip(at) : this.values.mismatch(at, `${name} must contain objects`);
      at = scanner.nextElement(at);
    }
    return ~at;
  }

  private parent(p: number, data: Int32Array, at: number): number {
    const { ids } = this.scalars;
    const end = ids.read(p, 2, data, at);
    if (ids.empty) data.fill(0, at, at + 2);
    else if (ids.problem !== undefined) data.fill(UNKNOWN_PARENT, at, at + 2);
    return end;
  }

  private status(p: number, data: Int32Array): number {
    const { scanner, scalars } = this;
    if (!scanner.isObject(p)) return this.values.mismatch(p, "status must be an object");
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      if (scanner.field === Field.code) at = scalars.enumeration(at, "code", data, SpanColumn.status);
      else if (scanner.field === Field.message) {
        at = scalars.text(at, "message", data, DraftColumn.statusMessage);
      } else at = scanner.skip(at);
      at = scanner.nextMember(at);
    }
    return ~at;
  }

  private readonly event = (p: number): number => {
    const { scanner, scalars, lists } = this;
    const { events, eventAttributes } = this.tables;
    const row = events.claim(EVENT_WIDTH);
    if (row < 0) {
      lists.left++;
      return scanner.skip(p);
    }
    const { data } = events;
    data.fill(0, row, row + EVENT_WIDTH);
    const from = eventAttributes.size;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      if (scanner.field === Field.name)
        at = scalars.text(at, "an event's name", data, row + EventColumn.name);
      else if (scanner.field === Field.timeUnixNano) {
        at = scalars.unsigned(at, "an event's timeUnixNano", data, row + EventColumn.time);
      } else if (scanner.field === Field.attributes) at = lists.attributes(at, eventAttributes, false);
      else if (scanner.field === Field.droppedAttributesCount) {
        const { draft } = this.rows;
        at = scalars.small(at, "an event's droppedAttributesCount", draft, DraftColumn.droppedInEvent);
      } else at = scanner.skip(at);
      at = scanner.nextMember(at);
    }
    this.rows.addDroppedInEvent();
    data[row + EventColumn.attributes] = from / ATTRIBUTE_WIDTH;
    data[row + EventColumn.attributes + 1] = (eventAttributes.size - from) / ATTRIBUTE_WIDTH;
    return ~at;
  };

  /** Reads a link. A link with an invalid id is ignored. */
  private readonly link = (p: number): number => {
    const { scanner, lists } = this;
    const { ids } = this.scalars;
    const { links } = this.tables;
    const row = links.claim(LINK_WIDTH);
    if (row < 0) {
      lists.left++;
      return scanner.skip(p);
    }
    let traceId = false;
    let spanId = false;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      if (scanner.field === Field.traceId) {
        at = ids.read(at, 4, links.data, row + LinkColumn.traceId);
        traceId = !ids.empty && ids.problem === undefined;
      } else if (scanner.field === Field.spanId) {
        at = ids.read(at, 2, links.data, row + LinkColumn.spanId);
        spanId = !ids.empty && ids.problem === undefined;
      } else at = scanner.skip(at);
      at = scanner.nextMember(at);
    }
    if (!traceId || !spanId) links.size = row;
    return ~at;
  };

  private problem(data: Int32Array): string | undefined {
    if (this.values.problem !== undefined) return this.values.problem;
    if (isZero(data, SpanColumn.traceId, 4)) return "trace id is missing or all zero";
    if (isZero(data, SpanColumn.spanId, 2)) return "span id is missing or all zero";
    return undefined;
  }
}
