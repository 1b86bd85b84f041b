import { Buffer } from "node:buffer";
import { encode, TracesData } from "../otlp/oracle.ts";

/** A span of an OTLP/JSON document with its resource and scope. */
export interface LooseSpan {
  readonly resource: Json;
  readonly scope: Json;
  readonly span: Json;
}

export type Json = Readonly<Record<string, unknown>>;

/** All spans in OTLP/JSON lines. */
export function spansOfLines(text: string): LooseSpan[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => list(JSON.parse(line) as Json, "resourceSpans"))
    .flatMap((resourceSpans) =>
      list(resourceSpans, "scopeSpans").flatMap((scopeSpans) =>
        list(scopeSpans, "spans").map((span) => ({
          resource: (resourceSpans["resource"] ?? {}) as Json,
          scope: (scopeSpans["scope"] ?? {}) as Json,
          span,
        })),
      ),
    );
}

function document(spans: readonly LooseSpan[]): Json {
  return {
    resourceSpans: spans.map(({ resource, scope, span }) => ({
      resource,
      scopeSpans: [{ scope, spans: [span] }],
    })),
  };
}

/** The spans as one request in OTLP/JSON. */
export function asJson(spans: readonly LooseSpan[]): Uint8Array {
  return Buffer.from(JSON.stringify(document(spans)));
}

/** The spans as one request in OTLP/protobuf, encoded by protobufjs. */
export function asProtobuf(spans: readonly LooseSpan[]): Uint8Array {
  return encode(TracesData, withBytes(document(spans)) as Record<string, unknown>);
}

/** Replaces hexadecimal ids by bytes, which the encoder needs. */
export function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      /^(traceId|spanId|parentSpanId)$/.test(key) && typeof inner === "string"
        ? Buffer.from(inner, "hex")
        : withBytes(inner),
    ]),
  );
}

/** The list in this field; empty without it. */
export function list(from: Json, key: string): Json[] {
  return (from[key] ?? []) as Json[];
}
