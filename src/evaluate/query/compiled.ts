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
  /** The original limit, if `limit` has filled-in variables. */
  readonly written?: JsonValue;
  readonly source: SourcePosition;
  /** Positions of the items of a limit that is a list, such as the rubrics of `llm_judge`. */
  readonly itemSources: readonly SourcePosition[];
  /** Severity of a violation set by `severity:`; undefined for the check's default. */
  readonly severity: Extract<Outcome, "fail" | "warn"> | undefined;
}

export interface MatchRules {
  /** RE2 pattern or `{variable}` template, as written. */
  readonly pattern: string | undefined;
  readonly similarity: number | undefined;
  /**
   * Required attributes by name. A list means that any of its values is accepted. All attributes must match.
   */
  readonly where: ReadonlyMap<string, JsonValue>;
}

/** Checks and the layers in which they are written. */
export interface Expectations {
  /** Checks in the order of the check registry. */
  readonly checks: readonly BoundCheck[];
  /** Keys of each layer as written, merged with the defaults. */
  readonly settings: Readonly<Record<Layer, Readonly<Record<string, unknown>>>>;
  readonly source: SourcePosition;
}

/** One message of a conversation, with the expectations after it. */
export interface CompiledTurn extends Expectations {
  readonly text: string;
  /** Patterns that capture values from the turn's answer, by name; absent if later turns use none. */
  readonly capture?: ReadonlyMap<string, string>;
}

export interface CompiledQuery extends Expectations {
  readonly id: string;
  /** Text of the query as written; `"*"` matches any text. */
  readonly text: string;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly match: MatchRules;
  readonly scope: "run" | "conversation";
  /** Turns; empty for queries that are not conversations. */
  readonly turns: readonly CompiledTurn[];
  /** Simulated user who continues after the turns; absent if there is none. */
  readonly simulate?: Simulate | undefined;
  readonly reliability: Reliability | undefined;
  /** Required outcome of runs with an injected model fault. */
  readonly resilience?: Resilience | undefined;
  readonly scoring: Scoring | undefined;
  readonly retrieval: RetrievalBlock | undefined;
  readonly spans: readonly SpanAssertion[];
  /** Position of `expected_fail: true`; undefined if no failure is expected. */
  readonly expectedFail: SourcePosition | undefined;
  /** The query as written in the spec, without the defaults. */
  readonly written: JsonObject;
  /** Table row of the query; absent if the query is written in the spec. */
  readonly row?: SourceLine;
  /** Preset that gives ambiguous mode names their meaning. Default: AgentCI's meaning. */
  readonly preset?: Preset;
  /** Whether text of one run was inserted, so that the query is used for this run only. */
  readonly isFilled?: true;
}

/** A valid, compiled spec file. */
export interface CompiledSpec {
  /** File name without folder and extension. */
  readonly name: string;
  readonly file: string;
  /** First 12 hex digits of the SHA-256 of the canonical document. */
  readonly hash: string;
  /** Agent whose runs the spec judges; `"*"` means any agent. */
  readonly agent: string;
  readonly baselineDir: string;
  readonly baseline: string | undefined;
  readonly judgeConfig: JudgeSettings;
  readonly waivers: readonly Waiver[];
  readonly queries: readonly CompiledQuery[];
}
