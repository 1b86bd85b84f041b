import { compilePattern, type PatternFlags, type PatternResult } from "../../model/patterns/pattern.ts";
import type { Preset } from "../metrics/match-mode.ts";

const flags: Readonly<Partial<Record<Preset, PatternFlags>>> = {
  evalview: { ignoreCase: true, dotMatchesNewline: true },
  promptfoo: { language: "plain-javascript" },
};

/** Compiles a regular expression of a spec in the preset's syntax; without a preset, in Python's. */
export function specPattern(source: string, preset: Preset | undefined): PatternResult {
  return compilePattern(source, preset === undefined ? {} : (flags[preset] ?? {}));
}
