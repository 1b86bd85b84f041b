import type { JsonValue } from "../../src/model/json.ts";

/** The entries of a run's `missing`, but for the one that says that no resource names a service: stores that do not keep resources lose it. */
export function withoutService(missing: JsonValue): JsonValue {
  const entries = missing as readonly { readonly what: string }[];
  return entries.filter(({ what }) => what !== "service");
}
