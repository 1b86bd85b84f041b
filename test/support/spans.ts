import { Buffer } from "node:buffer";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import type { Batch } from "../../src/otlp/rows/batch.ts";
import { encode, TracesData } from "../otlp/oracle.ts";

/** A span with numbers as ids. Times are in milliseconds since `epochMs`. */
export interface TestSpan {
  readonly trace?: number;
  readonly id: number;
  readonly parent?: number;
  readonly name?: string;
  readonly start?: number;
  readonly end?: number;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly scope?: string;
  readonly service?: string;
}

const epochMs = 1_700_000_000_000;

export function traceIdOf(n: number): string {
  return n.toString(16).padStart(32, "0");
}

export function spanIdOf(n: number): string {
  return n.toString(16).padStart(16, "0");
}

/** The spans as one export request in protobuf. */
function requestOf(spans: readonly TestSpan[]): Uint8Array {
  return encode(TracesData, {
    resourceSpans: spans.map((span) => ({
      resource: { attributes: [attribute("service.name", span.service ?? "shop")] },
      scopeSpans: [{ scope: { name: span.scope ?? "test" }, spans: [messageOf(span)] }],
    })),
  });
}

export function batchOf(spans: readonly TestSpan[]): Batch {
  const result = readTraces(requestOf(spans));
  if (!result.ok) throw new Error(result.message);
  return result.batch;
}

function messageOf(span: TestSpan): Record<string, unknown> {
  const start = span.start ?? span.id;
  return {
    traceId: Buffer.from(traceIdOf(span.trace ?? 1), "hex"),
    spanId: Buffer.from(spanIdOf(span.id), "hex"),
    ...(span.parent === undefined ? {} : { parentSpanId: Buffer.from(spanIdOf(span.parent), "hex") }),
    name: span.name ?? `span ${span.id}`,
    kind: 1,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(span.end ?? start + 1),
    attributes: Object.entries(span.attributes ?? {}).map(([name, value]) => attribute(name, value)),
  };
}

function nanos(ms: number): string {
  return `${BigInt(epochMs + ms) * 1_000_000n}`;
}

function attribute(key: string, value: string | number | boolean): Record<string, unknown> {
  if (typeof value === "string") return { key, value: { stringValue: value } };
  if (typeof value === "boolean") return { key, value: { boolValue: value } };
  return { key, value: Number.isInteger(value) ? { intValue: value } : { doubleValue: value } };
}
