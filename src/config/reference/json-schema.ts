import { toDraft7, type JsonSchema } from "../../spec/document/draft-7.ts";
import { configSchema } from "../schema.ts";

/** The configuration for editors: JSON Schema, draft 7. */
export function configJsonSchema(): JsonSchema {
  return toDraft7(configSchema, "Tracejury configuration");
}
