import type { Layer, Outcome } from "../model/outcome.ts";
import type { AgentRun } from "../model/run.ts";
import type { CheckResult, JudgeRecord, LayerResult } from "../model/verdict.ts";
import type { CompiledQuery } from "./query/compiled.ts";
import { allMetrics } from "./quantities/all-metrics.ts";
import type { Assessment } from "./assess/assess.ts";
import type { CheckContext } from "./checks/check.ts";
import {
  type AssessOptions,
  assessRun,
  type ConversationAssessment,
  turnsWithoutJudge,
} from "./conversation/assess-conversation.ts";
import { judgedMetrics } from "./judge/reply/judged-metrics.ts";
import { layerResult, verdictOutcome, withFurther } from "./result/layer-result.ts";
import { LazyMetrics } from "./quantities/lazy-metrics.ts";
import { minScoreKey, scoreValue } from "./quantities/score.ts";
import { runCheck } from "./result/run-check.ts";
import { withoutCutValues } from "./rules/cut-values.ts";
import { notRun } from "./checks/user/user-check-results.ts";
import { type JudgeSkipPolicy, withoutJudge } from "./judge/without-judge.ts";

export interface EvaluateOptions extends JudgeSkipPolicy, AssessOptions {}

export interface Evaluation {
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  readonly outcome: Outcome;
  /** True if the correctness layer failed, or a check with `hard: true` failed, such as `forbidden_tools`. */
  readonly hardFail: boolean;
  /** Metrics of the run by name. Null if the metric is unknown or needs a reference that is missing. */
  readonly metrics: ReadonlyMap<string, number | null>;
}

/**
 * Evaluates one run against one query without calling a judge. Judge checks become `skip` or `incomplete`. Pure and synchronous. To call
 * judges, use `evaluateWithJudges`.
 */
export function evaluateQuery(given: AgentRun, query: CompiledQuery, options: EvaluateOptions): Evaluation {
  const assessed = assessRun(withoutCutValues(given), query, options);
  const { whole, turns } = assessed;
  // Most queries have only deterministic checks, and need no results for judge checks and user checks.
  if (whole.judged.length === 0 && whole.user.length === 0 && turns.length === 0)
    return conclude(whole, [], options.judge === "off" ? judgesOff : undefined);
  return concludeWithoutJudges(assessed, notRun(whole), options);
}

/**
 * Concludes an evaluation that calls no judge.
 * @param own results of user checks
 */
export function concludeWithoutJudges(
  { whole, turns }: ConversationAssessment,
  own: readonly CheckResult[],
  policy: JudgeSkipPolicy,
): Evaluation {
  const state = own.some(({ outcome }) => outcome === "fail") ? { ...whole, failed: true } : whole;
  const judged = [...withoutJudge(state, policy), ...turnsWithoutJudge(turns, state, policy)];
  return conclude(whole, [...own, ...judged], policy.judge === "off" ? judgesOff : undefined);
}

const judgesOff: Rating = { quality: "off", judge: null };
const failedBefore: Rating = { quality: "failed", judge: null };

/** A judge's rating of the whole output, for the score. */
export interface Rating {
  /** Output quality from 0 to 100. "failed": no judge was called because a check failed. "off": judges are disabled. */
  readonly quality: number | "failed" | "off";
  readonly judge: JudgeRecord | null;
}

/**
 * Combines deterministic results and `further` results into layers, outcome and metrics. Without `rating`, a score that needs output
 * quality is null; if a check of a complete run failed, output quality counts as 0 instead.
 * @param further results of judge checks and user checks
 */
export function conclude(
  assessment: Assessment,
  further: readonly CheckResult[],
  rating?: Rating,
): Evaluation {
  const { contexts, hard, scoring } = assessment;
  const failed = assessment.failed || further.some(({ outcome }) => outcome === "fail");
  const known = failed && typeof rating?.quality !== "number" ? failedBefore : rating;
  const rates = known !== undefined && scoring !== undefined;
  const path = rates ? { ...contexts.path, outputQuality: known.quality } : contexts.path;
  const rated = rates ? withRating(assessment, path, known) : assessment.layers;
  const layers = further.length === 0 ? rated : withFurther(rated, further);
  return {
    layers,
    outcome: verdictOutcome(layers, assessment.run.complete),
    hardFail: hard || layers.correctness.outcome === "fail",
    metrics: new LazyMetrics(() => {
      const metrics = allMetrics(path, contexts.cost);
      if (scoring !== undefined) metrics.set("score", scoreValue(path, scoring));
      for (const [name, value] of judgedMetrics(layers.correctness.checks)) metrics.set(name, value);
      return metrics;
    }),
  };
}

/** Evaluates `scoring.min_score` again after the judge rated the output. */
function withRating(
  { score, layers, soften }: Assessment,
  context: CheckContext,
  { judge }: Rating,
): Assessment["layers"] {
  if (score === undefined) return layers;
  const rated = { ...runCheck(score, context), judge };
  const again = soften === undefined ? rated : soften(rated);
  const results = layers.path.checks.map((result) => (result.check === minScoreKey ? again : result));
  return { ...layers, path: layerResult(results) };
}
