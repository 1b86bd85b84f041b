/* The same OTLP/JSON documents as other stores give them out, written from what those stores document. */

type Value = Record<string, unknown>;
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly events?: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly attributes?: readonly Attribute[];
  }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}
export interface Document {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly scope?: { readonly name?: string; readonly version?: string };
      readonly spans: readonly Span[];
    }[];
  }[];
}

interface Placed {
  readonly span: Span;
  readonly resource: readonly Attribute[];
  readonly scope: { readonly name?: string; readonly version?: string };
}

function placed(documents: readonly Document[]): Placed[] {
  return documents.flatMap(({ resourceSpans = [] }) =>
    resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ scope = {}, spans }) =>
        spans.map((span) => ({ span, resource: resource?.attributes ?? [], scope })),
      ),
    ),
  );
}

function plain(value: Value): unknown {
  const [[kind, content] = ["", null]] = Object.entries(value);
  if (kind === "intValue") return Number(content);
  if (kind === "arrayValue") return ((content as { values?: Value[] }).values ?? []).map(plain);
  if (kind === "kvlistValue") return plainObject((content as { values?: Attribute[] }).values ?? []);
  return content;
}

function plainObject(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

const microseconds = (nanos: string): number => Number(BigInt(nanos) / 1000n);
const date = (nanos: string): string =>
  `${new Date(Number(BigInt(nanos) / 1_000_000n)).toISOString().slice(0, -1)}${String(
    BigInt(nanos) % 1_000_000n,
  )
    .padStart(6, "0")
    .slice(0, 3)}+00:00`;

function groups<Item>(items: readonly Item[], key: (item: Item) => string): Item[][] {
  const found = new Map<string, Item[]>();
  for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  return [...found.values()];
}

/** Tempo's /api/traces/ID (`batches`) or /api/v2/traces/ID (`trace`) : one trace, ids in base64, enums by name. */
export function tempo(documents: readonly Document[], form: "v1" | "v2"): object {
  const text = JSON.stringify(
    documents.flatMap(({ resourceSpans = [] }) => resourceSpans),
    (key, value: unknown) => {
      if (/^(traceId|spanId|parentSpanId)$/.test(key))
        return Buffer.from(String(value), "hex").toString("base64");
      if (key === "kind")
        return `SPAN_KIND_${["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"][Number(value)] ?? ""}`;
      if (key === "code") return `STATUS_CODE_${["UNSET", "OK", "ERROR"][Number(value)] ?? ""}`;
      return value;
    },
  );
  const containers = JSON.parse(text) as unknown;
  return form === "v1" ? { batches: containers } : { trace: { resourceSpans: containers }, metrics: {} };
}

const KINDS = ["", "internal", "server", "client", "producer", "consumer"];

/** What Jaeger's interface saves: tags for all that OpenTelemetry knows, lists as JSON text. */
export function jaeger(documents: readonly Document[]): object {
  const data = groups(placed(documents), ({ span }) => span.traceId).map((spans, at) => ({
    traceID: spans[0]?.span.traceId.replace(/^0+/, ""),
    spans: spans.map((one) => jaegerSpan(one, `p${at}`)),
    processes: Object.fromEntries(
      spans.map(({ resource }) => [
        `p${at}`,
        {
          serviceName: plainObject(resource)["service.name"] ?? "",
          tags: resource.filter(({ key }) => key !== "service.name").map(tag),
        },
      ]),
    ),
    warnings: null,
  }));
  return { data, total: 0, limit: 0, offset: 0, errors: null };
}

function jaegerSpan({ span, scope }: Placed, processID: string): object {
  const { traceId: traceID, spanId: spanID, parentSpanId = "", status = {} } = span;
  const text = (key: string, content: string): object => ({ key, type: "string", value: content });
  return {
    traceID,
    spanID,
    operationName: span.name,
    references: parentSpanId === "" ? [] : [{ refType: "CHILD_OF", traceID, spanID: parentSpanId }],
    startTime: microseconds(span.startTimeUnixNano),
    duration: microseconds(span.endTimeUnixNano) - microseconds(span.startTimeUnixNano),
    tags: [
      ...(span.attributes ?? []).map(tag),
      ...(scope.name === undefined ? [] : [text("otel.scope.name", scope.name)]),
      text("span.kind", KINDS[span.kind ?? 1] ?? "internal"),
      ...(status.code === 2
        ? [text("otel.status_code", "ERROR"), { key: "error", type: "bool", value: true }]
        : []),
      ...(status.message === undefined ? [] : [text("otel.status_description", status.message)]),
    ],
    logs: (span.events ?? []).map(({ name, timeUnixNano, attributes = [] }) => ({
      timestamp: microseconds(timeUnixNano),
      fields: [text("event", name), ...attributes.map(tag)],
    })),
    processID,
    warnings: null,
  };
}

function tag({ key, value }: Attribute): object {
  const kind = Object.keys(value)[0] ?? "";
  const type = { intValue: "int64", doubleValue: "float64", boolValue: "bool" }[kind] ?? "string";
  const content = plain(value);
  return { key, type, value: typeof content === "object" ? JSON.stringify(content) : content };
}

/** Phoenix's /v1/projects/P/spans. */
export function phoenix(documents: readonly Document[]): object {
  const data = placed(documents).map(({ span }) => {
    const { "openinference.span.kind": kind = "UNKNOWN", ...attributes } = plainObject(span.attributes ?? []);
    return {
      id: `U3Bhbjo${span.spanId}`,
      name: span.name,
      context: { trace_id: span.traceId, span_id: span.spanId },
      span_kind: kind,
      parent_id: span.parentSpanId || null,
      start_time: date(span.startTimeUnixNano),
      end_time: date(span.endTimeUnixNano),
      status_code: ["UNSET", "OK", "ERROR"][span.status?.code ?? 0],
      status_message: span.status?.message ?? "",
      attributes,
      events: (span.events ?? []).map(({ name, timeUnixNano, attributes: own = [] }) => ({
        name,
        timestamp: date(timeUnixNano),
        attributes: plainObject(own),
      })),
    };
  });
  return { next_cursor: null, data };
}

/** Phoenix's /v1/projects/P/spans/otlpv1: OTLP's spans by themselves, in snake case, times as numbers. */
export function phoenixOtlp(documents: readonly Document[]): object {
  const data = placed(documents).map(({ span }) => ({
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId || null,
    name: span.name,
    start_time_unix_nano: Number(span.startTimeUnixNano),
    end_time_unix_nano: Number(span.endTimeUnixNano),
    attributes: JSON.parse(
      JSON.stringify(span.attributes ?? []).replaceAll(
        /"(string|int|double|bool|array)Value"/g,
        '"$1_value"',
      ),
    ) as unknown,
    events: null,
    links: null,
    status: { code: span.status?.code ?? 0, message: null },
  }));
  return { next_cursor: null, data };
}

/** MLflow's spans of a trace, as its interface downloads them: ids in base64, values as JSON, but texts that are JSON as they are. */
export function mlflow(documents: readonly Document[]): object {
  const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");
  const spans = placed(documents).map(({ span }) => ({
    trace_id: base64(span.traceId),
    span_id: base64(span.spanId),
    parent_span_id: span.parentSpanId ? base64(span.parentSpanId) : null,
    name: span.name,
    start_time_unix_nano: Number(span.startTimeUnixNano),
    end_time_unix_nano: Number(span.endTimeUnixNano),
    events: (span.events ?? []).map(({ name, timeUnixNano, attributes: own = [] }) => ({
      name,
      time_unix_nano: Number(timeUnixNano),
      attributes: mlflowValues(own),
    })),
    status: { code: `STATUS_CODE_${["UNSET", "OK", "ERROR"][span.status?.code ?? 0] ?? ""}`, message: "" },
    attributes: {
      ...mlflowValues(span.attributes ?? []),
      "mlflow.spanType": '"UNKNOWN"',
      "mlflow.spanInputs": "{}",
    },
  }));
  return { spans };
}

function mlflowValues(attributes: readonly Attribute[]): Record<string, string> {
  const values = Object.entries(plainObject(attributes)).map(([key, value]) => [
    key,
    typeof value === "string" && /^[[{]/.test(value) ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(values) as Record<string, string>;
}

/** Rows of the table that the Collector's ClickHouse exporter writes: every attribute is a text. */
export function clickhouse(documents: readonly Document[]): object[] {
  const texts = (attributes: readonly Attribute[] = []): Record<string, string> =>
    Object.fromEntries(
      Object.entries(plainObject(attributes)).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    );
  return placed(documents).map(({ span, resource, scope }) => ({
    Timestamp: span.startTimeUnixNano,
    TraceId: span.traceId,
    SpanId: span.spanId,
    ParentSpanId: span.parentSpanId ?? "",
    SpanName: span.name,
    SpanKind: KINDS[span.kind ?? 1]?.replace(/^./, (first) => first.toUpperCase()) ?? "",
    ServiceName: plainObject(resource)["service.name"] ?? "",
    ResourceAttributes: texts(resource),
    ScopeName: scope.name ?? "",
    ScopeVersion: scope.version ?? "",
    SpanAttributes: texts(span.attributes),
    Duration: String(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)),
    StatusCode: ["Unset", "Ok", "Error"][span.status?.code ?? 0],
    StatusMessage: span.status?.message ?? "",
    "Events.Timestamp": (span.events ?? []).map(({ timeUnixNano }) => timeUnixNano),
    "Events.Name": (span.events ?? []).map(({ name }) => name),
    "Events.Attributes": (span.events ?? []).map(({ attributes }) => texts(attributes)),
    "Links.TraceId": [],
    "Links.SpanId": [],
  }));
}

/** Langfuse's trace download: what was sent in fields of its own; of other instrumentations it keeps the attributes as texts, too. */
export function langfuse(documents: readonly Document[]): object {
  const observations = placed(documents).map(({ span, resource, scope }) => ({
    id: span.spanId,
    traceId: span.traceId,
    parentObservationId: span.parentSpanId || null,
    name: span.name,
    startTime: milliseconds(span.startTimeUnixNano),
    endTime: milliseconds(span.endTimeUnixNano),
    level: span.status?.code === 2 ? "ERROR" : "DEFAULT",
    statusMessage: span.status?.message ?? null,
    modelParameters: {},
    costDetails: {},
    ...(scope.name === "langfuse-sdk" || scope.name?.includes("langfuse")
      ? ownFields(plainObject(span.attributes ?? []), resource, scope)
      : otherFields(plainObject(span.attributes ?? []), resource, scope)),
  }));
  return { observations, scores: [] };
}

const milliseconds = (nanos: string): string => new Date(Number(BigInt(nanos) / 1_000_000n)).toISOString();

type Fields = Record<string, unknown>;

function ownFields(attributes: Fields, resource: readonly Attribute[], scope: Placed["scope"]): object {
  const prefix = "langfuse.observation.";
  const get = (name: string): unknown => parsed(attributes[`${prefix}${name}`]);
  const metadata = Object.entries(attributes).flatMap(([key, value]) =>
    key.startsWith(`${prefix}metadata.`) ? [[key.slice(prefix.length + "metadata.".length), value]] : [],
  );
  return {
    type: JSON.stringify(get("type") ?? "span")
      .slice(1, -1)
      .toUpperCase(),
    model: attributes[`${prefix}model.name`] ?? null,
    usageDetails: get("usage_details") ?? {},
    sessionId: attributes["session.id"] ?? null,
    input: get("input"),
    output: get("output"),
    metadata: {
      resourceAttributes: plainObject(resource),
      scope,
      ...(Object.fromEntries(metadata) as Fields),
    },
  };
}

const types: Record<string, string> = {
  chat: "GENERATION",
  execute_tool: "TOOL",
  invoke_agent: "AGENT",
  LLM: "GENERATION",
  TOOL: "TOOL",
  AGENT: "AGENT",
  CHAIN: "CHAIN",
  RETRIEVER: "RETRIEVER",
};

/** Attributes that Langfuse takes out as input and output. */
const taken =
  /^(?:input\.value|output\.value|gen_ai\.(?:input|output)\.messages|gen_ai\.tool\.call\.(?:arguments|result)|llm\.(?:input|output)_messages.*|gen_ai\.(?:prompt|completion).*)$/;

function otherFields(attributes: Fields, resource: readonly Attribute[], scope: Placed["scope"]): object {
  const named = attributes["gen_ai.operation.name"] ?? attributes["openinference.span.kind"];
  const kind = typeof named === "string" ? named : "";
  const first = (...names: readonly string[]): unknown =>
    parsed(names.map((name) => attributes[name]).find(Boolean));
  const texts = Object.entries(attributes)
    .filter(([key]) => !taken.test(key))
    .map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]);
  return {
    type: types[kind] ?? "SPAN",
    model: first("gen_ai.response.model", "gen_ai.request.model", "llm.model_name") ?? null,
    usageDetails: {},
    sessionId: null,
    input: first("input.value", "gen_ai.input.messages", "gen_ai.tool.call.arguments"),
    output: first("output.value", "gen_ai.output.messages", "gen_ai.tool.call.result"),
    metadata: {
      attributes: Object.fromEntries(texts) as Fields,
      resourceAttributes: plainObject(resource),
      scope,
    },
  };
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value ?? null;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Spans as Python's SDK prints them: ids with 0x, dates, enums by name. The scope is not printed. */
export function pythonSdk(documents: readonly Document[]): object[] {
  return placed(documents).map(({ span, resource }) => ({
    name: span.name,
    context: { trace_id: `0x${span.traceId}`, span_id: `0x${span.spanId}`, trace_state: "[]" },
    kind: ["", "SpanKind.INTERNAL", "SpanKind.SERVER", "SpanKind.CLIENT"][span.kind ?? 1],
    parent_id: span.parentSpanId === undefined ? null : `0x${span.parentSpanId}`,
    start_time: date(span.startTimeUnixNano).replace("+00:00", "Z"),
    end_time: date(span.endTimeUnixNano).replace("+00:00", "Z"),
    status: { status_code: ["UNSET", "OK", "ERROR"][span.status?.code ?? 0] },
    attributes: plainObject(span.attributes ?? []),
    events: (span.events ?? []).map(({ name, timeUnixNano, attributes = [] }) => ({
      name,
      timestamp: date(timeUnixNano).replace("+00:00", "Z"),
      attributes: plainObject(attributes),
    })),
    links: [],
    resource: { attributes: plainObject(resource), schema_url: "" },
  }));
}

/** CloudWatch's log group of spans, as its API returns it: a message with one span, attributes as an object, times as numbers. */
export function cloudwatch(documents: readonly Document[]): object {
  const events = placed(documents).map(({ span, resource, scope }) => ({
    logStreamName: "default",
    timestamp: microseconds(span.startTimeUnixNano) / 1000,
    message: JSON.stringify({
      resource: { attributes: plainObject(resource) },
      scope,
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId,
      name: span.name,
      kind: ["", "INTERNAL", "SERVER", "CLIENT"][span.kind ?? 1],
      startTimeUnixNano: "start",
      endTimeUnixNano: "end",
      attributes: plainObject(span.attributes ?? []),
      events: (span.events ?? []).map(({ name, timeUnixNano, attributes = [] }) => ({
        name,
        timeUnixNano,
        attributes: plainObject(attributes),
      })),
      status: { code: ["UNSET", "OK", "ERROR"][span.status?.code ?? 0] },
    })
      .replace('"start"', span.startTimeUnixNano)
      .replace('"end"', span.endTimeUnixNano),
  }));
  return { events };
}
