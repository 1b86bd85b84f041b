import { z } from "zod";
import { compilePattern } from "./pattern.ts";

/** A pattern that can be run in linear time; anything else is refused where it is written, with what to write instead. */
export const patternText = z.string().superRefine(refuseBadPattern);

/** Adds an issue when a text is no pattern that can be run. */
export function refuseBadPattern(source: string, context: z.core.$RefinementCtx<string>): void {
  const result = compilePattern(source);
  if (result.ok) return;
  const { message, hint } = result.problem;
  context.addIssue({ code: "custom", message, params: { code: "bad-pattern", hint } });
}
