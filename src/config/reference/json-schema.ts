import { toDraft7, type JsonSchema } from "../../spec/document/draft-7.ts";
import { configSchema } from "../schema.ts";

/** Returns the JSON Schema (draft 7) of the configuration, for editors. */
export function configJsonSchema(): JsonSchema {
  return toDraft7(configSchema, "Tracejury configuration");
}
