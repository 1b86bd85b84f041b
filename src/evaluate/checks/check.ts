import type { z } from "zod";
import type { JsonValue } from "../../model/json.ts";
import type { Layer } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Reason } from "../../model/verdict.ts";
import type { Preset } from "../metrics/match-mode.ts";
import type { RunMetrics } from "../quantities/run-metrics.ts";
import type { UserCheck } from "./user/user-check.ts";

/** Run from the saved baseline, which a check uses if the spec contains no reference value. */
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

/** Reason why there is no reference: no baseline is requested, or the baseline has no file for the query. */
export type NoReference = { readonly missing: "not-asked" | "no-file"; readonly version: string | null };

export interface CheckContext {
  readonly run: AgentRun;
  /** Quantities of the run. Each quantity is computed once, at the first use. */
  readonly metrics: RunMetrics;
  /**
   * All settings of the check's layer. A check reads keys that modify its own key, such as `sequence_mode`.
   */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly reference: Reference | NoReference;
  /** System whose meaning ambiguous names have; undefined means the meaning in AgentCI. */
  readonly preset: Preset | undefined;
  /**
   * The judge's score of the output, from 0 to 100. "failed": the judge is not called because a check
   * failed. "off": judges are off. Undefined: the judge was not called yet, or gave no usable reply.
   */
  readonly outputQuality?: number | "failed" | "off";
  /**
   * Whether the run failed, and the failure causes only a warning. If so, checks that lack evidence because
   * of the failure are `incomplete` instead of skipped.
   */
  readonly isFailureAccepted?: boolean;
}

/**
 * Finding of a check about a run. A `skip` gives its reason in `message`, without content of the run,
 * because the reason is exported unchanged. An `incomplete` has `missing` and `remedy`.
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
   * The violated parts of the limit, such as missing terms. Absent if value or reasons contain the violated
   * parts.
   */
  readonly faults?: readonly string[];
  /** Whether this violation is certain, although missing spans can undo other violations of the check. */
  readonly final?: boolean;
  /**
   * Set if the compiled check returns the same object for many runs. The result for complete runs is then
   * cached.
   */
  readonly known?: true;
}

/**
 * Other settings of the query that change the meaning of a check's limit. Each read is recorded, as
 * `compile-check.ts` explains.
 */
export interface CheckSettings {
  readonly preset: Preset | undefined;
  /** Returns the value of another key in the check's layer. */
  beside(key: string): unknown;
  /** Returns all settings of the check's layer. */
  layer(): CheckContext["settings"];
}

/** Evaluates a check with the limit of one query. Work that depends only on the spec is already done. */
export type CompiledCheck = (context: CheckContext) => Finding;

/**
 * Declaration of one check. The spec's schema, JSON Schema, reference page and messages are derived from the
 * declaration. `prepare`, and the function that `prepare` returns, are pure functions.
 */
export interface Check<Limit = unknown> {
  /** The key in the spec. */
  readonly key: string;
  readonly layer: Layer;
  /**
   * Name of the metric that the check compares with the limit; the key of the check if no metric is
   * compared.
   */
  readonly metric: string;
  /** One sentence for the reference page: what passes the check. */
  readonly summary: string;
  /** Formula, edge cases and source, for the reference page. */
  readonly details?: string;
  /** Schema of the limit in the spec. The schema has no transforms, so that a JSON Schema can be derived. */
  readonly limit: z.ZodType<Limit>;
  /**
   * Limit that applies if the key is absent from the query. Without this limit, an absent key asserts
   * nothing.
   */
  readonly unwritten?: Limit;
  /**
   * Whether spans that are still missing can undo a violation. For example, missing spans cannot undo an
   * exceeded budget.
   */
  readonly undoable: boolean;
  /** Default severity of a violation. If absent, the layer decides: correctness fails, path and cost warn. */
  readonly onViolation?: "fail" | "warn";
  /** Whether a violation fails the run, regardless of `severity:`. */
  readonly hard?: boolean;
  /** Whether the key only modifies other keys, and has no result of its own. */
  readonly qualifier?: boolean;
  /**
   * Keys of the same layer. The check has an effect only if the layer contains one of these keys; otherwise
   * `validate` warns.
   */
  readonly needs?: readonly string[];
  /** Whether the check asks a judge model. The judge stages evaluate such checks. */
  readonly judged?: boolean;
  /** Whether the check compares the model's texts with the results of tools. */
  readonly comparesResults?: boolean;
  /** The project's own check. A port runs the check after the deterministic checks and before the judges. */
  readonly user?: UserCheck;
  /** Called once for each query. The returned function is called once for each run. */
  prepare(limit: Limit, settings: CheckSettings): CompiledCheck;
}

/** A check as declared: with `prepare`, or with `evaluate` if the check has nothing to prepare. */
type Declared<Limit> = Omit<Check<Limit>, "prepare"> &
  (
    | { evaluate(context: CheckContext, limit: Limit): Finding }
    | { prepare(limit: Limit, settings: CheckSettings): CompiledCheck }
  );

/** Declares a check. The type of the limit is inferred from the schema. */
export function defineCheck<Limit>(declared: Declared<Limit>): Check {
  if (!("evaluate" in declared)) return declared;
  const check: Check<Limit> = {
    ...declared,
    prepare: (limit) => (context) => declared.evaluate(context, limit),
  };
  return check;
}
