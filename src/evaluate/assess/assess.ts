import { type Layer, layers } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { LayerResult } from "../../model/verdict.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import type { Assessment } from "./assessment.ts";
import type { CheckContext, NoReference, Reference } from "../checks/check.ts";
import { layerResult } from "../result/layer-result.ts";
import { type LayerPlan, planOf } from "./plan.ts";
import { RunQuantities } from "../quantities/run-quantities.ts";
import { type Soften, softened } from "../result/soften.ts";
import { askLayer } from "../result/run-check.ts";
import { acceptsFailure } from "../rules/failed-run.ts";

/**
 * Evaluates every deterministic check of the query, and applies `soften` (waivers and `expected_fail`) to the results. Judge checks and
 * user checks run later.
 */
export function assess(
  run: AgentRun,
  query: CompiledQuery,
  reference: Reference | NoReference,
  soften?: Soften,
): Assessment {
  const first = assessOnce(run, query, reference, soften, false);
  return acceptsFailure(run, first.layers.correctness.checks)
    ? assessOnce(run, query, reference, soften, true)
    : first;
}

function assessOnce(
  run: AgentRun,
  query: CompiledQuery,
  reference: Reference | NoReference,
  soften: Soften | undefined,
  isFailureAccepted: boolean,
): Assessment {
  const metrics = new RunQuantities(run);
  const { preset, settings } = query;
  const contextOf = (layer: Layer): CheckContext => ({
    run,
    metrics,
    settings: settings[layer],
    reference,
    preset,
    isFailureAccepted,
  });
  const contexts = {
    correctness: contextOf("correctness"),
    path: contextOf("path"),
    cost: contextOf("cost"),
  };
  const plan = planOf(query);
  const concluded = {
    correctness: layerOf(plan.layers.correctness, contexts.correctness, soften),
    path: layerOf(plan.layers.path, contexts.path, soften),
    cost: layerOf(plan.layers.cost, contexts.cost, soften),
  };
  const failed = layers.some((layer) => concluded[layer].outcome === "fail");
  return {
    run,
    contexts,
    layers: concluded,
    judged: plan.judged,
    user: plan.user,
    score: plan.score,
    scoring: query.scoring,
    soften,
    failed,
    hard: failed && layers.some((layer) => hasHardFailure(plan.layers[layer], concluded[layer])),
  };
}

function layerOf(plan: LayerPlan, context: CheckContext, soften: Soften | undefined): LayerResult {
  return layerResult(softened(askLayer(plan, context), soften));
}

function hasHardFailure({ bounds }: LayerPlan, { checks: results }: LayerResult): boolean {
  return bounds.some(({ check }, at) => check.hard === true && results[at]?.outcome === "fail");
}
