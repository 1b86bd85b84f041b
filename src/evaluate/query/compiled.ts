import type { Check } from "../checks/check.ts";
import type { JudgeSettings } from "../judge/settings.ts";
import type { Preset } from "../metrics/match-mode.ts";
import type { JsonObject, JsonValue } from "../../model/json.ts";
import type { Layer, Outcome } from "../../model/outcome.ts";
import type { SourceLine } from "../../model/source-line.ts";
import type { SourcePosition } from "../../model/verdict.ts";
import type {
  Reliability,
  Resilience,
  RetrievalBlock,
  Scoring,
  Simulate,
  SpanAssertion,
  Waiver,
} from "./blocks.ts";

/** A check as one query wrote it. */
export interface BoundCheck {
  readonly check: Check;
  readonly limit: unknown;
  /** The limit as it is written, where `limit` has variables filled in. */
  readonly written?: JsonValue;
  readonly source: SourcePosition;
  /** Where each item of a limit that is a list is written, such as the rubrics of `llm_judge`. */
  readonly itemSources: readonly SourcePosition[];
  /** Severity of a violation after `severity:`; undefined for the check's default. */
  readonly severity: Extract<Outcome, "fail" | "warn"> | undefined;
}

export interface MatchRules {
  /** RE2 pattern or `{variable}` template, as written. */
  readonly pattern: string | undefined;
  readonly similarity: number | undefined;
  /** Attribute name to value, a list meaning any of its values; all must hold. */
  readonly where: ReadonlyMap<string, JsonValue>;
}

/** Checks and the layers they come from. */
export interface Expectations {
  /** In the order of the check registry. */
  readonly checks: readonly BoundCheck[];
  /** Each layer as written, merged with the defaults. */
  readonly settings: Readonly<Record<Layer, Readonly<Record<string, unknown>>>>;
  readonly source: SourcePosition;
}

/** One message of a conversation and what is expected after it. */
export interface CompiledTurn extends Expectations {
  readonly text: string;
  /** Patterns that capture values from its answer, by name; absent if later turns use none. */
  readonly capture?: ReadonlyMap<string, string>;
}

export interface CompiledQuery extends Expectations {
  readonly id: string;
  /** As written; `"*"` is the wildcard. */
  readonly text: string;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly match: MatchRules;
  readonly scope: "run" | "conversation";
  /** Empty but for conversations. */
  readonly turns: readonly CompiledTurn[];
  /** A user played by a model, who goes on after the turns; absent where there is none. */
  readonly simulate?: Simulate | undefined;
  readonly reliability: Reliability | undefined;
  /** Required outcome of runs with an injected model fault. */
  readonly resilience?: Resilience | undefined;
  readonly scoring: Scoring | undefined;
  readonly retrieval: RetrievalBlock | undefined;
  readonly spans: readonly SpanAssertion[];
  /** Where `expected_fail: true` is written; undefined where no failure is expected. */
  readonly expectedFail: SourcePosition | undefined;
  /** The query as the spec writes it, without the defaults. */
  readonly written: JsonObject;
  /** The row of the table that the query is from; absent where the spec writes it. */
  readonly row?: SourceLine;
  /** Whose meaning ambiguous mode names have; AgentCI\'s when absent. */
  readonly preset?: Preset;
  /** The words of one run are filled in: it is made for that run alone. */
  readonly isFilled?: true;
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
  readonly judgeConfig: JudgeSettings;
  readonly waivers: readonly Waiver[];
  readonly queries: readonly CompiledQuery[];
}
