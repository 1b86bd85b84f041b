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

/** A check of one query and its limit. */
export interface BoundCheck {
  readonly check: Check;
  readonly limit: unknown;
  /** The limit as in the spec. Set if `limit` differs from the spec: values replaced variables, or escapes of braces were removed. */
  readonly written?: JsonValue;
  readonly source: SourcePosition;
  /** Source positions of the items of a list limit, such as the rubrics of `llm_judge`. */
  readonly itemSources: readonly SourcePosition[];
  /** Severity of a violation, from `severity:`; undefined for the check's default. */
  readonly severity: Extract<Outcome, "fail" | "warn"> | undefined;
}

export interface MatchRules {
  /** Regular expression (RE2), or template with `{variable}`. */
  readonly pattern: string | undefined;
  readonly similarity: number | undefined;
  /** Attributes that a run must have, by name; of a list of values, one must match. */
  readonly where: ReadonlyMap<string, JsonValue>;
}

/** Checks of a query or turn, and the layers that contain them. */
export interface Expectations {
  /** Checks in the order of the check registry. */
  readonly checks: readonly BoundCheck[];
  /** Settings of each layer: the spec's keys, merged with the defaults. */
  readonly settings: Readonly<Record<Layer, Readonly<Record<string, unknown>>>>;
  readonly source: SourcePosition;
}

/** One user message of a conversation, and the expectations about its turn. */
export interface CompiledTurn extends Expectations {
  readonly text: string;
  /** Patterns by variable name, which capture values from the turn's answer. Absent if the turn captures none. */
  readonly capture?: ReadonlyMap<string, string>;
}

export interface CompiledQuery extends Expectations {
  readonly id: string;
  /** Text of the query in the spec; `"*"` matches any text. */
  readonly text: string;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly match: MatchRules;
  readonly scope: "run" | "conversation";
  /** Turns of a conversation; empty if the query has no `turns`. */
  readonly turns: readonly CompiledTurn[];
  /** Simulated user that continues after `turns`. */
  readonly simulate?: Simulate | undefined;
  readonly reliability: Reliability | undefined;
  /** Gate of `tracejury resilience`: the faults to inject, and the worst outcome that passes. */
  readonly resilience?: Resilience | undefined;
  readonly scoring: Scoring | undefined;
  readonly retrieval: RetrievalBlock | undefined;
  readonly spans: readonly SpanAssertion[];
  /** Position of `expected_fail: true` in the spec; undefined without it. */
  readonly expectedFail: SourcePosition | undefined;
  /** The query as in the spec, without defaults. */
  readonly written: JsonObject;
  /** Row of the table that defines the query; absent if no table does. */
  readonly row?: SourceLine;
  /** Preset that decides the meaning of short mode names. If absent, AgentCI's meaning applies. */
  readonly preset?: Preset;
  /** Set if text of a run replaced variables in the checks, so that the query is valid for this run only. */
  readonly isFilled?: true;
}

/** A valid, compiled spec file. */
export interface CompiledSpec {
  /** File name of the spec, without folder and extension. */
  readonly name: string;
  readonly file: string;
  /** First 12 hex digits of the SHA-256 of the spec in canonical form. */
  readonly hash: string;
  /** Agent whose runs the spec evaluates; `"*"` is any agent. */
  readonly agent: string;
  readonly baselineDir: string;
  readonly baseline: string | undefined;
  readonly judgeConfig: JudgeSettings;
  readonly waivers: readonly Waiver[];
  readonly queries: readonly CompiledQuery[];
}
