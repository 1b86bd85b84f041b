import { createHash } from "node:crypto";
import type { ExportRequest, Json } from "../../../bench/data/real/recordings.ts";

/** A change of a recording to what another application, exporter or machine would have sent for the same run. */
export interface Mutation {
  readonly name: string;
  readonly requests: (requests: readonly ExportRequest[], truth: Json) => ExportRequest[];
  /** Restores the texts of the truth in the printed run. */
  readonly restore?: (line: string, truth: Json) => string;
}

type Attribute = { key: string; value: Json };
/** A span or log record, which a mutation changes in place. */
type Item = Record<string, unknown> & { attributes?: Attribute[] };

const otherWords = "今日の状況を短く教えてください。よろしくお願いします。";
const otherService = "renamed-";

export const mutations: readonly Mutation[] = [
  { name: "as recorded", requests: (requests) => [...requests] },
  {
    name: "other service name",
    requests: mapped({
      resource: (resource) => {
        for (const { key, value } of resource.attributes ?? [])
          if (key === "service.name" && typeof value["stringValue"] === "string")
            (value as Record<string, unknown>)["stringValue"] = otherService + value["stringValue"];
      },
    }),
    restore: (line) => line.replaceAll(otherService, ""),
  },
  { name: "no scope names", requests: mapped({ scope: (scope) => delete scope["name"] }) },
  { name: "attributes reversed", requests: mapped({ item: (item) => void item.attributes?.reverse() }) },
  { name: "other ids", requests: mapped({ item: withOtherIds }) },
  { name: "clock of milliseconds", requests: mapped({ item: inMilliseconds }) },
  {
    name: "another language",
    requests: (requests, truth) => replaced(requests, queryOf(truth), otherWords),
    restore: (line, truth) => line.replaceAll(escaped(otherWords, 1), escaped(queryOf(truth), 1)),
  },
  {
    name: "structured values",
    requests: mapped({
      item: (item) => {
        for (const one of item.attributes ?? []) one.value = structured(one.value);
      },
    }),
  },
  {
    name: "values as JSON",
    requests: mapped({
      item: (item) => {
        for (const one of item.attributes ?? []) one.value = asText(one.value);
      },
    }),
  },
  {
    name: "remote parent",
    requests: mapped({
      item: (item) => {
        if (item["spanId"] !== undefined && !item["parentSpanId"] && item["startTimeUnixNano"] !== undefined)
          item["parentSpanId"] = hashed(`${String(item["traceId"])} caller`, 16);
      },
    }),
  },
  {
    name: "server span above",
    requests: (requests) => addSpans(requests, serverSpans),
  },
  {
    name: "requests below",
    requests: (requests) => addSpans(requests, requestSpans),
  },
  {
    name: "attributes of the app",
    requests: mapped({
      item: (item) => {
        if (item["startTimeUnixNano"] !== undefined) (item.attributes ??= []).push(...ownAttributes());
      },
    }),
  },
  { name: "unknown keys", requests: mapped(withUnknownKeys((key) => key !== "service.name")) },
  { name: "unknown keys and service", requests: mapped(withUnknownKeys(() => true)) },
];

interface Changes {
  readonly resource?: (resource: Item) => void;
  readonly scope?: (scope: Record<string, unknown>) => void;
  readonly item?: (item: Item) => void;
}

function mapped(changes: Changes): Mutation["requests"] {
  return (requests) =>
    requests.map(({ signal, document }) => {
      const copy = structuredClone(document) as Record<string, unknown>;
      for (const byResource of list(copy, signal === "traces" ? "resourceSpans" : "resourceLogs")) {
        if (byResource["resource"] !== undefined) changes.resource?.(byResource["resource"] as Item);
        for (const byScope of list(byResource, signal === "traces" ? "scopeSpans" : "scopeLogs")) {
          if (byScope["scope"] !== undefined) changes.scope?.(byScope["scope"] as Record<string, unknown>);
          for (const item of list(byScope, signal === "traces" ? "spans" : "logRecords"))
            changes.item?.(item);
        }
      }
      return { signal, document: copy };
    });
}

/** Makes the keys unknown to the reader: replaces the first segment of each key by a word without meaning. Keys with one segment stay. */
function withUnknownKeys(isReplaced: (key: string) => boolean): Changes {
  const rename = (holder: Record<string, unknown>): void => {
    for (const one of (holder as Item).attributes ?? [])
      if (isReplaced(one.key)) one.key = one.key.replace(/^[^.:/]+(?=[.:/])/, "qorvex");
    for (const event of list(holder, "events")) rename(event);
  };
  return { resource: rename, scope: rename, item: rename };
}

function list(from: Json, name: string): Record<string, unknown>[] {
  return (from[name] ?? []) as Record<string, unknown>[];
}

