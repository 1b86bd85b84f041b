import { compilePattern, type PatternFlags, type PatternResult } from "../../model/patterns/pattern.ts";

const evalviewFlags: PatternFlags = { ignoreCase: true, dotMatchesNewline: true };

/** A spec's pattern, compiled; with EvalView's flags (case ignored, `.` matches a newline) when asked. */
export function specPattern(source: string, evalview: boolean): PatternResult {
  return compilePattern(source, evalview ? evalviewFlags : {});
}
