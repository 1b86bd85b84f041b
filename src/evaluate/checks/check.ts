import type { z } from "zod";
import type { JsonValue } from "../../model/json.ts";
import type { Layer } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Reason } from "../../model/verdict.ts";
import type { Preset } from "../metrics/match-mode.ts";
import type { RunMetrics } from "../quantities/run-metrics.ts";
import type { UserCheck } from "./user/user-check.ts";

/** Saved baseline run that a check compares with if the spec states no reference. */
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

/**
 * Reason why there is no reference: no baseline was requested, or the baseline has no file for this query.
 */
export type NoReference = { readonly missing: "not-asked" | "no-file"; readonly version: string | null };

export interface CheckContext {
  readonly run: AgentRun;
  /** Quantities computed from the run once, on first use. */
  readonly metrics: RunMetrics;
  /** The whole layer as written, for keys that qualify one another (`sequence_mode`, `sequence_metric`). */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly reference: Reference | NoReference;
  /** System whose meaning ambiguous names have; undefined means AgentCI. */
  readonly preset: Preset | undefined;
  /**
   * The judge's score of the output, 0 to 100; "failed" if an earlier check failed, "off" if judges are off; undefined if the judge was not
   * called or gave no usable reply.
   */
  readonly outputQuality?: number | "failed" | "off";
  /**
   * Whether the run failed and its failure only warns. If so, checks whose evidence the failure prevented are
   * not skipped.
   */
  readonly isFailureAccepted?: boolean;
}

/**
 * Result of a check. `skip` needs a reason in `message`, without content of the run, because it is exported unchanged. `incomplete` needs
 * `missing` and `remedy`.
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
  /** The violated parts of the limit, such as missing terms, if neither value nor reasons name them. */
  readonly faults?: readonly string[];
  /**
   * Whether missing spans cannot undo this violation, although they can undo most violations of the check.
   */
  readonly final?: boolean;
  /**
   * Set if the compiled check returns this same object repeatedly, so that the result for complete runs is
   * cached.
   */
  readonly known?: true;
}

/** Further settings of a query that change how a check reads its limit. Each read is recorded: see `compile-check.ts`. */
export interface CheckSettings {
  readonly preset: Preset | undefined;
  /** Value of another key in the check's layer. */
  beside(key: string): unknown;
  /** The check's layer as written. */
  layer(): CheckContext["settings"];
}

/** Evaluates a check with a query's limit. `prepare` has done all work that depends only on the spec. */
export type CompiledCheck = (context: CheckContext) => Finding;

/**
 * Declaration of one check, from which the spec's schema, JSON Schema, reference page and messages are
 * derived. `prepare`, and the function that `prepare` returns, are pure functions of their arguments.
 */
export interface Check<Limit = unknown> {
  /** The key in the spec. */
  readonly key: string;
  readonly layer: Layer;
  /** Name of the metric that the check compares; the check's key if there is none. */
  readonly metric: string;
  /** One sentence for the reference page: what passes. */
  readonly summary: string;
  /** Formula, edge cases and source, for the reference page. */
  readonly details?: string;
  /** The limit as written; no transforms, so that a JSON Schema can be made from it. */
  readonly limit: z.ZodType<Limit>;
  /** Default limit of the key; without it, an absent key asserts nothing. */
  readonly unwritten?: Limit;
  /**
   * Whether spans that are still missing may undo a violation. For example, they cannot undo an exceeded
   * budget.
   */
  readonly undoable: boolean;
  /** Default severity of a violation. Without it the layer decides: correctness fails, path and cost warn. */
  readonly onViolation?: "fail" | "warn";
  /** Whether a violation fails the run, regardless of `severity:`. */
  readonly hard?: boolean;
  /** Whether the key only qualifies other keys and has no result of its own. */
  readonly qualifier?: boolean;
  /**
   * Keys of the same layer. This key has an effect only if at least one of them is written; otherwise `validate` warns.
   */
  readonly needs?: readonly string[];
  /** Whether the check asks a language model; the judge stages evaluate such checks. */
  readonly judged?: boolean;
  /** Whether the check compares the model's texts with the results of tools. */
  readonly comparesResults?: boolean;
  /** The project's own check, which a port runs after the deterministic checks and before the judges. */
  readonly user?: UserCheck;
  /** Called once for each query; the returned function is called once for each run. */
  prepare(limit: Limit, settings: CheckSettings): CompiledCheck;
}

/** A check as declared: with `prepare`, or with `evaluate` if the check prepares nothing. */
type Declared<Limit> = Omit<Check<Limit>, "prepare"> &
  (
    | { evaluate(context: CheckContext, limit: Limit): Finding }
    | { prepare(limit: Limit, settings: CheckSettings): CompiledCheck }
  );

/** Declares a check with its limit's type inferred from the schema. */
export function defineCheck<Limit>(declared: Declared<Limit>): Check {
  if (!("evaluate" in declared)) return declared;
  const check: Check<Limit> = {
    ...declared,
    prepare: (limit) => (context) => declared.evaluate(context, limit),
  };
  return check;
}
