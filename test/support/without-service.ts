import type { JsonValue } from "../../src/model/json.ts";

/** The entries of a run's `missing` without the entry for an absent service name: stores that keep no resources lose this entry. */
export function withoutService(missing: JsonValue): JsonValue {
  const entries = missing as readonly { readonly what: string }[];
  return entries.filter(({ what }) => what !== "service");
}
