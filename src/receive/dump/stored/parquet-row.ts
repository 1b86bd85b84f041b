import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import { shown } from "./stored-span.ts";

const PREFIX = "attributes.";

/** A row of Phoenix's data frame as its API gives the span out; any other row as it is. */
export function parquetRow(row: JsonObject): JsonObject {
  const traceId = row["context.trace_id"];
  if (typeof traceId !== "string") return row;
  const attributes = Object.entries(row).flatMap(([key, value]): [string, JsonValue][] =>
    key.startsWith(PREFIX) && value !== null ? [[key.slice(PREFIX.length), value]] : [],
  );
  const { events } = row;
  return {
    ...row,
    context: { trace_id: traceId, span_id: row["context.span_id"] ?? null },
    name: shown(row["name"]),
    start_time: dateOf(row["start_time"]),
    end_time: dateOf(row["end_time"]),
    events: (isArray(events) ? events.filter(isObject) : []).map((event) => ({
      ...event,
      timestamp: dateOf(event["timestamp"]),
    })),
    attributes: Object.fromEntries(attributes),
  };
}

/** Nanoseconds as a date with all their digits; what is a date already stays. */
function dateOf(value: JsonValue | undefined): JsonValue {
  const text = shown(value);
  if (!/^\d{15,20}$/.test(text)) return value ?? null;
  const nanos = BigInt(text);
  const date = new Date(Number(nanos / 1_000_000n)).toISOString().slice(0, -1);
  return `${date}${String(nanos % 1_000_000n).padStart(6, "0")}Z`;
}
