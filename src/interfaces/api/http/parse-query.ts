import { z } from "zod";
import { suggest } from "../../../spec/document/problems/suggest.ts";
import { badParameter, type Problem } from "./problem.ts";

/**
 * The parameters of a request. A name that is not known is an error: ignored, it would show the wrong list.
 */
export function parseQuery<Query extends z.ZodObject>(
  schema: Query,
  parameters: URLSearchParams,
): { readonly query: z.output<Query> } | { readonly problem: Problem } {
  const known = Object.keys(schema.shape);
  const given = new Map<string, string | string[]>();
  for (const [name, value] of parameters) {
    if (!known.includes(name)) return { problem: unknown(name, known) };
    const before = given.get(name);
    if (isRepeatable(schema.shape[name])) given.set(name, [before ?? [], value].flat());
    else if (before === undefined) given.set(name, value);
    else return { problem: badParameter(name, "is given twice", "Give it once.") };
  }
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return { query: parsed.data };
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? "");
  const value = given.get(name);
  const why = value === undefined ? "is missing" : `is "${String(value).slice(0, 100)}"`;
  return { problem: badParameter(name, why, `${issue?.message ?? "Use another value"}.`) };
}

/** Whether a parameter takes several values, one for each time it is given. */
function isRepeatable(type: unknown): boolean {
  return type instanceof z.ZodArray || (type instanceof z.ZodOptional && type.unwrap() instanceof z.ZodArray);
}

function unknown(name: string, known: readonly string[]): Problem {
  const near = suggest(name, known);
  if (near !== undefined) return badParameter(name, "is not known", `Did you mean ${near}?`);
  const fix = known.length === 0 ? "Leave it out." : `Use ${known.join(", ")}.`;
  return badParameter(name, "is not known", fix);
}
