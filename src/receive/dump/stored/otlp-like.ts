import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import { integerText } from "./stored-span.ts";

/*
 * // Reads OTLP from stores that use protobuf's own JSON mapping. Tempo writes ids in base64, and `resourceSpans` as `batches` in older
 * responses. Phoenix returns spans without their resource.
 */

const containerNames = ["resourceSpans", "resource_spans", "batches"] as const;
const idNames: ReadonlySet<string> = new Set([
  "traceId",
  "trace_id",
  "spanId",
  "span_id",
  "parentSpanId",
  "parent_span_id",
]);
/** Fields whose content is not searched for ids. */
const contents: ReadonlySet<string> = new Set(["attributes", "value", "body"]);

/** Whether the value is an OTLP document, also with Tempo's former field name `batches`. */
export function isOtlpDocument(value: JsonObject): boolean {
  return containerNames.some((name) => isArray(value[name]));
}

/** Whether the value is a single OTLP span without an envelope. */
export function isOtlpSpan(value: JsonObject): boolean {
  return (
    typeof (value["spanId"] ?? value["span_id"]) === "string" &&
    typeof (value["traceId"] ?? value["trace_id"]) === "string" &&
    (value["startTimeUnixNano"] ?? value["start_time_unix_nano"]) !== undefined
  );
}

/** Returns the document with standard field names and hex ids. */
export function plainDocument(document: JsonObject): JsonObject {
  const containers = containerNames.flatMap((name) => {
    const value = document[name];
    return isArray(value) ? value : [];
  });
  return { resourceSpans: containers.map(plain) };
}

/** Wraps spans without an envelope into an OTLP document. */
export function documentOfSpans(spans: readonly JsonObject[]): JsonObject {
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans: spans.map(plain) }] }] };
}

function plain(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      if (child === null) return [];
      if (idNames.has(key) && typeof child === "string") return [[key, hexOf(child)]];
      if (typeof child === "number" && key.toLowerCase().endsWith("nano")) return [[key, integerText(child)]];
      return [[key, contents.has(key) ? child : plain(child)]];
    }),
  );
}

/** Converts an id from base64 to hex if it has eight or sixteen bytes; returns any other text unchanged. */
function hexOf(id: string): string {
  if (/^[0-9a-f]*$/i.test(id) && [0, 16, 32].includes(id.length)) return id;
  const bytes = Buffer.from(id, "base64");
  return bytes.length === 8 || bytes.length === 16 ? bytes.toString("hex") : id;
}
