import { seedSymbols } from "../attributes/attribute-symbols.ts";
import { makeBatch } from "../rows/batch.ts";
import {
  ATTRIBUTE_WIDTH,
  RESOURCE_WIDTH,
  ResourceColumn,
  SCOPE_WIDTH,
  ScopeColumn,
} from "../rows/columns.ts";
import { Field } from "./json-fields.ts";
import { JsonLogReader } from "./json-logs.ts";
import { JsonParts } from "./json-parts.ts";
import { JsonSpanReader } from "./json-spans.ts";
import {
  type DocumentResult,
  Malformed,
  type MetricsResult,
  type ReadResult,
  unreadable,
} from "../read-result.ts";
import { Rejections } from "../rejections.ts";
import { RowTables } from "../rows/row-tables.ts";
import { invalidUtf8 } from "../bytes/utf8.ts";

/**
 * Names of a signal's fields at each level, such as `resourceSpans`. In the first OTLP versions, the scope containers had another name,
 * which is also accepted.
 */
interface Layout {
  readonly resources: number;
  readonly scopes: readonly number[];
  readonly records: number;
}

const TRACES: Layout = {
  resources: Field.resourceSpans,
  scopes: [Field.scopeSpans, Field.instrumentationLibrarySpans],
  records: Field.spans,
};
const LOGS: Layout = {
  resources: Field.resourceLogs,
  scopes: [Field.scopeLogs, Field.instrumentationLibraryLogs],
  records: Field.logRecords,
};
const METRICS: Layout = {
  resources: Field.resourceMetrics,
  scopes: [Field.scopeMetrics],
  records: Field.metrics,
};
const METRIC_DATA: ReadonlySet<number> = new Set([
  Field.gauge,
  Field.sum,
  Field.histogram,
  Field.exponentialHistogram,
  Field.summary,
]);

type Each = (p: number) => number;

class JsonRequestReader {
  private readonly parts = new JsonParts();
  private readonly scanner = this.parts.scanner;
  private readonly tables = new RowTables();
  private readonly rejections = new Rejections();
  private readonly spans = new JsonSpanReader(this.parts, this.tables, this.rejections);
  private readonly logs = new JsonLogReader(this.parts, this.tables);
  /** Layouts of the signals that the document may contain; `layout` is that of the current signal. */
  private layouts: readonly Layout[] = [];
  private layout = TRACES;
  private recognised = false;
  private index = 0;
  private points = 0;

  read(body: Uint8Array, layouts: readonly Layout[], utf8Checked: boolean): DocumentResult {
    const { scanner, tables, rejections } = this;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.begin(view, layouts);
    try {
      const invalid = utf8Checked ? -1 : invalidUtf8(view);
      if (invalid >= 0) throw new Malformed("invalid UTF-8", invalid);
      const start = scanner.space(0);
      if (!scanner.isObject(start)) throw new Malformed("an OTLP document must be a JSON object", start);
      scanner.finish(this.request(start));
      const batch = makeBatch(body, view, "json", tables, rejections.result(), scanner.lenient);
      return { ok: true, batch, dataPoints: this.points, recognised: this.recognised };
    } catch (error) {
      return unreadable(error, body.length);
    } finally {
      scanner.view = NOTHING;
    }
  }

  private begin(view: DataView, layouts: readonly Layout[]): void {
    seedSymbols();
    this.scanner.view = view;
    this.scanner.lenient = 0;
    this.parts.values.repeated.reset();
    this.tables.reset(view.byteLength);
    this.rejections.reset();
    this.layouts = layouts;
    this.recognised = false;
    this.index = 0;
    this.points = 0;
  }

