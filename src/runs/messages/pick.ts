import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";

/** The first of these keys with a value that is not null; private names of printed objects (`_role`) count as well. */
export function pick(object: JsonObject, ...keys: readonly string[]): JsonValue | undefined {
  const hidden = hasPrivateNames(object);
  for (const key of keys) {
    const value = object[key] ?? (hidden ? object[privateName(key)] : undefined);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

export function pickText(object: JsonObject, ...keys: readonly string[]): string | undefined {
  const hidden = hasPrivateNames(object);
  for (const key of keys) {
    const value = object[key] ?? (hidden ? object[privateName(key)] : undefined);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function pickObject(object: JsonObject, ...keys: readonly string[]): JsonObject | undefined {
  const hidden = hasPrivateNames(object);
  for (const key of keys) {
    const value = object[key] ?? (hidden ? object[privateName(key)] : undefined);
    if (isObject(value)) return value;
  }
  return undefined;
}

/** Most objects have none: then half of all look-ups are spared. */
function hasPrivateNames(object: JsonObject): boolean {
  for (const key in object) if (key.charCodeAt(0) === 95) return true;
  return false;
}

const privateNames = new Map<string, string>();

/** Keys asked for are written in the code, so that the table stays small. */
function privateName(key: string): string {
  let name = privateNames.get(key);
  if (name === undefined) privateNames.set(key, (name = `_${key}`));
  return name;
}

/** A name as letters only, lower case: `tool-result`, `toolResult` and `tool_result` are one. */
export function plainName(name: string): string {
  if (name.length > LONGEST_KEPT) return plain(name);
  let known = plainNames.get(name);
  if (known === undefined) {
    if (plainNames.size >= MOST_KEPT) plainNames.clear();
    plainNames.set(name, (known = plain(name)));
  }
  return known;
}

/** Tools, agents, roles and types have few names, asked for again with every span. Strangers choose them: the table is bounded. */
const plainNames = new Map<string, string>();
const MOST_KEPT = 2048;
const LONGEST_KEPT = 64;

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, "").toLowerCase();
}
