import type { Layer, Outcome } from "../model/outcome.ts";
import type { AgentRun } from "../model/run.ts";
import type { CheckResult, JudgeRecord, LayerResult } from "../model/verdict.ts";
import type { CompiledQuery } from "./query/compiled.ts";
import { allMetrics } from "./quantities/all-metrics.ts";
import { assess, type Assessment } from "./assess/assess.ts";
import type { CheckContext, NoReference, Reference } from "./checks/check.ts";
import { assessConversation, turnsWithoutJudge } from "./conversation/assess-conversation.ts";
import { judgedMetrics } from "./judge/reply/judged-metrics.ts";
import { layerResult, verdictOutcome } from "./result/layer-result.ts";
import { LazyMetrics } from "./quantities/lazy-metrics.ts";
import { minScoreKey, scoreValue } from "./quantities/score.ts";
import type { Soften } from "./result/soften.ts";
import { runCheck } from "./result/run-check.ts";
import { withoutCutValues } from "./rules/cut-values.ts";
import { notRun } from "./checks/user/user-check-results.ts";
import { type JudgeSkipPolicy, withoutJudge } from "./judge/without-judge.ts";

export interface EvaluateOptions extends JudgeSkipPolicy {
  readonly reference: Reference | NoReference;
  /** For a conversation: one run for each turn of the query, in order; null for a turn without a run. */
  readonly turnRuns?: readonly (AgentRun | null)[];
  /** Changes failures that `expected_fail` or a waiver allows to warnings. */
  readonly soften?: Soften | undefined;
}

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
  const run = withoutCutValues(given);
  const { reference, turnRuns, soften } = options;
  const unrated = options.judge === "off" ? judgesOff : undefined;
  if (turnRuns !== undefined && query.turns.length > 0) {
    const { whole, turns } = assessConversation(run, query, reference, turnRuns, soften);
    const judged = [...withoutJudge(whole, options), ...turnsWithoutJudge(turns, whole, options)];
    return conclude(whole, [...notRun(whole), ...judged], unrated);
  }
  const assessment = assess(run, query, reference, soften);
  const { judged, user } = assessment;
  if (judged.length === 0 && user.length === 0) return conclude(assessment, [], unrated);
  return conclude(assessment, [...notRun(assessment), ...withoutJudge(assessment, options)], unrated);
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

function withFurther(own: Assessment["layers"], further: readonly CheckResult[]): Assessment["layers"] {
  const ofLayer = (layer: Layer): LayerResult => {
    const added = further.filter((result) => result.layer === layer);
    return added.length === 0 ? own[layer] : layerResult([...own[layer].checks, ...added]);
  };
  return { correctness: ofLayer("correctness"), path: ofLayer("path"), cost: ofLayer("cost") };
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
