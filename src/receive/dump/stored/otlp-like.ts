import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import { idOf, integerText } from "./stored-span.ts";
import { wordList } from "../../../support/structures/word-list.ts";

/*
 * Reads OTLP from stores that use protobuf's own JSON mapping. Tempo writes ids in base64, and in older responses `batches` instead of
 * `resourceSpans`. Phoenix returns spans without their resource.
 */

const containerNames = ["resourceSpans", "resource_spans", "batches"] as const;
const logNames = ["resourceLogs", "resource_logs"] as const;
const idNames: ReadonlySet<string> = new Set(
  wordList("traceId trace_id spanId span_id parentSpanId parent_span_id"),
);
/** Fields in whose content no ids are searched. */
const contents: ReadonlySet<string> = new Set(["attributes", "value", "body"]);

/** Whether the value is an OTLP document, also with Tempo's former field name `batches`. */
export function isOtlpDocument(value: JsonObject): boolean {
  return [...containerNames, ...logNames].some((name) => isArray(value[name]));
}

/** Whether the value is a single OTLP span without an envelope. */
export function isOtlpSpan(value: JsonObject): boolean {
  return (
    typeof (value["spanId"] ?? value["span_id"]) === "string" &&
    typeof (value["traceId"] ?? value["trace_id"]) === "string" &&
    (value["startTimeUnixNano"] ?? value["start_time_unix_nano"]) !== undefined
  );
}

/** Returns the document with the standard names of its containers, hex ids, and full enum names. */
export function plainDocument(document: JsonObject): JsonObject {
  const containersIn = (names: readonly string[]): JsonValue[] =>
    names.flatMap((name) => {
      const value = document[name];
      return isArray(value) ? value.map(plain) : [];
    });
  const resourceLogs = containersIn(logNames);
  return {
    resourceSpans: containersIn(containerNames),
    ...(resourceLogs.length > 0 ? { resourceLogs } : {}),
  };
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
      if (idNames.has(key) && typeof child === "string")
        return [[key, hexOf(child, /trace/i.test(key) ? 32 : 16)]];
      if (typeof child === "string" && prefixOf[key] !== undefined)
        return [[key, enumName(child, prefixOf[key])]];
      if (typeof child === "number" && key.toLowerCase().endsWith("nano")) return [[key, integerText(child)]];
      return [[key, contents.has(key) ? child : plain(child)]];
    }),
  );
}

/** Fields whose value is a name of an enumeration, and the prefix of these names. Traces that people write often lack the prefix. */
const prefixOf: Readonly<Record<string, string>> = { kind: "SPAN_KIND_", code: "STATUS_CODE_" };

function enumName(name: string, prefix: string): string {
  return name.startsWith(prefix) || !/^[A-Z]+$/.test(name) ? name : prefix + name;
}

/**
 * Converts an id to hex digits. An id of eight or sixteen bytes in base64 is decoded. A word, as in traces that people write, is replaced
 * by its hash. A shorter id is padded.
 */
function hexOf(id: string, digits: 16 | 32): string {
  if (id === "" || (/^[0-9a-f]*$/i.test(id) && id.length === digits)) return id;
  // Only text with padding is read as base64; otherwise a word of eleven letters would be base64, too.
  const bytes = Buffer.from(id.endsWith("=") ? id : "", "base64");
  return bytes.length * 2 === digits ? bytes.toString("hex") : idOf(id, digits);
}
