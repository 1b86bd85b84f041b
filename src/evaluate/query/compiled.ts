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

/** A check of one query, with the query's limit. */
export interface BoundCheck {
  readonly check: Check;
  readonly limit: unknown;
  /** The limit in the spec, if variables in `limit` were replaced by values. */
  readonly written?: JsonValue;
  readonly source: SourcePosition;
  /** Source positions of the items of a list, such as the rubrics of `llm_judge`. */
  readonly itemSources: readonly SourcePosition[];
  /** Severity of a violation, from `severity:`; undefined means the check's default severity. */
  readonly severity: Extract<Outcome, "fail" | "warn"> | undefined;
}

export interface MatchRules {
  /** Regular expression (RE2) or template with `{variable}`, from the spec. */
  readonly pattern: string | undefined;
  readonly similarity: number | undefined;
  /** Required attributes by name. For a list, one of its values must match. All attributes must match. */
  readonly where: ReadonlyMap<string, JsonValue>;
}

/** Checks of a query or turn, with the layers that contain them. */
export interface Expectations {
  /** Checks in the order of the check registry. */
  readonly checks: readonly BoundCheck[];
  /** Keys of each layer in the spec, merged with the defaults. */
  readonly settings: Readonly<Record<Layer, Readonly<Record<string, unknown>>>>;
  readonly source: SourcePosition;
}

/** One message of the user in a conversation, with the expectations about the turn. */
export interface CompiledTurn extends Expectations {
  readonly text: string;
  /** Patterns that capture values from the turn's answer, by name; absent if the turn captures no values. */
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
  /** Turns of a conversation; empty for a query about single runs. */
  readonly turns: readonly CompiledTurn[];
  /** Simulated user that continues after the turns; absent without a simulated user. */
  readonly simulate?: Simulate | undefined;
  readonly reliability: Reliability | undefined;
  /** Outcome that runs with an injected model fault must have. */
  readonly resilience?: Resilience | undefined;
  readonly scoring: Scoring | undefined;
  readonly retrieval: RetrievalBlock | undefined;
  readonly spans: readonly SpanAssertion[];
  /** Position of `expected_fail: true` in the spec; undefined if the query is not expected to fail. */
  readonly expectedFail: SourcePosition | undefined;
  /** The query in the spec, without the defaults. */
  readonly written: JsonObject;
  /** Row of the table from which the query comes; absent if the query does not come from a table. */
  readonly row?: SourceLine;
  /** Preset that determines the meaning of ambiguous mode names; absent means AgentCI's meaning. */
  readonly preset?: Preset;
  /** Whether text of a run was inserted into the query, which is then used for this run only. */
  readonly isFilled?: true;
}

/** A valid, compiled spec file. */
export interface CompiledSpec {
  /** File name of the spec without folder and extension. */
  readonly name: string;
  readonly file: string;
  /** First 12 hex digits of the SHA-256 of the spec in canonical form. */
  readonly hash: string;
  /** Agent whose runs the spec evaluates; `"*"` means any agent. */
  readonly agent: string;
  readonly baselineDir: string;
  readonly baseline: string | undefined;
  readonly judgeConfig: JudgeSettings;
  readonly waivers: readonly Waiver[];
  readonly queries: readonly CompiledQuery[];
}
