import { compilePattern } from "../../model/patterns/pattern.ts";
import type { Mask } from "./reduce-request.ts";

/** Matches ids and timestamps, which differ in each run. */
const fleeting = new RegExp(
  [
    String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`,
    String.raw`\b(?:call|toolu|resp|msg|chatcmpl|run|fc|rs)[-_][A-Za-z0-9_-]{8,}`,
    String.raw`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`,
  ].join("|"),
  "gi",
);
const MARK = "•";

/**
 * Returns a function that replaces ids and timestamps, and any text that matches one of the patterns.
 * @throws Error if a pattern cannot be compiled
 */
export function createMask(ignore: readonly string[]): Mask {
  const patterns = ignore.map((source) => {
    const compiled = compilePattern(source, { language: "javascript" });
    if (!compiled.ok) throw new Error(`models.ignore: ${source}: ${compiled.problem.message}`);
    return compiled.pattern;
  });
  return (text) => {
    let masked = text;
    for (const pattern of patterns) masked = pattern.replaceAll(masked, MARK);
    return masked.replaceAll(fleeting, MARK);
  };
}
