import { type Layer, type Outcome, worst } from "../model/outcome.ts";
import type { AgentRun } from "../model/run.ts";
import type { CheckResult, LayerResult } from "../model/verdict.ts";
import type { BoundCheck, CompiledQuery } from "../spec/compiled.ts";
import { allMetrics } from "./all-metrics.ts";
import type { Assessment } from "./assessment.ts";
import type { CheckContext, NoReference, Reference } from "./check.ts";
import { layerResult } from "./layer-result.ts";
import { RunQuantities } from "./run-quantities.ts";
import { askCheck } from "./settle.ts";
import { type Unasked, withoutJudge } from "./without-judge.ts";

export interface EvaluateOptions extends Unasked {
  readonly reference: Reference | NoReference;
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
  const assessment = assess(run, query, options.reference);
  return conclude(assessment, assessment.judged.length === 0 ? [] : withoutJudge(assessment, options));
}

/** Asks every deterministic check of the query. */
export function assess(run: AgentRun, query: CompiledQuery, reference: Reference | NoReference): Assessment {
  const metrics = new RunQuantities(run);
  const { preset } = query;
  const contextOf = (layer: Layer): CheckContext => ({
    run,
    metrics,
    settings: query.settings[layer],
    reference,
    preset,
  });
  const contexts = {
    correctness: contextOf("correctness"),
    path: contextOf("path"),
    cost: contextOf("cost"),
  };
  const results = { correctness: [] as CheckResult[], path: [] as CheckResult[], cost: [] as CheckResult[] };
  const judged: BoundCheck[] = [];
  let failed = false;
  let hard = false;
  for (const bound of query.checks) {
    const { check } = bound;
    if (check.qualifier === true) continue;
    if (check.judged === true) {
      judged.push(bound);
      continue;
    }
    const result = askCheck(bound, contexts[check.layer]);
    results[check.layer].push(result);
    if (result.outcome !== "fail") continue;
    failed = true;
    hard ||= check.hard === true;
  }
  return { run, contexts, results, judged, failed, hard };
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
