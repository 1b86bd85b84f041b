import { compilePattern, type PatternFlags, type PatternResult } from "../../model/patterns/pattern.ts";
import type { Preset } from "../metrics/match-mode.ts";

const flags: Readonly<Partial<Record<Preset, PatternFlags>>> = {
  evalview: { ignoreCase: true, dotMatchesNewline: true },
  promptfoo: { language: "javascript" },
};

/** A spec's pattern, compiled as its preset reads patterns; Python's reading without one. */
export function specPattern(source: string, preset: Preset | undefined): PatternResult {
  return compilePattern(source, preset === undefined ? {} : (flags[preset] ?? {}));
}
