import { FAULT_REMEDY, type Fault } from "../../model/fault.ts";
import { checksOf, type Layer, layers } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CheckResult, LayerResult, Verdict } from "../../model/verdict.ts";
import type { Evaluation } from "../evaluate.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import { layerResult } from "./layer-result.ts";
import { errorResult } from "./run-check.ts";

/** Returns the evaluation for a run whose evaluation threw an error. All checks, layers and the verdict have the outcome `error`. */
export function errorEvaluation(query: CompiledQuery, fault: Fault): Evaluation {
  return erroneous(
    query.checks.map((bound) => errorResult(bound, fault.message, FAULT_REMEDY)),
    fault,
  );
}

/** Returns a verdict whose checks all have the outcome `error`, in place of a verdict that cannot be reported. */
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
  // If the query has no checks, the reason of the first layer explains the error.
  const rest = Object.fromEntries(others.map((layer) => [layer, layerOf(layer)]));
  const firstLayer: LayerResult =
    checks.length > 0 ? layerOf(first) : { outcome: "error", reason: message, checks };
  return {
    layers: { ...rest, [first]: firstLayer } as Evaluation["layers"],
    outcome: "error",
    hardFail: false,
    metrics: new Map(),
  };
}
