import { type HrTime, type SpanKind, TraceFlags } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { Json, LooseSpan } from "./reencode.ts";

/** Recorded spans in the form that the SDK's exporters need. */
export function sdkSpans(spans: readonly LooseSpan[]): ReadableSpan[] {
  return spans.map(({ resource, scope, span }) => {
    const traceId = String(span["traceId"]);
    const parentId = span["parentSpanId"];
    const context = (spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
    const status = (span["status"] ?? {}) as Json;
    const times = { startTime: time(span["startTimeUnixNano"]), endTime: time(span["endTimeUnixNano"]) };
    return {
      ...times,
      name: String(span["name"]),
      kind: (Number(span["kind"] ?? 1) - 1) as SpanKind,
      spanContext: () => context(String(span["spanId"])),
      ...(typeof parentId === "string" && parentId !== "" ? { parentSpanContext: context(parentId) } : {}),
      status: { code: Number(status["code"] ?? 0), ...message(status) },
      attributes: attributes(span),
      links: [],
      events: ((span["events"] ?? []) as Json[]).map((event) => ({
        name: String(event["name"]),
        time: time(event["timeUnixNano"]),
        attributes: attributes(event),
      })),
      duration: [0, 0],
      ended: true,
      resource: resourceFromAttributes(attributes(resource)),
      instrumentationScope: { name: text(scope["name"]), version: text(scope["version"]) },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    } satisfies ReadableSpan;
  });
}

function message(status: Json): { message?: string } {
  return typeof status["message"] === "string" ? { message: status["message"] } : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function time(nanos: unknown): HrTime {
  const value = BigInt(text(nanos) || 0);
  return [Number(value / 1_000_000_000n), Number(value % 1_000_000_000n)];
}

type SdkValue = string | number | boolean | string[];

function attributes(from: Json): Record<string, SdkValue> {
  const list = (from["attributes"] ?? []) as { key: string; value: Json }[];
  return Object.fromEntries(list.map(({ key, value }) => [key, attributeValue(value)]));
}

function attributeValue(value: Json): SdkValue {
  if ("intValue" in value) return Number(value["intValue"]);
  if ("arrayValue" in value) {
    const { values = [] } = value["arrayValue"] as { values?: Json[] };
    return values.map((inner) => attributeValue(inner) as string);
  }
  return (value["stringValue"] ?? value["boolValue"] ?? value["doubleValue"] ?? "") as SdkValue;
}
