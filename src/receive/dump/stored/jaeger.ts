import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import {
  attribute,
  doubleValue,
  idOf,
  problemOf,
  type StoredSpan,
  StoredProblem,
  shown,
  textOf,
} from "./stored-span.ts";
import { wordList } from "../../../support/structures/word-list.ts";

/*
 * Reads the format of Jaeger's UI and `/api/traces`: times are in microseconds, resources are called processes, and
 * other fields of OpenTelemetry are tags.
 */

const kinds: Readonly<Record<string, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
};
const statuses: Readonly<Record<string, number>> = { OK: 1, ERROR: 2 };

/** Jaeger tags that contain OTLP fields other than attributes. */
const special: ReadonlySet<string> = new Set(
  wordList(`
    span.kind otel.status_code otel.status_description otel.scope.name otel.scope.version
    otel.library.name otel.library.version internal.span.format w3c.tracestate
  `),
);

export function isJaegerTrace(value: JsonObject): boolean {
  return typeof value["traceID"] === "string" && isArray(value["spans"]);
}

/** Returns the spans of a Jaeger trace. Calls `refuse` with the problem of each invalid span. */
export function jaegerSpans(trace: JsonObject, refuse: (problem: string) => void): StoredSpan[] {
  const processes = isObject(trace["processes"]) ? trace["processes"] : {};
  const spans = isArray(trace["spans"]) ? trace["spans"].filter(isObject) : [];
  return spans.flatMap((span) => {
    try {
      return [spanOf(span, processes)];
    } catch (error) {
      refuse(`a span of trace ${shown(trace["traceID"]).slice(0, 40)}: ${problemOf(error)}`);
      return [];
    }
  });
}

function spanOf(span: JsonObject, processes: JsonObject): StoredSpan {
  const tags = tagsOf(span["tags"]);
  const tag = (...keys: readonly string[]): string => {
    const found = keys.map((key) => tags.find((one) => one["key"] === key)?.["value"]);
    const text = found.find((value) => typeof value === "string");
    return typeof text === "string" ? text : "";
  };
  const failed = tags.some(({ key, value }) => key === "error" && (value === true || value === "true"));
  const start = microseconds(span, "startTime");
  const [parent, ...links] = referencesOf(span);
  return {
    traceId: idOf(textOf(span, "traceID"), 32),
    spanId: idOf(textOf(span, "spanID"), 16),
    parentSpanId: parent?.["spanId"] ?? "",
    name: typeof span["operationName"] === "string" ? span["operationName"] : "",
    kind: kinds[tag("span.kind")] ?? 1,
    start: String(start),
    end: String(start + microseconds(span, "duration")),
    attributes: tags
      .filter(({ key }) => !special.has(shown(key)) && !(failed && key === "error"))
      .map(attributeOf),
    events: (isArray(span["logs"]) ? span["logs"].filter(isObject) : []).map(eventOf),
    links: links.filter(({ spanId }) => spanId !== ""),
    status: {
      code: statuses[tag("otel.status_code").toUpperCase()] ?? (failed ? 2 : 0),
      message: tag("otel.status_description"),
    },
    resource: resourceOf(span, processes),
    scope: {
      name: tag("otel.scope.name", "otel.library.name"),
      version: tag("otel.scope.version", "otel.library.version"),
    },
  };
}

interface Reference extends JsonObject {
  readonly traceId: string;
  readonly spanId: string;
}

/** Returns the references of a span. The first is its parent, which is empty for a root span; the others are its links. */
function referencesOf(span: JsonObject): readonly Reference[] {
  const traceId = idOf(textOf(span, "traceID"), 32);
  const references = (isArray(span["references"]) ? span["references"].filter(isObject) : []).flatMap(
    (one) => {
      const { refType, traceID, spanID } = one;
      if (typeof traceID !== "string" || typeof spanID !== "string") return [];
      return [{ child: refType === "CHILD_OF", traceId: idOf(traceID, 32), spanId: idOf(spanID, 16) }];
    },
  );
  const old = span["parentSpanID"];
  if (typeof old === "string" && old !== "") references.push({ child: true, traceId, spanId: idOf(old, 16) });
  const parent = references.find((one) => one.child && one.traceId === traceId);
  const others = references.filter((one) => one !== parent && one.spanId !== parent?.spanId);
  return [
    { traceId, spanId: parent?.spanId ?? "" },
    ...others.map((one) => ({ traceId: one.traceId, spanId: one.spanId })),
  ];
}

function resourceOf(span: JsonObject, processes: JsonObject): JsonObject[] {
  const named = typeof span["processID"] === "string" ? processes[span["processID"]] : undefined;
  const process = isObject(named) ? named : isObject(span["process"]) ? span["process"] : {};
  const name = process["serviceName"];
  const tags = tagsOf(process["tags"]).filter(({ key }) => key !== "service.name");
  return [...(typeof name === "string" ? [attribute("service.name", name)] : []), ...tags.map(attributeOf)];
}

function eventOf(log: JsonObject): JsonObject {
  const fields = tagsOf(log["fields"]);
  const named = fields.find(({ key, value }) => key === "event" && typeof value === "string");
  return {
    name: named?.["value"] ?? "log",
    timeUnixNano: String(microseconds(log, "timestamp")),
    attributes: fields.filter((one) => one !== named).map(attributeOf),
  };
}

function tagsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject).filter(({ key }) => typeof key === "string") : [];
}

/** Converts a tag into an attribute. Jaeger has no lists, so exporters write lists as JSON text: `"[]"` becomes an empty list. */
function attributeOf({ key, type, value }: JsonObject): JsonObject {
  const name = shown(key);
  if (type === "binary" && typeof value === "string") return { key: name, value: { bytesValue: value } };
  if (type === "int64") return { key: name, value: { intValue: shown(value) } };
  if (type === "float64") return { key: name, value: doubleValue(Number(value)) };
  if (type === "bool") return attribute(name, value === true || value === "true");
  return attribute(name, value === "[]" ? [] : (value ?? ""));
}

/** Reads a time in microseconds, and returns it in nanoseconds. */
function microseconds(record: JsonObject, key: string): bigint {
  const value = Number(record[key]);
  if (!Number.isFinite(value) || value < 0) throw new StoredProblem(`${key} is not a time in microseconds`);
  return BigInt(Math.round(value)) * 1000n;
}
