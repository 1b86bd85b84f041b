import { compilePattern, type PatternFlags, type PatternResult } from "../../model/patterns/pattern.ts";

const MOST_KNOWN = 1000;
const known = new Map<string, PatternResult>();
const evalviewFlags: PatternFlags = { ignoreCase: true, dotMatchesNewline: true };

/** A spec's pattern, compiled once for all runs; with EvalView's flags (case ignored, `.` matches a newline) when asked. */
export function knownPattern(source: string, evalview: boolean): PatternResult {
  const id = evalview ? `i${source}` : `-${source}`;
  let compiled = known.get(id);
  if (compiled === undefined) {
    // Specs are reloaded while the process lives: the table starts anew rather than grow.
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(id, (compiled = compilePattern(source, evalview ? evalviewFlags : {})));
  }
  return compiled;
}
