/** A span in OTLP/JSON: ids are hexadecimal, 64-bit numbers are decimal strings. */
export type Span = Readonly<Record<string, unknown>>;
export type TraceRequest = Readonly<Record<string, unknown>>;
export type Value = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, Value>>;

/** The fields of a generated span. */
export interface Draft {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startNano: bigint;
  readonly endNano: bigint;
  readonly attributes: Attributes;
  readonly events?: readonly Span[];
  readonly status?: object;
}

export function spanOf({ startNano, endNano, attributes, ...rest }: Draft): Span {
  return {
    parentSpanId: "",
    flags: 257,
    kind: 1,
    status: {},
    ...rest,
    startTimeUnixNano: String(startNano),
    endTimeUnixNano: String(endNano),
    attributes: attributeList(attributes),
  };
}

export function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: Value): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value !== "number") return { arrayValue: { values: value.map(anyValue) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

export function messages(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

export function requestOf(
  spans: readonly Span[],
  resource: Attributes = { "service.name": "agent-service" },
): TraceRequest {
  const scope = { name: "opentelemetry.instrumentation.openai_agents", version: "0.48b0" };
  const schemaUrl = "https://opentelemetry.io/schemas/1.37.0";
  const attributes = attributeList(resource);
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans }], schemaUrl }] };
}
