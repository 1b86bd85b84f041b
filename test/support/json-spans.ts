import { type AttributeKey, declaredKey, declaredNames } from "../../src/model/telemetry/attribute-key.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../src/model/json.ts";
import type {
  AttributesView,
  EventView,
  LinkView,
  LogView,
  SpanView,
} from "../../src/model/telemetry/span-view.ts";
import type { Trace } from "../../src/assemble/trace.ts";

/**
 * Traces from OTLP/JSON documents, for tests: plain, slow, and independent of the product's readers. Spans are given once
 * (the first copy counts), log records are attached to their spans.
 */
export function tracesOf(documents: readonly unknown[]): Trace[] {
  const traces = new Map<string, { spans: Map<string, JsonSpan>; logs: JsonLog[] }>();
  const traceOf = (id: string) => {
    const found = traces.get(id) ?? { spans: new Map<string, JsonSpan>(), logs: [] };
    traces.set(id, found);
    return found;
  };
  for (const document of documents as Document[]) {
    for (const group of document.resourceSpans ?? []) {
      const resource = new JsonAttributes(group.resource?.attributes);
      for (const scoped of group.scopeSpans ?? []) {
        for (const span of scoped.spans ?? []) {
          const view = new JsonSpan(span, resource, scoped.scope);
          const { spans } = traceOf(view.traceId);
          if (!spans.has(view.spanId)) spans.set(view.spanId, view);
        }
      }
    }
    for (const group of document.resourceLogs ?? []) {
      const resource = new JsonAttributes(group.resource?.attributes);
      for (const scoped of group.scopeLogs ?? []) {
        for (const record of scoped.logRecords ?? []) {
          if (record.traceId === undefined || record.traceId === "") continue;
          traceOf(record.traceId.toLowerCase()).logs.push(new JsonLog(record, resource, scoped.scope));
        }
      }
    }
  }
  return [...traces].flatMap(([traceId, found]) => traceFrom(traceId, found.spans, found.logs));
}

function traceFrom(traceId: string, spans: ReadonlyMap<string, JsonSpan>, logs: JsonLog[]): Trace[] {
  if (spans.size === 0) return [];
  const uncorrelated: JsonLog[] = [];
  const seen = new Set<string>();
  for (const log of logs) {
    if (seen.has(log.identity)) continue;
    seen.add(log.identity);
    const span = log.spanId === undefined ? undefined : spans.get(log.spanId);
    if (span === undefined) uncorrelated.push(log);
    else span.attached.push(log);
  }
  for (const span of spans.values()) span.attached.sort((a, b) => a.timeUnixMs - b.timeUnixMs);
  uncorrelated.sort((a, b) => a.timeUnixMs - b.timeUnixMs);
  const sorted = [...spans.values()].sort(
    (a, b) => a.startUnixMs - b.startUnixMs || (a.spanId < b.spanId ? -1 : 1),
  );
  return [{ traceId, spans: sorted, uncorrelatedLogs: uncorrelated, closeReason: "eof", truncated: false }];
}

interface Attribute {
  readonly key: string;
  readonly value?: AnyValue;
}
interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string | number;
  readonly doubleValue?: number | string;
  readonly bytesValue?: string;
  readonly arrayValue?: { readonly values?: readonly AnyValue[] };
  readonly kvlistValue?: { readonly values?: readonly Attribute[] };
}
interface Scope {
  readonly name?: string;
  readonly version?: string;
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly kind?: number;
  readonly startTimeUnixNano?: string | number;
  readonly endTimeUnixNano?: string | number;
  readonly attributes?: readonly Attribute[];
  readonly droppedAttributesCount?: number;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly events?: readonly {
    readonly name?: string;
    readonly timeUnixNano?: string | number;
    readonly attributes?: readonly Attribute[];
  }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}
interface LogRecord {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly eventName?: string;
  readonly body?: AnyValue;
  readonly severityNumber?: number;
  readonly timeUnixNano?: string | number;
  readonly observedTimeUnixNano?: string | number;
  readonly attributes?: readonly Attribute[];
}
interface Resource {
  readonly attributes?: readonly Attribute[];
}
interface Document {
  readonly resourceSpans?: readonly {
    readonly resource?: Resource;
    readonly scopeSpans?: readonly { readonly scope?: Scope; readonly spans?: readonly Span[] }[];
  }[];
  readonly resourceLogs?: readonly {
    readonly resource?: Resource;
    readonly scopeLogs?: readonly { readonly scope?: Scope; readonly logRecords?: readonly LogRecord[] }[];
  }[];
}

function plain(value: AnyValue | undefined): JsonValue {
  if (value === undefined) return null;
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.boolValue !== undefined) return value.boolValue;
  if (value.intValue !== undefined) return integer(value.intValue);
  if (value.doubleValue !== undefined) return Number(value.doubleValue);
  if (value.bytesValue !== undefined) return value.bytesValue;
  if (value.arrayValue !== undefined) return (value.arrayValue.values ?? []).map(plain);
  if (value.kvlistValue !== undefined) {
    const object = Object.create(null) as Record<string, JsonValue>;
    for (const { key, value: inner } of value.kvlistValue.values ?? []) object[key] = plain(inner);
    return object;
  }
  return null;
}

function integer(value: string | number): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function milliseconds(nanoseconds: string | number | undefined): number {
  return nanoseconds === undefined ? 0 : Number(BigInt(nanoseconds) / 1000n) / 1000;
}

class JsonAttributes implements AttributesView {
  readonly #values = new Map<string, JsonValue>();

  constructor(attributes: readonly Attribute[] = []) {
    for (const { key, value } of attributes) this.#values.set(key, plain(value));
  }

  get size(): number {
    return this.#values.size;
  }

