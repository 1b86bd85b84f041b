import { seedSymbols } from "../attributes/attribute-symbols.ts";
import { makeBatch } from "../rows/batch.ts";
import {
  ATTRIBUTE_WIDTH,
  RESOURCE_WIDTH,
  ResourceColumn,
  SCOPE_WIDTH,
  ScopeColumn,
} from "../rows/columns.ts";
import { LogReader } from "./protobuf-logs.ts";
import { SpanReader } from "./protobuf-spans.ts";
import { ValueReader } from "./protobuf-values.ts";
import { fields, overlong, Wire } from "./protobuf-wire.ts";
import { type MetricsResult, type ReadResult, unreadable } from "../read-result.ts";
import { Rejections } from "../rejections.ts";
import { RowTables } from "../rows/row-tables.ts";

type Signal = "traces" | "logs";

/** Tag of the scope containers of the first OTLP versions: field 1000, whose content is the same as today's. */
const DEPRECATED_SCOPE_TAG = (1000 << 3) | 2;
const FIRST_FIELD = 10;
const SECOND_FIELD = 18;
const REQUEST_FIELDS = fields(1);
const CONTAINER_FIELDS = fields(1, 2);
const RESOURCE_FIELDS = fields(1);

class RequestReader {
  readonly wire = new Wire();
  private readonly values = new ValueReader(this.wire);
  private readonly tables = new RowTables();
  private readonly rejections = new Rejections();
  private readonly spans = new SpanReader(this.wire, this.values, this.tables, this.rejections);
  private readonly logs = new LogReader(this.wire, this.values, this.tables);
  private index = 0;

  read(body: Uint8Array, signal: Signal): ReadResult {
    seedSymbols();
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.wire.view = view;
    this.tables.reset(body.length);
    this.rejections.reset();
    this.values.stringIndexes = 0;
    this.index = 0;
    try {
      this.request(body.length, signal);
      const { rejections, values } = this;
      const batch = makeBatch(body, view, "protobuf", this.tables, rejections.result(), values.stringIndexes);
      return { ok: true, batch };
    } catch (error) {
      return unreadable(error, body.length);
    } finally {
      this.wire.view = NOTHING;
    }
  }

  private request(end: number, signal: Signal): void {
    const { wire } = this;
    let p = 0;
    while (p < end) {
      const tag = wire.view.getUint8(p++);
      if (tag !== FIRST_FIELD) {
        p = wire.skip(tag, p, end, REQUEST_FIELDS);
        continue;
      }
      const next = this.message(p, end);
      this.resourceContainer(wire.at, next, signal);
      p = next;
    }
  }

  private resourceContainer(start: number, end: number, signal: Signal): void {
    const { wire, tables } = this;
    const row = tables.resources.claim(RESOURCE_WIDTH);
    const attributesFrom = tables.attributes.size;
    const records = tables.spans.size + tables.logs.size;
    tables.resources.data.fill(0, row, row + RESOURCE_WIDTH);
    let p = start;
    while (p < end) {
      const first = wire.view.getUint8(p++);
      const tag = first < 128 ? first : wire.length(first, p);
      const after = first < 128 ? p : wire.at;
      if (tag !== FIRST_FIELD && tag !== SECOND_FIELD && tag !== DEPRECATED_SCOPE_TAG) {
        p = wire.skip(first, p, end, CONTAINER_FIELDS);
        continue;
      }
      const next = this.message(after, end);
      if (tag === FIRST_FIELD) this.resource(wire.at, next, row);
      else this.scopeContainer(wire.at, next, row / RESOURCE_WIDTH, signal);
      p = next;
    }
    if (tables.spans.size + tables.logs.size > records) return;
    tables.resources.size = row;
    tables.attributes.size = attributesFrom;
  }

  /** Reads a resource. If the resource has several parts, they are merged, as protobuf requires. */
  private resource(start: number, end: number, row: number): void {
    const { wire, values } = this;
    const { attributes, resources } = this.tables;
    this.continueRun(row);
    let p = start;
    while (p < end) {
      const tag = wire.view.getUint8(p++);
      if (tag !== FIRST_FIELD) {
        p = wire.skip(tag, p, end, RESOURCE_FIELDS);
        continue;
      }
      const next = this.message(p, end);
      const before = attributes.size;
      values.tooDeep = false;
      values.attribute(wire.at, next, attributes);
      if (values.tooDeep) attributes.size = before;
      p = next;
    }
    const from = resources.data[row + ResourceColumn.attributes] as number;
    resources.data[row + ResourceColumn.attributes + 1] = attributes.size / ATTRIBUTE_WIDTH - from;
  }

