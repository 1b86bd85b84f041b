import protobuf from "protobufjs";

/** A span as both encodings hold it; ids as hex, times in milliseconds. */
export interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** An agent's run: a root that answers a question, and tools that were called below it. */
export interface AgentTrace {
  readonly traceId: string;
  readonly root: PlainSpan;
  readonly tools: readonly PlainSpan[];
}

const EPOCH_MS = 1_760_000_000_000;

/**
 * The n-th trace of a series; all ids are made of `series` and `n`. Two series share no span id either, as of random ids: some backends (Phoenix)
 * keep one span of each id, whatever its trace.
 */
export function agentTrace(series: number, n: number, tools: number, padding = 0): AgentTrace {
  const traceId = hex(series, 16) + hex(n, 16);
  const startMs = EPOCH_MS + n * 10;
  const spanId = (index: number): string => hex(series % 2 ** 32, 8) + hex(n * 100 + index + 1, 8);
  const span = (index: number, name: string, attributes: Record<string, string>): PlainSpan => ({
    traceId,
    spanId: spanId(index),
    parentSpanId: index === 0 ? null : spanId(0),
    name,
    startMs: startMs + index,
    endMs: startMs + index + (index === 0 ? 1000 : 1),
    attributes,
  });
  const messages = (role: string, content: string): string =>
    JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
  return {
    traceId,
    root: span(0, "invoke_agent chaos", {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "chaos",
      "gen_ai.input.messages": messages("user", `question ${traceId}`),
      "gen_ai.output.messages": messages("assistant", `answer ${n}`),
    }),
    tools: Array.from({ length: tools }, (_, index) =>
      span(index + 1, "execute_tool look_up", {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look_up",
        "gen_ai.tool.call.id": `call ${n} ${index}`,
        "gen_ai.tool.call.arguments": `{"n": ${index}}`,
        "gen_ai.tool.call.result": `found ${"x".repeat(padding)}`,
      }),
    ),
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

export function requestAsJson(spans: readonly PlainSpan[]): Uint8Array {
  const written = spans.map((span) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: 1,
    startTimeUnixNano: `${span.startMs}000000`,
    endTimeUnixNano: `${span.endMs}000000`,
    attributes: Object.entries(span.attributes).map(([key, stringValue]) => ({
      key,
      value: { stringValue },
    })),
  }));
  const resource = { attributes: [{ key: "service.name", value: { stringValue: "chaos" } }] };
  return Buffer.from(JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: written }] }] }));
}

/** Fields are named by their numbers in the OTLP schema. */
export function requestAsProtobuf(spans: readonly PlainSpan[]): Uint8Array {
  const request = protobuf.Writer.create();
  request.uint32(tag(1)).fork();
  request.uint32(tag(1)).fork();
  writeAttribute(request, 1, "service.name", "chaos");
  request.ldelim();
  request.uint32(tag(2)).fork();
  for (const span of spans) writeSpan(request, span);
  request.ldelim().ldelim();
  return request.finish();
}

function writeSpan(writer: protobuf.Writer, span: PlainSpan): void {
  writer.uint32(tag(2)).fork();
  writer.uint32(tag(1)).bytes(Buffer.from(span.traceId, "hex"));
  writer.uint32(tag(2)).bytes(Buffer.from(span.spanId, "hex"));
  if (span.parentSpanId !== null) writer.uint32(tag(4)).bytes(Buffer.from(span.parentSpanId, "hex"));
  writer.uint32(tag(5)).string(span.name);
  writeNanos(writer, 7, span.startMs);
  writeNanos(writer, 8, span.endMs);
  for (const [key, value] of Object.entries(span.attributes)) writeAttribute(writer, 9, key, value);
  writer.ldelim();
}

function writeAttribute(writer: protobuf.Writer, field: number, key: string, value: string): void {
  writer.uint32(tag(field)).fork().uint32(tag(1)).string(key);
  writer.uint32(tag(2)).fork().uint32(tag(1)).string(value).ldelim().ldelim();
}

function writeNanos(writer: protobuf.Writer, field: number, ms: number): void {
  const nanos = BigInt(ms) * 1_000_000n;
  writer
    .uint32((field << 3) | 1)
    .fixed32(Number(nanos & 0xffffffffn))
    .fixed32(Number(nanos >> 32n));
}

/** A length-delimited field. */
function tag(field: number): number {
  return (field << 3) | 2;
}
