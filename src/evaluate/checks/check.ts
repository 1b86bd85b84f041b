import type { z } from "zod";
import type { JsonValue } from "../../model/json.ts";
import type { Layer } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Reason } from "../../model/verdict.ts";
import type { Preset } from "../metrics/match-mode.ts";
import type { RunMetrics } from "../quantities/run-metrics.ts";
import type { UserCheck } from "./user/user-check.ts";

/** Baseline values of a query: the saved run with which a check compares if the spec has no reference value. */
export interface Reference {
  readonly version: string;
  /** Tools that the saved run used; null if unknown. */
  readonly tools: readonly string[] | null;
  readonly costUsd: number | null;
  readonly totalTokens: number | null;
  readonly llmCalls: number | null;
  readonly latencyMs: number | null;
  readonly answer: string | null;
}

/** Reason for a missing reference. "not-asked": no baseline was requested. "no-file": the baseline has no file for the query. */
export type NoReference = { readonly missing: "not-asked" | "no-file"; readonly version: string | null };

export interface CheckContext {
  readonly run: AgentRun;
  /** Lazily computed quantities of the run. */
  readonly metrics: RunMetrics;
  /** All settings of the check's layer. Some keys modify another key: `sequence_mode` changes `expected_tool_sequence`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly reference: Reference | NoReference;
  /** Earlier runs of the conversation, if the run is a turn of it. */
  readonly earlier?: readonly AgentRun[];
  /** Preset of the query: the system whose meaning applies to keys that systems define differently. Undefined means AgentCI's meaning. */
  readonly preset: Preset | undefined;
  /**
   * The judge's score of the output, from 0 to 100. "failed": the judge is not called because a check failed. "off": judges are disabled.
   * Undefined if the judge was not called yet, or gave no usable reply.
   */
  readonly outputQuality?: number | "failed" | "off";
  /**
   * True if the run failed and the failure is only a warning. Checks that lack evidence because of the failure are then `incomplete`
   * instead of skipped.
   */
  readonly isFailureAccepted?: boolean;
}

/**
 * What a check found in one run, before `severity` applies. A `skip` has its reason in `message`; the reason contains no content of the
 * run, because exporters send the reason unredacted. An `incomplete` has `missing` and `remedy`.
 */
export interface Finding {
  readonly outcome: "pass" | "violated" | "skip" | "incomplete" | "error";
  /** The measured value, unrounded; null if unknown. */
  readonly value: JsonValue;
  readonly message: string;
  readonly remedy?: string;
  readonly missing?: readonly string[];
  readonly spanIds?: readonly string[];
  readonly reasons?: readonly Reason[];
  /**
   * Causes of the violation, such as missing terms, by which two results are compared. Empty if the check as a whole is the cause. If
   * absent, `faultsOf` derives the causes from other fields of the result.
   */
  readonly faults?: readonly string[];
  /** True for a violation that later spans cannot undo, in a check that is `undoable`. */
  readonly final?: boolean;
  /**
   * Set on a constant finding: the compiled check returns the same object for many runs. The finding's result for complete runs is cached.
   */
  readonly known?: true;
}

/**
 * Other settings of the query that change the meaning of a check's limit. Each read of a setting is recorded, so that queries with equal
 * settings can share the compiled check (`compile-check.ts`).
 */
export interface CheckSettings {
  readonly preset: Preset | undefined;
  /** Returns the value of another key in the check's layer. */
  beside(key: string): unknown;
  /** Returns all settings of the check's layer. */
  layer(): CheckContext["settings"];
}

/** Evaluates a check, with the limit of one query, for one run. All work that depends only on the spec was done at compilation. */
export type CompiledCheck = (context: CheckContext) => Finding;

/**
 * Declaration of one check. The spec's schema, JSON Schema, reference page and messages are derived from the
 * declaration. `prepare`, and the function that `prepare` returns, are pure functions.
 */
export interface Check<Limit = unknown> {
  /** The key in the spec. */
  readonly key: string;
  readonly layer: Layer;
  /** Name of the metric that the check compares with the limit. If no metric is compared: the key of the check. */
  readonly metric: string;
  /** One sentence for the reference page: when the check passes. */
  readonly summary: string;
  /** Formula, edge cases and source, for the reference page. */
  readonly details?: string;
  /** Schema of the limit in the spec. The schema has no transforms, so that a JSON Schema can be derived from the schema. */
  readonly limit: z.ZodType<Limit>;
  /** Limit of a query in which this key is absent. If undefined, a query without the key does not have the check. */
  readonly unwritten?: Limit;
  /**
   * True if spans that arrive later can undo a violation. A count of calls, tokens or costs only grows, so an exceeded budget stays
   * exceeded; an answer may still change.
   */
  readonly undoable: boolean;
  /** Default severity of a violation. If absent, the layer decides: correctness fails, path and cost warn. */
  readonly onViolation?: "fail" | "warn";
  /** True if a violation fails the run, even if `severity:` makes it a warning. */
  readonly hard?: boolean;
  /** True if the key only modifies other keys and has no result of its own, such as `sequence_mode`. */
  readonly qualifier?: boolean;
  /**
   * Keys of the same layer, of which the check needs at least one. If the layer has none of these keys, the check has no effect, and
   * `validate` warns.
   */
  readonly needs?: readonly string[];
  /** True if the check calls a judge model. Judge checks run in stages after all other checks. */
  readonly judged?: boolean;
  /** True if the check compares texts of the model with tool results. */
  readonly comparesResults?: boolean;
  /** The user check (a command or module of the project) that a port runs, after the deterministic checks and before the judges. */
  readonly user?: UserCheck;
  /** Compiles the check for one query. The returned function is called once for each run. */
  prepare(limit: Limit, settings: CheckSettings): CompiledCheck;
}

/**
 * Declaration of a check, with `prepare`, or with `evaluate` if nothing can be prepared. Without `undoable`, violations can be undone;
 * without `metric`, no metric is compared.
 */
type Declared<Limit> = Omit<Check<Limit>, "prepare" | "undoable" | "metric"> &
  Partial<Pick<Check, "undoable" | "metric">> &
  (
    | { evaluate(context: CheckContext, limit: Limit): Finding }
    | { prepare(limit: Limit, settings: CheckSettings): CompiledCheck }
  );

/** Declares a check. TypeScript infers the limit's type from `limit`. */
export function defineCheck<Limit>(declared: Declared<Limit>): Check {
  const usual = { undoable: true, metric: declared.key };
  if (!("evaluate" in declared)) return { ...usual, ...declared };
  const check: Check<Limit> = {
    ...usual,
    ...declared,
    prepare: (limit) => (context) => declared.evaluate(context, limit),
  };
  return check;
}

/** Declares a key of the path layer that modifies other keys (`needs`) and has no result of its own. */
export function defineQualifier(
  declared: Pick<Check, "key" | "summary" | "details" | "limit" | "needs">,
): Check {
  const evaluate = (): Finding => ({ outcome: "skip", value: null, message: "modifies other checks" });
  return defineCheck({ ...declared, layer: "path", qualifier: true, evaluate });
}