function hashed(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

function withOtherIds(item: Item): void {
  for (const [name, length] of [
    ["traceId", 32],
    ["spanId", 16],
    ["parentSpanId", 16],
  ] as const)
    if (typeof item[name] === "string" && item[name] !== "") item[name] = hashed(item[name], length);
  for (const link of list(item, "links")) withOtherIds(link);
}

function inMilliseconds(item: Item): void {
  for (const name of ["startTimeUnixNano", "endTimeUnixNano", "timeUnixNano"])
    if (typeof item[name] === "string" && item[name] !== "")
      item[name] = String((BigInt(item[name]) / 1_000_000n) * 1_000_000n);
  for (const event of list(item, "events")) inMilliseconds(event);
}

function queryOf(truth: Json): string {
  return typeof truth["query"] === "string" ? truth["query"] : "";
}

/** The text with JSON escapes, applied `times` times. */
function escaped(text: string, times: number): string {
  return times === 0 ? text : escaped(JSON.stringify(text).slice(1, -1), times - 1);
}

function replaced(requests: readonly ExportRequest[], text: string, other: string): ExportRequest[] {
  if (text.length < 8) return [...requests];
  return requests.map(({ signal, document }) => {
    let json = JSON.stringify(document);
    for (const times of [4, 3, 2, 1]) json = json.replaceAll(escaped(text, times), other);
    return { signal, document: JSON.parse(json) as Json };
  });
}

/** Replaces a text that contains a JSON object or list by its value. */
function structured(value: Json): Json {
  const text = value["stringValue"];
  if (typeof text !== "string" || !/^\s*[[{]/.test(text)) return value;
  try {
    return anyValue(JSON.parse(text));
  } catch {
    return value;
  }
}

function anyValue(value: unknown): Json {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value !== "object" || value === null) return {};
  const values = Object.entries(value).map(([key, inner]) => ({ key, value: anyValue(inner) }));
  return { kvlistValue: { values } };
}

/** Replaces a list or map by its JSON text. */
function asText(value: Json): Json {
  if (value["arrayValue"] === undefined && value["kvlistValue"] === undefined) return value;
  return { stringValue: JSON.stringify(plain(value)) };
}

function plain(value: Json): unknown {
  if (value["arrayValue"] !== undefined) return list(value["arrayValue"] as Json, "values").map(plain);
  if (value["kvlistValue"] !== undefined)
    return Object.fromEntries(
      list(value["kvlistValue"] as Json, "values").map((one) => [one["key"], plain(one["value"] as Json)]),
    );
  return value["intValue"] === undefined ? (Object.values(value)[0] ?? null) : Number(value["intValue"]);
}

function text(key: string, value: string): Attribute {
  return { key, value: { stringValue: value } };
}

/** Attributes that applications add to each span. */
function ownAttributes(): Attribute[] {
  return [
    text("app.tenant", "north"),
    text("app.release", "2026.11.2"),
    text("app.request.id", "0f3c9a"),
    text("app.feature.state", "enabled"),
    text("user.email", "a@example.com"),
    text("app.output.format", "markdown"),
    text("app.task.kind", "interactive"),
    { key: "app.retry.count", value: { intValue: "0" } },
    { key: "app.payload.size", value: { intValue: "1211" } },
  ];
}

interface Placed {
  readonly span: Item;
  readonly isLeaf: boolean;
}

/** Adds spans of another instrumentation in a separate request. */
function addSpans(
  requests: readonly ExportRequest[],
  make: (spans: readonly Placed[]) => Item[],
): ExportRequest[] {
  const copies = mapped({})(requests, {});
  const all = copies.flatMap(({ signal, document }) =>
    signal === "logs"
      ? []
      : list(document, "resourceSpans").flatMap((byResource) =>
          list(byResource, "scopeSpans").flatMap((byScope) => list(byScope, "spans") as Item[]),
        ),
  );
  const parents = new Set(all.map((span) => span["parentSpanId"]));
  const added = make(all.map((span) => ({ span, isLeaf: !parents.has(span["spanId"]) })));
  const [first] = copies.filter(({ signal }) => signal === "traces");
  if (first === undefined || added.length === 0) return copies;
  const resource = list(first.document, "resourceSpans")[0]?.["resource"];
  const scopeSpans = [{ scope: { name: "net-instrumentation" }, spans: added }];
  return [...copies, { signal: "traces", document: { resourceSpans: [{ resource, scopeSpans }] } }];
}

/** The span of the server that handles the request of the trace. */
function serverSpans(spans: readonly Placed[]): Item[] {
  const byTrace = new Map<unknown, Item[]>();
  for (const { span } of spans) byTrace.set(span["traceId"], [...(byTrace.get(span["traceId"]) ?? []), span]);
  return [...byTrace].flatMap(([traceId, own]) => {
    const roots = own.filter((span) => !span["parentSpanId"]);
    if (roots.length === 0) return [];
    const spanId = hashed(`${String(traceId)} server`, 16);
    for (const root of roots) root["parentSpanId"] = spanId;
    const times = (name: string): bigint[] => own.map((span) => BigInt((span[name] ?? "0") as string));
    const start = times("startTimeUnixNano").reduce((a, b) => (a < b ? a : b)) - 1_500_000n;
    const end = times("endTimeUnixNano").reduce((a, b) => (a > b ? a : b)) + 1_500_000n;
    return [
      {
        traceId,
        spanId,
        name: "POST /chat",
        kind: 2,
        startTimeUnixNano: String(start),
        endTimeUnixNano: String(end),
        attributes: [
          text("http.request.method", "POST"),
          text("url.path", "/chat"),
          text("http.route", "/chat"),
          { key: "http.response.status_code", value: { intValue: "200" } },
        ],
      },
    ];
  });
}

/** Adds a client request or a database query below each span without children. */
function requestSpans(spans: readonly Placed[]): Item[] {
  return spans.flatMap(({ span, isLeaf }, at) => {
    if (!isLeaf || span["endTimeUnixNano"] === undefined) return [];
    const isQuery = at % 2 === 0;
    return [
      {
        traceId: span["traceId"],
        spanId: hashed(`${String(span["spanId"])} below`, 16),
        parentSpanId: span["spanId"],
        name: isQuery ? "SELECT inventory" : "POST",
        kind: 3,
        startTimeUnixNano: span["startTimeUnixNano"],
        endTimeUnixNano: span["endTimeUnixNano"],
        attributes: isQuery
          ? [text("db.system.name", "postgresql"), text("db.query.text", "SELECT * FROM inventory")]
          : [text("http.request.method", "POST"), text("server.address", "api.example.com")],
      },
    ];
  });
}
