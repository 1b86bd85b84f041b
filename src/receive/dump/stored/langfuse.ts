import { isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import { attributesOf, idOf, nanosOfDate, shown, type StoredSpan, textOf, withTypes } from "./stored-span.ts";
import { wordList } from "../../../support/structures/word-list.ts";

/*
 * Converts Langfuse's observations into the spans that Langfuse's SDK sends. Observations come from the download of a trace, the API, or a
 * table export. Attributes of other instrumentations, which Langfuse stores as text in the metadata, are added to the spans.
 */

const types: ReadonlySet<string> = new Set(
  wordList("SPAN GENERATION EVENT AGENT TOOL CHAIN RETRIEVER EVALUATOR EMBEDDING GUARDRAIL"),
);

export function isLangfuseObservation(value: JsonObject): boolean {
  const { type, id } = value;
  return (
    typeof id === "string" &&
    typeof type === "string" &&
    types.has(type) &&
    field(value, "startTime") !== undefined
  );
}

/**
 * Converts a Langfuse observation. If the enclosing `trace` is known, its name, session, user, input and output are copied to the root
 * span.
 */
export function langfuseSpan(observation: JsonObject, trace: JsonObject): StoredSpan {
  const text = (name: string): string | undefined => textual(field(observation, name));
  const metadata = objectOf(observation["metadata"]);
  const scope = objectOf(metadata["scope"]);
  const parent = text("parentObservationId");
  const start = nanosOfDate(text("startTime") ?? textOf(observation, "startTime"));
  const end = text("endTime");
  const level = text("level");
  const message = text("statusMessage") ?? "";
  return {
    traceId: idOf(text("traceId") ?? textOf(trace, "id"), 32),
    spanId: idOf(textOf(observation, "id"), 16),
    parentSpanId: parent === undefined ? "" : idOf(parent, 16),
    name: text("name") ?? "",
    kind: 1,
    start,
    end: end === undefined ? start : nanosOfDate(end),
    attributes: attributesOf({
      ...sentBefore(metadata),
      ...known(own(observation)),
      ...(parent === undefined ? known(ofTrace(trace)) : {}),
    }),
    events: [],
    links: [],
    status: { code: level === "ERROR" ? 2 : 0, message },
    resource: attributesOf(withTypes(objectOf(metadata["resourceAttributes"]))),
    scope: {
      name: textual(scope["name"]) ?? "langfuse-sdk",
      version: textual(scope["version"]) ?? "",
    },
  };
}

/** Returns the observation's fields under the attribute names of Langfuse's SDK. */
function own(observation: JsonObject): JsonObject {
  const get = (name: string): JsonValue => field(observation, name) ?? null;
  const kept = Object.entries(objectOf(observation["metadata"]))
    .filter(([key]) => !stored.has(key))
    .map(([key, value]) => [`langfuse.observation.metadata.${key}`, written(value)] as const);
  return {
    "langfuse.observation.type": shown(get("type")).toLowerCase(),
    "langfuse.observation.input": written(get("input")),
    "langfuse.observation.output": written(get("output")),
    "langfuse.observation.model.name": get("model") ?? field(observation, "providedModelName") ?? null,
    "langfuse.observation.model.parameters": written(get("modelParameters")),
    "langfuse.observation.usage_details": filled(usageOf(observation)),
    "langfuse.observation.cost_details": filled(get("costDetails")),
    "langfuse.observation.level": get("level"),
    "langfuse.observation.status_message": get("statusMessage"),
    ...Object.fromEntries(kept),
    "session.id": get("sessionId"),
    "user.id": get("userId"),
    "langfuse.trace.name": get("traceName"),
  };
}

const stored: ReadonlySet<string> = new Set(["attributes", "resourceAttributes", "scope"]);

/** Returns the token counts. Older exports have them in `usage` instead of `usageDetails`. */
function usageOf(observation: JsonObject): JsonValue {
  const details = objectOf(field(observation, "usageDetails") ?? null);
  if (Object.keys(details).length > 0) return details;
  const usage = objectOf(observation["usage"]);
  return Object.fromEntries(
    ["input", "output", "total"].flatMap((name) => {
      const value = usage[name];
      return typeof value === "number" ? [[name, value]] : [];
    }),
  );
}

function ofTrace(trace: JsonObject): JsonObject {
  const get = (name: string): JsonValue => field(trace, name) ?? null;
  return {
    "langfuse.trace.name": get("name"),
    "session.id": get("sessionId"),
    "user.id": get("userId"),
    "langfuse.trace.input": written(get("input")),
    "langfuse.trace.output": written(get("output")),
  };
}

/** Returns the object without null values. */
function known(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** Returns the attributes that another instrumentation sent, and that Langfuse stored in the metadata. */
function sentBefore(metadata: JsonObject): JsonObject {
  return withTypes(objectOf(metadata["attributes"]));
}

/** Returns a field by its camelCase name. In table exports, the name is in snake_case. */
function field(record: JsonObject, name: string): JsonValue | undefined {
  return record[name] ?? record[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function textual(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Encodes a value as Langfuse's SDK does: text stays unchanged, other values become JSON text. */
function written(value: JsonValue): JsonValue {
  return value === null || typeof value === "string" ? value : JSON.stringify(value);
}

function filled(value: JsonValue): JsonValue {
  if (typeof value === "string") return value;
  return isObject(value) && Object.keys(value).length > 0 ? JSON.stringify(value) : null;
}

/** Returns the object in a value or in JSON text; an empty object for any other value. */
function objectOf(value: JsonValue | undefined): JsonObject {
  const parsed = typeof value === "string" ? parseJson(value) : value;
  return isObject(parsed) ? parsed : {};
}
