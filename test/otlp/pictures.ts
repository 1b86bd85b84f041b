import type { JsonValue } from "../../src/model/json.ts";
import type { AttributesView, LogView, SpanView } from "../../src/model/telemetry/span-view.ts";
import type { Batch } from "../../src/otlp/rows/batch.ts";
import { viewLog } from "../../src/otlp/rows/log-view.ts";
import { viewSpan } from "../../src/otlp/rows/span-view.ts";
import { LogsData, TracesData } from "./oracle.ts";

/* Everything the views say of a batch, and the same told from what protobufjs decoded: to be compared. */

type Attributes = readonly (readonly [string, JsonValue | undefined])[];

function attributesOf(view: AttributesView): Attributes {
  return view.keys().map((name) => [name, view.named(name)]);
}

function spanPicture(view: SpanView): unknown {
  return {
    ids: [view.traceId, view.spanId, view.parentSpanId],
    name: view.name,
    kind: view.kind,
    status: [view.status, view.statusMessage],
    times: [view.startUnixMs, view.endUnixMs],
    scope: [view.scopeName, view.scopeVersion],
    resource: attributesOf(view.resource),
    attributes: attributesOf(view),
    dropped: view.droppedAttributes,
    events: view.events.map((event) => [event.name, event.timeUnixMs, attributesOf(event)]),
    links: view.links.map((link) => [link.traceId, link.spanId]),
  };
}

function logPicture(view: LogView): unknown {
  return {
    spanId: view.spanId,
    eventName: view.eventName,
    body: view.body,
    severity: view.severityNumber,
    dropped: view.droppedAttributes,
    time: view.timeUnixMs,
    scope: view.scopeName,
    resource: attributesOf(view.resource),
    attributes: attributesOf(view),
  };
}

export function batchPicture(batch: Batch): unknown {
  return {
    spans: Array.from({ length: batch.spanCount }, (_, row) => spanPicture(viewSpan(batch, row, []))),
    logs: Array.from({ length: batch.logCount }, (_, row) => logPicture(viewLog(batch, row))),
  };
}

interface DecodedValue {
  /** Which of the following is set. */
  readonly value?: string;
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly bytesValue?: Uint8Array;
  readonly arrayValue?: { readonly values?: readonly DecodedValue[] };
  readonly kvlistValue?: { readonly values?: readonly DecodedPair[] };
}

interface DecodedPair {
  readonly key: string;
  readonly value?: DecodedValue | null;
}

interface DecodedLink {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
}

interface DecodedSpan extends DecodedLink {
  readonly parentSpanId: Uint8Array;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
  readonly status?: { readonly code: number; readonly message: string } | null;
  readonly attributes?: readonly DecodedPair[];
  readonly events?: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly droppedAttributesCount: number;
    readonly attributes?: readonly DecodedPair[];
  }[];
  readonly links?: readonly DecodedLink[];
}

interface DecodedLog extends DecodedLink {
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  readonly severityNumber: number;
  readonly droppedAttributesCount: number;
  readonly eventName: string;
  readonly body?: DecodedValue | null;
  readonly attributes?: readonly DecodedPair[];
}

interface Context {
  readonly resource?: { readonly attributes?: readonly DecodedPair[] } | null | undefined;
  readonly scope?: { readonly name: string; readonly version: string } | null | undefined;
}

const OPTIONS = { longs: String, defaults: true, oneofs: true, enums: Number } as const;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function milliseconds(nano: string): number {
  const value = BigInt(nano);
  return Number(value / 1_000_000n) + Number(value % 1_000_000n) / 1e6;
}

function valueOf(any: DecodedValue | null | undefined): JsonValue | undefined {
  if (any === null || any === undefined) return undefined;
  switch (any.value ?? "") {
    case "stringValue":
      return any.stringValue;
    case "boolValue":
      return any.boolValue;
    case "intValue":
      return Number.isSafeInteger(Number(any.intValue)) ? Number(any.intValue) : any.intValue;
    case "doubleValue":
      return Number.isFinite(any.doubleValue) ? any.doubleValue : String(any.doubleValue);
    case "bytesValue":
      return Buffer.from(any.bytesValue ?? []).toString("base64");
    case "arrayValue":
      return (any.arrayValue?.values ?? []).map((value) => valueOf(value) ?? null);
    case "kvlistValue":
      return mapOf(any.kvlistValue?.values ?? []);
    default:
      return undefined;
  }
}