  private request(p: number): number {
    const { scanner } = this;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      const layout = this.layoutOf(scanner.field);
      if (layout === undefined) at = scanner.skip(at);
      else {
        this.layout = layout;
        this.recognised = true;
        at = this.each(at, this.resourceContainer);
      }
      at = scanner.nextMember(at);
    }
    return ~at;
  }

  private layoutOf(field: number): Layout | undefined {
    return this.layouts.find((layout) => layout.resources === field);
  }

  private readonly resourceContainer: Each = (p) => {
    const { scanner, tables, layout } = this;
    const row = tables.resources.claim(RESOURCE_WIDTH);
    const attributesFrom = tables.attributes.size;
    const records = tables.spans.size + tables.logs.size;
    tables.resources.data.fill(0, row, row + RESOURCE_WIDTH);
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      if (scanner.field === Field.resource) at = this.resource(at, row);
      else if (layout.scopes.includes(scanner.field)) {
        const scopeContainer: Each = (p) => this.scopeContainer(p, row / RESOURCE_WIDTH);
        at = this.each(at, scopeContainer);
      } else at = scanner.skip(at);
      at = scanner.nextMember(at);
    }
    if (tables.spans.size + tables.logs.size === records) {
      tables.resources.size = row;
      tables.attributes.size = attributesFrom;
    }
    return ~at;
  };

  /** Reads a resource. If a container has several resources, the last one counts. */
  private resource(p: number, row: number): number {
    const { scanner } = this;
    const { values, lists } = this.parts;
    const { attributes, resources } = this.tables;
    const from = attributes.size;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      at = scanner.field === Field.attributes ? lists.attributes(at, attributes, true) : scanner.skip(at);
      at = scanner.nextMember(at);
    }
    values.problem = undefined;
    resources.data[row + ResourceColumn.attributes] = from / ATTRIBUTE_WIDTH;
    resources.data[row + ResourceColumn.attributes + 1] = (attributes.size - from) / ATTRIBUTE_WIDTH;
    return ~at;
  }

  private scopeContainer(p: number, resource: number): number {
    const { scanner, tables, layout } = this;
    const row = tables.scopes.claim(SCOPE_WIDTH);
    const scope = row / SCOPE_WIDTH;
    const records = tables.spans.size + tables.logs.size;
    const record: Each = (p) => this.record(p, scope);
    tables.scopes.data.fill(0, row, row + SCOPE_WIDTH);
    tables.scopes.data[row + ScopeColumn.resource] = resource;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      const { field } = scanner;
      if (field === Field.scope || field === Field.instrumentationLibrary) at = this.scope(at, row);
      else at = field === layout.records ? this.each(at, record) : scanner.skip(at);
      at = scanner.nextMember(at);
    }
    if (tables.spans.size + tables.logs.size === records) tables.scopes.size = row;
    return ~at;
  }

  private record(p: number, scope: number): number {
    if (this.layout === TRACES) return this.spans.read(p, this.index++, scope);
    return this.layout === LOGS ? this.logs.read(p, scope) : this.metric(p);
  }

  private scope(p: number, row: number): number {
    const { scanner } = this;
    const { scalars, values } = this.parts;
    const { data } = this.tables.scopes;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      if (scanner.field === Field.name) at = scalars.text(at, "", data, row + ScopeColumn.name);
      else if (scanner.field === Field.version) at = scalars.text(at, "", data, row + ScopeColumn.version);
      else at = scanner.skip(at);
      at = scanner.nextMember(at);
    }
    values.problem = undefined;
    return ~at;
  }

  private metric(p: number): number {
    const { scanner } = this;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      at = METRIC_DATA.has(scanner.field) && scanner.isObject(at) ? this.metricData(at) : scanner.skip(at);
      at = scanner.nextMember(at);
    }
    return ~at;
  }

  private metricData(p: number): number {
    const { scanner } = this;
    const point: Each = (p) => {
      this.points++;
      return scanner.skip(p);
    };
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      at = scanner.field === Field.dataPoints ? this.each(at, point) : scanner.skip(at);
      at = scanner.nextMember(at);
    }
    return ~at;
  }

  /** Calls `read` for each object in the array at `p`. */
  private each(p: number, read: Each): number {
    const { scanner } = this;
    let at = scanner.enterArray(p);
    while (at >= 0) {
      at = scanner.isNull(at) ? scanner.skip(at) : read(at);
      at = scanner.nextElement(at);
    }
    return ~at;
  }
}

const NOTHING = new DataView(new ArrayBuffer(0));
const reader = new JsonRequestReader();

/**
 * Reads an `ExportTraceServiceRequest` (or `TracesData`) in OTLP/JSON. After the call, `body` belongs to the batch.
 * @param utf8Checked whether the caller has already validated the UTF-8
 */
export function readTracesJson(body: Uint8Array, utf8Checked = false): ReadResult {
  return reader.read(body, [TRACES], utf8Checked);
}

/** Reads an `ExportLogsServiceRequest` (or `LogsData`) in OTLP/JSON. After the call, `body` belongs to the batch. */
export function readLogsJson(body: Uint8Array, utf8Checked = false): ReadResult {
  return reader.read(body, [LOGS], utf8Checked);
}

/** Counts the data points of an `ExportMetricsServiceRequest` in OTLP/JSON. */
export function readMetricsJson(body: Uint8Array, utf8Checked = false): MetricsResult {
  const result = reader.read(body, [METRICS], utf8Checked);
  return result.ok ? { ok: true, dataPoints: result.dataPoints } : result;
}

/** Reads a document with one or several signals. After the call, `body` belongs to the batch. */
export function readDocumentJson(body: Uint8Array, utf8Checked = false): DocumentResult {
  return reader.read(body, [TRACES, LOGS, METRICS], utf8Checked);
}