  /** Moves the resource's attributes to the end of their table, so that attributes of a further part can follow. */
  private continueRun(row: number): void {
    const { attributes, resources } = this.tables;
    const at = row + ResourceColumn.attributes;
    const from = (resources.data[at] as number) * ATTRIBUTE_WIDTH;
    const size = (resources.data[at + 1] as number) * ATTRIBUTE_WIDTH;
    if (size > 0 && from + size === attributes.size) return;
    const copy = attributes.claim(size);
    if (copy >= 0) attributes.data.copyWithin(copy, from, from + size);
    resources.data[at] = (copy >= 0 ? copy : attributes.size) / ATTRIBUTE_WIDTH;
  }

  private scopeContainer(start: number, end: number, resource: number, signal: Signal): void {
    const { wire, tables } = this;
    const row = tables.scopes.claim(SCOPE_WIDTH);
    const scope = row / SCOPE_WIDTH;
    const records = tables.spans.size + tables.logs.size;
    tables.scopes.data.fill(0, row, row + SCOPE_WIDTH);
    tables.scopes.data[row + ScopeColumn.resource] = resource;
    let p = start;
    while (p < end) {
      const tag = wire.view.getUint8(p++);
      if (tag !== FIRST_FIELD && tag !== SECOND_FIELD) {
        p = wire.skip(tag, p, end, CONTAINER_FIELDS);
        continue;
      }
      const next = this.message(p, end);
      if (tag === FIRST_FIELD) this.scope(wire.at, next, row);
      else if (signal === "traces") this.spans.read(wire.at, next, this.index++, scope);
      else this.logs.read(wire.at, next, scope);
      p = next;
    }
    if (tables.spans.size + tables.logs.size === records) tables.scopes.size = row;
  }

  private scope(start: number, end: number, row: number): void {
    const { wire } = this;
    const { data } = this.tables.scopes;
    let p = start;
    while (p < end) {
      const tag = wire.view.getUint8(p++);
      if (tag !== FIRST_FIELD && tag !== SECOND_FIELD) {
        p = wire.skip(tag, p, end, CONTAINER_FIELDS);
        continue;
      }
      const next = this.message(p, end);
      const at = row + (tag === FIRST_FIELD ? ScopeColumn.name : ScopeColumn.version);
      data[at] = wire.at;
      data[at + 1] = next - wire.at;
      p = next;
    }
  }

  /** Returns the end of the length-delimited field at `p`. The position of its content is in `wire.at`. */
  private message(p: number, end: number): number {
    const { wire } = this;
    const first = wire.view.getUint8(p++);
    wire.at = p;
    const length = first > 127 ? wire.length(first, p) : first;
    const next = wire.at + length;
    if (next > end) throw overlong(p);
    return next;
  }
}

const NOTHING = new DataView(new ArrayBuffer(0));
const reader = new RequestReader();

/** Reads an `ExportTraceServiceRequest` (or `TracesData`). After the call, `body` belongs to the batch. */
export function readTraces(body: Uint8Array): ReadResult {
  return reader.read(body, "traces");
}

/** Reads an `ExportLogsServiceRequest` (or `LogsData`). After the call, `body` belongs to the batch. */
export function readLogs(body: Uint8Array): ReadResult {
  return reader.read(body, "logs");
}

const METRIC_DATA_TAGS = new Set([42, 58, 74, 82, 90]);
/** Tags of the nested repeated fields: request → resource container → scope container → metric. */
const METRIC_PATH = [FIRST_FIELD, SECOND_FIELD, SECOND_FIELD];

/** Counts the data points of an `ExportMetricsServiceRequest`. */
export function readMetrics(body: Uint8Array): MetricsResult {
  const wire = new Wire();
  wire.view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  try {
    return { ok: true, dataPoints: countPoints(wire, 0, body.length, 0) };
  } catch (error) {
    return unreadable(error, body.length);
  }
}

/** Counts the data points in the message at [start, end), which is `level` levels below the request. */
function countPoints(wire: Wire, start: number, end: number, level: number): number {
  let count = 0;
  let p = start;
  while (p < end) {
    const tag = wire.view.getUint8(p);
    const next = wire.skip(tag, p + 1, end, 0);
    if (level > METRIC_PATH.length) {
      if (tag === FIRST_FIELD) count++;
    } else if (level === METRIC_PATH.length ? METRIC_DATA_TAGS.has(tag) : tag === METRIC_PATH[level]) {
      count += countPoints(wire, contentStart(wire, p + 1), next, level + 1);
    }
    p = next;
  }
  return count;
}

function contentStart(wire: Wire, p: number): number {
  wire.varint(p);
  return wire.at;
}
