import type { z } from "zod";

/**
 * Schema of a map that has at least one entry, because a check without limits would check nothing and pass.
 * @param entry what an entry is, such as "a limit"
 */
export function withEntries<Schema extends z.ZodType<object>>(schema: Schema, entry: string): Schema {
  return schema.refine((written) => Object.keys(written).length > 0, {
    message: `${entry} is missing, so nothing would be checked`,
    params: { hint: `write ${entry}, or remove the key` },
  });
}