  has(key: AttributeKey): boolean {
    return this.#values.has(declaredNames[key] ?? "");
  }

  text(key: AttributeKey): string | undefined {
    const value = this.value(key);
    return typeof value === "string" ? value : undefined;
  }

  number(key: AttributeKey): number | undefined {
    const value = this.value(key);
    if (typeof value === "number") return value;
    if (typeof value !== "string" || value.trim() === "") return undefined;
    const number = Number(value);
    return Number.isFinite(number) ? number : undefined;
  }

  boolean(key: AttributeKey): boolean | undefined {
    const value = this.value(key);
    if (typeof value === "boolean") return value;
    const low = typeof value === "string" ? value.toLowerCase() : "";
    return low === "true" ? true : low === "false" ? false : undefined;
  }

  value(key: AttributeKey): JsonValue | undefined {
    return this.#values.get(declaredNames[key] ?? "");
  }

  json(key: AttributeKey): JsonValue | undefined {
    const value = this.value(key);
    return typeof value === "string" ? (parseJson(value) ?? value) : value;
  }

  eachKey(visit: (key: AttributeKey) => void): void {
    for (const name of this.#values.keys()) {
      const key = declaredKey(name);
      if (key !== undefined) visit(key);
    }
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  named(name: string): JsonValue | undefined {
    return this.#values.get(name);
  }

  nameAt(place: number): string {
    return this.keys()[place] ?? "";
  }

  valueAt(place: number): JsonValue | undefined {
    return this.named(this.nameAt(place));
  }

  tree(prefix: string): JsonValue | undefined {
    const root = Object.create(null) as Record<string, JsonValue>;
    let found = false;
    for (const [name, value] of this.#values) {
      if (!name.startsWith(`${prefix}.`)) continue;
      found = true;
      put(root, name.slice(prefix.length + 1).split("."), value);
    }
    return found ? arrays(root) : undefined;
  }
}

function put(object: Record<string, JsonValue>, path: readonly string[], value: JsonValue): void {
  const [head = "", ...rest] = path;
  if (rest.length === 0) {
    object[head] = value;
    return;
  }
  const inner = object[head];
  const next = isObject(inner) ? inner : (Object.create(null) as JsonObject);
  object[head] = next;
  put(next, rest, value);
}

function arrays(value: JsonValue): JsonValue {
  if (!isObject(value)) return isArray(value) ? value.map(arrays) : value;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => arrays(inner));
  }
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const [key, inner] of entries) object[key] = arrays(inner);
  return object;
}

class JsonEvent extends JsonAttributes implements EventView {
  readonly name: string;
  readonly timeUnixMs: number;

  constructor(event: NonNullable<Span["events"]>[number]) {
    super(event.attributes);
    this.name = event.name ?? "";
    this.timeUnixMs = milliseconds(event.timeUnixNano);
  }
}

class JsonLog extends JsonAttributes implements LogView {
  readonly eventName: string;
  readonly body: JsonValue | undefined;
  readonly severityNumber: number;
  readonly timeUnixMs: number;
  readonly spanId: string | undefined;
  readonly resource: AttributesView;
  readonly scopeName: string;
  readonly identity: string;

  constructor(record: LogRecord, resource: AttributesView, scope: Scope | undefined) {
    super(record.attributes);
    const named = this.named("event.name");
    this.eventName = record.eventName ?? (typeof named === "string" ? named : "");
    this.body = record.body === undefined ? undefined : plain(record.body);
    this.severityNumber = record.severityNumber ?? 0;
    const time = milliseconds(record.timeUnixNano);
    this.timeUnixMs = time === 0 ? milliseconds(record.observedTimeUnixNano) : time;
    this.spanId =
      record.spanId === undefined || record.spanId === "" ? undefined : record.spanId.toLowerCase();
    this.resource = resource;
    this.scopeName = scope?.name ?? "";
    this.identity = JSON.stringify(record);
  }
}

class JsonSpan extends JsonAttributes implements SpanView {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly status: number;
  readonly statusMessage: string;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  readonly endUnixNano: bigint;
  readonly hasEnd: boolean;
  readonly scopeName: string;
  readonly scopeVersion: string;
  readonly resource: AttributesView;
  readonly events: readonly EventView[];
  readonly links: readonly LinkView[];
  readonly droppedAttributes: number;
  readonly attached: LogView[] = [];

  constructor(span: Span, resource: AttributesView, scope: Scope | undefined) {
    super(span.attributes);
    this.traceId = span.traceId.toLowerCase();
    this.spanId = span.spanId.toLowerCase();
    const parent = span.parentSpanId ?? "";
    this.parentSpanId = parent === "" ? undefined : parent.toLowerCase();
    this.name = span.name ?? "";
    this.kind = span.kind ?? 0;
    this.status = span.status?.code ?? 0;
    this.statusMessage = span.status?.message ?? "";
    this.startUnixMs = milliseconds(span.startTimeUnixNano);
    this.endUnixMs = Math.max(this.startUnixMs, milliseconds(span.endTimeUnixNano));
    const start = BigInt(span.startTimeUnixNano ?? 0);
    const end = BigInt(span.endTimeUnixNano ?? 0);
    this.endUnixNano = end < start ? start : end;
    this.hasEnd = end >= start;
    this.scopeName = scope?.name ?? "";
    this.scopeVersion = scope?.version ?? "";
    this.resource = resource;
    this.events = (span.events ?? []).map((event) => new JsonEvent(event));
    this.links = (span.links ?? []).map(({ traceId, spanId }) => ({
      traceId: traceId.toLowerCase(),
      spanId: spanId.toLowerCase(),
    }));
    this.droppedAttributes = span.droppedAttributesCount ?? 0;
  }

  get logs(): readonly LogView[] {
    return this.attached;
  }
}
