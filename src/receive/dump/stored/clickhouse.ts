import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import {
  attributesOf,
  idOf,
  nanosOfDate,
  shown,
  type StoredSpan,
  StoredProblem,
  textOf,
  withTypes,
} from "./stored-span.ts";

/*
 * Reads rows of `otel_traces`, the table of the Collector's ClickHouse exporter, as JSON or from a Parquet file. Every
 * attribute is stored as text.
 */

const kinds = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const statuses = ["UNSET", "OK", "ERROR"];

/** Whether the value is a row of ClickHouse's `otel_traces` table. */
export function isClickhouseSpan(value: JsonObject): boolean {
  return (
    typeof value["TraceId"] === "string" && typeof value["SpanId"] === "string" && "SpanAttributes" in value
  );
}

/**
 * Converts a row of ClickHouse's `otel_traces` table.
 * @throws StoredProblem if an id or a time is missing
 */
export function clickhouseSpan(row: JsonObject): StoredSpan {
  const parent = shown(row["ParentSpanId"]);
  const start = BigInt(nanosOf(row["Timestamp"]));
  const { "service.name": named, ...resource } = valuesOf(row["ResourceAttributes"]);
  return {
    traceId: idOf(textOf(row, "TraceId"), 32),
    spanId: idOf(textOf(row, "SpanId"), 16),
    parentSpanId: parent === "" ? "" : idOf(parent, 16),
    name: shown(row["SpanName"]),
    kind: codeOf(kinds, row["SpanKind"], /^SPAN_KIND_/),
    start: String(start),
    end: String(start + durationOf(row["Duration"])),
    attributes: attributesOf(withTypes(valuesOf(row["SpanAttributes"]))),
    events: eventsOf(row),
    links: linksOf(row),
    status: {
      code: codeOf(statuses, row["StatusCode"], /^STATUS_CODE_/),
      message: shown(row["StatusMessage"]),
    },
    resource: attributesOf({ "service.name": named ?? row["ServiceName"] ?? null, ...resource }),
    scope: { name: shown(row["ScopeName"]), version: shown(row["ScopeVersion"]) },
  };
}

/** Returns OTLP's number of a span kind or status; its name may have `prefix`. */
function codeOf(names: readonly string[], value: JsonValue | undefined, prefix: RegExp): number {
  return Math.max(0, names.indexOf(shown(value).replace(prefix, "").toUpperCase()));
}

function eventsOf(row: JsonObject): JsonObject[] {
  const names = columnOf(row, "Events", "Name");
  const times = columnOf(row, "Events", "Timestamp");
  const attributes = columnOf(row, "Events", "Attributes");
  return names.map((name, at) => ({
    name: shown(name),
    timeUnixNano: nanosOf(times[at]),
    attributes: attributesOf(withTypes(valuesOf(attributes[at]))),
  }));
}

function linksOf(row: JsonObject): JsonObject[] {
  const spanIds = columnOf(row, "Links", "SpanId");
  return columnOf(row, "Links", "TraceId").flatMap((traceId, at) => {
    const [trace, span] = [shown(traceId), shown(spanIds[at])];
    return trace === "" || span === "" ? [] : [{ traceId: idOf(trace, 32), spanId: idOf(span, 16) }];
  });
}

/**
 * Returns a column of a nested table. Some exports have a field `Events.Name`; other exports have a list `Events` whose elements have a
 * field `Name`.
 */
function columnOf(row: JsonObject, table: string, column: string): readonly JsonValue[] {
  const values = row[`${table}.${column}`];
  if (isArray(values)) return values;
  const rows = row[table];
  return isArray(rows) ? rows.map((one) => (isObject(one) ? (one[column] ?? null) : null)) : [];
}

/** Returns a map as an object. Parquet files can store a map as a list of keys and values. */
function valuesOf(map: JsonValue | undefined): JsonObject {
  if (isObject(map)) return map;
  if (!isArray(map)) return {};
  const entries = map.flatMap((one): [string, JsonValue][] =>
    isObject(one) && typeof one["key"] === "string" ? [[one["key"], one["value"] ?? null]] : [],
  );
  return Object.fromEntries(entries);
}

/** Converts a number of nanoseconds since 1970, or a date, into nanoseconds as decimal digits. */
function nanosOf(time: JsonValue | undefined): string {
  const text = shown(time);
  return /^\d{15,20}$/.test(text) ? text : nanosOfDate(text);
}

function durationOf(value: JsonValue | undefined): bigint {
  const text = shown(value);
  if (/^-?\d+$/.test(text)) return BigInt(text);
  throw new StoredProblem("Duration is not a number of nanoseconds");
}