function mapOf(pairs: readonly DecodedPair[]): JsonValue {
  const map = Object.create(null) as Record<string, JsonValue>;
  for (const pair of pairs) map[pair.key] = valueOf(pair.value) ?? null;
  return map;
}

function pairsOf(pairs: readonly DecodedPair[] | undefined): Attributes {
  const last = new Map<string, JsonValue | undefined>();
  for (const pair of pairs ?? []) last.set(pair.key, valueOf(pair.value));
  return [...last];
}

function parentOf(id: Uint8Array): string | undefined {
  if (id.every((byte) => byte === 0) && (id.length === 0 || id.length === 8)) return undefined;
  return id.length === 8 ? hex(id) : "f".repeat(16);
}

function decodedSpan(span: DecodedSpan, { resource, scope }: Context): unknown {
  const start = milliseconds(span.startTimeUnixNano);
  const usable = (span.links ?? []).filter((link) => link.traceId.length === 16 && link.spanId.length === 8);
  return {
    ids: [hex(span.traceId), hex(span.spanId), parentOf(span.parentSpanId)],
    name: span.name,
    kind: span.kind,
    status: [span.status?.code ?? 0, span.status?.message ?? ""],
    times: [start, Math.max(start, milliseconds(span.endTimeUnixNano))],
    scope: [scope?.name ?? "", scope?.version ?? ""],
    resource: pairsOf(resource?.attributes),
    attributes: pairsOf(span.attributes),
    dropped: [
      span.droppedAttributesCount,
      span.droppedEventsCount,
      span.droppedLinksCount,
      ...(span.events ?? []).map((event) => event.droppedAttributesCount),
    ].reduce((sum, count) => Math.min(sum + count, 0xffff_ffff), 0),
    events: (span.events ?? []).map((event) => [
      event.name,
      milliseconds(event.timeUnixNano),
      pairsOf(event.attributes),
    ]),
    links: usable.map((link) => [hex(link.traceId), hex(link.spanId)]),
  };
}

function decodedLog(log: DecodedLog, { resource, scope }: Context): unknown {
  const attributes = pairsOf(log.attributes);
  const named = attributes.find(([name, value]) => name === "event.name" && typeof value === "string");
  return {
    spanId: log.spanId.length === 8 && log.spanId.some((byte) => byte !== 0) ? hex(log.spanId) : undefined,
    eventName: log.eventName || (named?.[1] ?? ""),
    body: valueOf(log.body),
    severity: log.severityNumber,
    dropped: log.droppedAttributesCount,
    time: milliseconds(log.timeUnixNano === "0" ? log.observedTimeUnixNano : log.timeUnixNano),
    scope: scope?.name ?? "",
    resource: pairsOf(resource?.attributes),
    attributes,
  };
}

interface DecodedTraces {
  readonly resourceSpans?: readonly (Context & {
    readonly scopeSpans?: readonly (Context & { readonly spans?: readonly DecodedSpan[] })[];
  })[];
}

interface DecodedLogs {
  readonly resourceLogs?: readonly (Context & {
    readonly scopeLogs?: readonly (Context & { readonly logRecords?: readonly DecodedLog[] })[];
  })[];
}

/** What protobufjs makes of a body of spans; throws when it cannot read it. */
export function oracleTraces(body: Uint8Array): unknown {
  const data = TracesData.toObject(TracesData.decode(Buffer.from(body)), OPTIONS) as DecodedTraces;
  const spans = (data.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) =>
    (scopeSpans ?? []).flatMap(({ scope, spans }) =>
      (spans ?? []).map((span) => decodedSpan(span, { resource, scope })),
    ),
  );
  return { spans, logs: [] };
}

/** The same for a body of log records. */
export function oracleLogs(body: Uint8Array): unknown {
  const data = LogsData.toObject(LogsData.decode(Buffer.from(body)), OPTIONS) as DecodedLogs;
  const logs = (data.resourceLogs ?? []).flatMap(({ resource, scopeLogs }) =>
    (scopeLogs ?? []).flatMap(({ scope, logRecords }) =>
      (logRecords ?? []).map((log) => decodedLog(log, { resource, scope })),
    ),
  );
  return { spans: [], logs };
}
