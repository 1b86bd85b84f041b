import { byLayer, type Layer, layers } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { LayerResult } from "../../model/verdict.ts";
import type { BoundCheck, CompiledQuery } from "../query/compiled.ts";
import type { CheckContext, NoReference, Reference } from "../checks/check.ts";
import { layerResult } from "../result/layer-result.ts";
import { type LayerPlan, planOf } from "./plan.ts";
import { RunQuantities } from "../quantities/run-quantities.ts";
import { type Soften, softened } from "../result/soften.ts";
import { askLayer } from "../result/run-check.ts";
import { acceptsFailure } from "../rules/failed-run.ts";

/** Results of a query's deterministic checks for one run, as input of user checks and judges. */
export interface Assessment {
  readonly run: AgentRun;
  readonly contexts: Readonly<Record<Layer, CheckContext>>;
  /** Results of the deterministic checks of each layer, in the order of the registry. */
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Judge checks, which have not run yet. */
  readonly judged: readonly BoundCheck[];
  /** User checks (commands or modules of the project), which have not run yet. */
  readonly user: readonly BoundCheck[];
  /** The check `scoring.min_score`, whose result can change when a judge rates the output. Undefined if the query has no `scoring`. */
  readonly score: BoundCheck | undefined;
  /** `scoring` of the query; undefined if the query has no score. */
  readonly scoring: CompiledQuery["scoring"];
  /** Turns a failure that `expected_fail` or a waiver allows into a warning; undefined if the query has neither. */
  readonly soften: Soften | undefined;
  /** True if at least one layer failed; judges are then not called. */
  readonly failed: boolean;
  /** True if a check with `hard: true` failed. Such a failure fails the run even if `severity:` makes it a warning. */
  readonly hard: boolean;
}

/**
 * Evaluates every deterministic check of the query, and applies `soften` (waivers and `expected_fail`) to the results. Judge checks and
 * user checks run later.
 * @param earlier earlier runs of the conversation, if the run is a turn of it
 */
export function assess(
  run: AgentRun,
  query: CompiledQuery,
  reference: Reference | NoReference,
  soften?: Soften,
  earlier?: readonly AgentRun[],
): Assessment {
  const beside = earlier === undefined ? { reference } : { reference, earlier };
  const first = assessOnce(run, query, { ...beside, isFailureAccepted: false }, soften);
  return acceptsFailure(run, first.layers.correctness.checks)
    ? assessOnce(run, query, { ...beside, isFailureAccepted: true }, soften)
    : first;
}

function assessOnce(
  run: AgentRun,
  query: CompiledQuery,
  beside: Pick<CheckContext, "reference" | "earlier" | "isFailureAccepted">,
  soften: Soften | undefined,
): Assessment {
  const metrics = new RunQuantities(run);
  const { preset, settings } = query;
  const contexts = byLayer((layer): CheckContext => {
    return { ...beside, run, metrics, settings: settings[layer], preset };
  });
  const plan = planOf(query);
  const concluded = byLayer((layer) =>
    layerResult(softened(askLayer(plan.layers[layer], contexts[layer]), soften)),
  );
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

function hasHardFailure({ bounds }: LayerPlan, { checks: results }: LayerResult): boolean {
  return bounds.some(({ check }, at) => check.hard === true && results[at]?.outcome === "fail");
}
