import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { objectsAt } from "../protocols/fields.ts";
import type { Fresh } from "../protocols/protocol.ts";
import type { ResponseStore } from "./response-store.ts";

/** A request about stored responses or conversations. */
export interface StoredRoute {
  readonly kind: "response" | "conversation" | "items";
  /** Id of the response or conversation; null to create one. */
  readonly id: string | null;
}

const paths: readonly (readonly [method: string, path: RegExp, kind: StoredRoute["kind"]])[] = [
  ["GET", /\/responses\/([^/]+)$/, "response"],
  ["POST", /\/conversations()$/, "conversation"],
  ["GET", /\/conversations\/([^/]+)$/, "conversation"],
  ["GET", /\/conversations\/([^/]+)\/items$/, "items"],
  ["POST", /\/conversations\/([^/]+)\/items$/, "items"],
];

/** Returns the route of a request about stored objects; null for other requests. */
export function storedRoute(method: string, path: string): StoredRoute | null {
  for (const [verb, form, kind] of paths) {
    const found = verb === method ? form.exec(path) : null;
    if (found !== null) return { kind, id: found[1] || null };
  }
  return null;
}

/** Answers the request; returns null if the object is not stored. */
export function answerStored(
  { kind, id }: StoredRoute,
  body: JsonValue,
  store: ResponseStore,
  fresh: Fresh,
): JsonValue | null {
  if (kind === "response") return store.response(id ?? "");
  if (id === null) {
    const opened = fresh.id("conv_");
    store.open(opened, body);
    return conversation(opened, body, fresh);
  }
  if (kind === "conversation") return store.items(id) === null ? null : conversation(id, null, fresh);
  const given = isObject(body) ? objectsAt(body, "items").map((item) => withId(item, fresh)) : [];
  if (given.length > 0) return store.append(id, given) ? listOf(given, fresh) : null;
  const items = store.items(id);
  return items === null ? null : listOf([...items].reverse(), fresh);
}

function conversation(id: string, body: JsonValue, { unixS }: Fresh): JsonObject {
  const metadata = isObject(body) ? (body["metadata"] ?? {}) : {};
  return { id, object: "conversation", created_at: unixS, metadata };
}

/** Returns a page of items, newest first, like the provider. */
function listOf(items: readonly JsonObject[], fresh: Fresh): JsonObject {
  const data = items.map((item) => withId(item, fresh));
  return {
    object: "list",
    data,
    first_id: data[0]?.["id"] ?? null,
    last_id: data.at(-1)?.["id"] ?? null,
    has_more: false,
  };
}

function withId(item: JsonObject, fresh: Fresh): JsonObject {
  return typeof item["id"] === "string" ? item : { id: fresh.id("msg_"), type: "message", ...item };
}
