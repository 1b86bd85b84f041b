import type { Check } from "../evaluate/check.ts";
import type { Preset } from "../evaluate/metrics/match-mode.ts";
import type { JsonValue } from "../model/json.ts";
import type { Layer, Outcome } from "../model/outcome.ts";
import type { SourcePosition } from "../model/verdict.ts";

/** A check as one query wrote it. */
export interface BoundCheck {
  readonly check: Check;
  readonly limit: unknown;
  readonly source: SourcePosition;
  /** What a violation means here, after `severity:`; undefined for the check's own default. */
  readonly severity: Extract<Outcome, "fail" | "warn"> | undefined;
}

export interface MatchRules {
  /** RE2 pattern or `{variable}` template, as written. */
  readonly pattern: string | undefined;
  readonly similarity: number | undefined;
  /** Attribute name to value; all must hold. */
  readonly where: ReadonlyMap<string, JsonValue>;
}

export interface CompiledQuery {
  readonly id: string;
  /** As written; `"*"` is the wildcard. */
  readonly text: string;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly match: MatchRules;
  readonly checks: readonly BoundCheck[];
  /** Each layer as written, merged with the defaults. */
  readonly settings: Readonly<Record<Layer, Readonly<Record<string, unknown>>>>;
  readonly source: SourcePosition;
  /** Whose meaning ambiguous mode names have; AgentCI's when absent. */
  readonly preset?: Preset;
}

/** A valid spec file, ready to judge with. */
export interface CompiledSpec {
  /** The file's name without folder and extension. */
  readonly name: string;
  readonly file: string;
  /** First 12 hex digits of the SHA-256 of the canonical document. */
  readonly hash: string;
  /** Which agent's runs it is about; `"*"` is any. */
  readonly agent: string;
  readonly baselineDir: string;
  readonly baseline: string | undefined;
  readonly queries: readonly CompiledQuery[];
}
