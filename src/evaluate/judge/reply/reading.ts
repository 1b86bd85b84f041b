import { z } from "zod";
import type { JsonValue } from "../../../model/json.ts";

/** A parsed reply, or its problems. Problems do not quote the reply. */
export type Reading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly string[] };

const MAX_RATIONALE = 4000;

/** Schema of a judge's free text. Longer texts are truncated. */
export const rationaleText = z
  .string()
  .transform((it) => (it.length > MAX_RATIONALE ? `${it.slice(0, MAX_RATIONALE)}…` : it));

export function read<T>(schema: z.ZodType<T>, json: JsonValue): Reading<T> {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { ok: false, problems: ["the reply is not one JSON object"] };
  const result = schema.safeParse(json);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues
    .slice(0, 5)
    .map((it) => `${it.path.map(String).join(".") || "the object"}: ${it.code}`);
  return { ok: false, problems };
}
