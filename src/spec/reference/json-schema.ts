import type { Check } from "../../evaluate/checks/check.ts";
import { toDraft7, type JsonSchema } from "../document/draft-7.ts";
import { specSchemas } from "../schema.ts";

/** Returns the JSON Schema (draft 7) of the spec language with these checks, for editors. */
export function specJsonSchema(checks: readonly Check[]): JsonSchema {
  return toDraft7(specSchemas(checks).document, "Tracejury spec");
}
