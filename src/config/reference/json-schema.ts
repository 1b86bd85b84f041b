import { toDraft7, type JsonSchema } from "../../spec/document/draft-7.ts";
import { configSchema } from "../schema.ts";

/** Returns the JSON Schema (draft 7) of the configuration, which editors use. */
export function configJsonSchema(): JsonSchema {
  return toDraft7(configSchema, "Tracejury configuration");
}
