import { z } from "zod";
import { compilePattern } from "./pattern.ts";

/** Schema of a pattern that runs in linear time. For an unsupported pattern, the schema reports an error, with a hint if there is one. */
export const patternText = z.string().min(1).superRefine(refuseBadPattern);

/** Adds an issue if a text is not a supported pattern. */
export function refuseBadPattern(source: string, context: z.core.$RefinementCtx<string>): void {
  const result = compilePattern(source);
  if (result.ok) return;
  const { message, hint } = result.problem;
  context.addIssue({ code: "custom", message, params: { code: "bad-pattern", hint } });
}
