type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

export type Span = ReturnType<typeof span>;
export type Attributes = Readonly<Record<string, Plain>>;

/** An OTLP/JSON span for tests: ids are short words, times are milliseconds. */
export function span(
  id: string,
  parent: string | undefined,
  name: string,
  start: number,
  end: number,
  attributes: Attributes = {},
  more: Readonly<Record<string, unknown>> & { readonly trace?: string } = {},
): Record<string, unknown> {
  return {
    traceId: hex(more.trace ?? "t", 32),
    spanId: hex(id, 16),
    ...(parent === undefined ? {} : { parentSpanId: hex(parent, 16) }),
    name,
    kind: 1,
    startTimeUnixNano: nano(start),
    endTimeUnixNano: nano(end),
    attributes: attributeList(attributes),
    ...more,
  };
}

export function event(name: string, attributes: Attributes, time = 0): Record<string, unknown> {
  return { name, timeUnixNano: nano(time), attributes: attributeList(attributes) };
}

/** A log record of the span with this id. */
export function log(
  spanId: string,
  eventName: string | undefined,
  body: Plain,
  attributes: Attributes = {},
  time = 0,
): Record<string, unknown> {
  return {
    traceId: hex("t", 32),
    spanId: hex(spanId, 16),
    ...(eventName === undefined ? {} : { eventName }),
    body: anyValue(body),
    attributes: attributeList(attributes),
    timeUnixNano: nano(time),
  };
}

export function document(
  spans: readonly Record<string, unknown>[],
  options: { scope?: string; version?: string; resource?: Attributes } = {},
): Record<string, unknown> {
  const resource = { attributes: attributeList(options.resource ?? { "service.name": "shop" }) };
  const { version } = options;
  const scope = { name: options.scope ?? "test", ...(version === undefined ? {} : { version }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
}

export function logDocument(
  logRecords: readonly Record<string, unknown>[],
  scope = "test",
  given?: Attributes,
): Record<string, unknown> {
  const resource = given === undefined ? {} : { attributes: attributeList(given) };
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: scope }, logRecords }] }] };
}

export function hex(word: string, length: number): string {
  const digits = Buffer.from(word).toString("hex");
  return digits.padStart(length, "0").slice(-length);
}

function nano(milliseconds: number): string {
  return String(1_700_000_000_000_000_000n + BigInt(Math.round(milliseconds * 1e6)));
}

function attributeList(attributes: Attributes): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: Plain): unknown {
  if (value === null) return {};
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item: Plain) => anyValue(item)) } };
  return { kvlistValue: { values: attributeList(value as Attributes) } };
}
