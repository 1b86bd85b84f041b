import { FAULT_REMEDY, type Fault } from "../../model/fault.ts";
import { checksOf, type Layer, layers } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CheckResult, LayerResult, Verdict } from "../../model/verdict.ts";
import type { Evaluation } from "../evaluate.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import { layerResult } from "./layer-result.ts";
import { errorResult } from "./run-check.ts";

/**
 * Returns the evaluation of a run whose evaluation failed: every check, every layer and the verdict are
 * errors.
 */
export function errorEvaluation(query: CompiledQuery, fault: Fault): Evaluation {
  return erroneous(
    query.checks.map((bound) => errorResult(bound, fault.message, FAULT_REMEDY)),
    fault,
  );
}

/**
 * Returns an error verdict with the known facts about the run, in place of a verdict that cannot be reported.
 */
export function errorVerdict(verdict: Verdict, run: AgentRun, fault: Fault): Verdict {
  const checks = checksOf(verdict).map(({ check, metric, layer, limit, source, turn }): CheckResult => ({
    check,
    metric,
    layer,
    outcome: "error",
    value: null,
    limit,
    message: fault.message,
    remedy: FAULT_REMEDY,
    missing: [],
    spanIds: [],
    source,
    judge: null,
    ...(turn === undefined ? {} : { turn }),
  }));
  return { ...verdict, run, ...erroneous(checks, fault) };
}

function erroneous(checks: readonly CheckResult[], { message }: Fault): Evaluation {
  const layerOf = (layer: Layer): LayerResult => layerResult(checks.filter((one) => one.layer === layer));
  const [first, ...others] = layers;
  // If the query has no checks, the first layer explains why there is no verdict.
  const rest = Object.fromEntries(others.map((layer) => [layer, layerOf(layer)]));
  const told: LayerResult =
    checks.length > 0 ? layerOf(first) : { outcome: "error", reason: message, checks };
  return {
    layers: { ...rest, [first]: told } as Evaluation["layers"],
    outcome: "error",
    hardFail: false,
    metrics: new Map(),
  };
}
