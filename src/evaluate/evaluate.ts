import { type Layer, type Outcome, worst } from "../model/outcome.ts";
import type { AgentRun } from "../model/run.ts";
import type { CheckResult, LayerResult } from "../model/verdict.ts";
import type { CompiledQuery } from "../spec/compiled.ts";
import { allMetrics } from "./all-metrics.ts";
import { assess } from "./assess.ts";
import type { Assessment } from "./assessment.ts";
import type { NoReference, Reference } from "./check.ts";
import { assessConversation, turnsWithoutJudge } from "./conversation/assess-conversation.ts";
import { layerResult } from "./layer-result.ts";
import { type Unasked, withoutJudge } from "./without-judge.ts";

export interface EvaluateOptions extends Unasked {
  readonly reference: Reference | NoReference;
  /** Of a conversation, the run that answers each turn of the query; null where nobody asked it. */
  readonly turnRuns?: readonly (AgentRun | null)[];
}

export interface Evaluation {
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  readonly outcome: Outcome;
  /** A correctness failure or a forbidden tool. */
  readonly hardFail: boolean;
  /** Null: could not be computed, or nothing to compare with. */
  readonly metrics: ReadonlyMap<string, number | null>;
}

/**
 * Evaluates one run against one query without asking a judge: deterministic checks, then the judge checks as `skip` or
 * `incomplete`. Pure and synchronous; `evaluateWithJudges` asks them.
 */
export function evaluateQuery(run: AgentRun, query: CompiledQuery, options: EvaluateOptions): Evaluation {
  const { reference, turnRuns } = options;
  if (turnRuns !== undefined && query.turns.length > 0) {
    const { whole, turns } = assessConversation(run, query, reference, turnRuns);
    return conclude(whole, [...withoutJudge(whole, options), ...turnsWithoutJudge(turns, whole, options)]);
  }
  const assessment = assess(run, query, reference);
  return conclude(assessment, assessment.judged.length === 0 ? [] : withoutJudge(assessment, options));
}

/** The three layers and the run's outcome, from the deterministic results and those of the judge checks. */
export function conclude(assessment: Assessment, judged: readonly CheckResult[]): Evaluation {
  const { results, contexts, hard } = assessment;
  const layers = {
    correctness: layerResult(judged.length === 0 ? results.correctness : [...results.correctness, ...judged]),
    path: layerResult(results.path),
    cost: layerResult(results.cost),
  };
  return {
    layers,
    outcome: worst([layers.correctness.outcome, layers.path.outcome, layers.cost.outcome]),
    hardFail: hard || layers.correctness.outcome === "fail",
    metrics: allMetrics(contexts.path, contexts.cost),
  };
}
