import { type Layer, layers } from "../../model/outcome.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import type { Evaluation } from "../evaluate.ts";
import { layerResult } from "./layer-result.ts";

/** The check that fails where a run passes against expectation. */
export const expectedFailKey = "expected_fail";

/**
 * An evaluation under `expected_fail: true` of its query. Failed checks, a forbidden tool included, warn and are marked; a run that does
 * not fail (warnings included) fails the check `expected_fail`. An evaluation that could not tell stays as it is.
 */
export function expectFailure(evaluation: Evaluation, query: CompiledQuery): Evaluation {
  if (query.expectedFail === undefined) return evaluation;
  switch (evaluation.outcome) {
    case "fail":
      return failedAsExpected(evaluation);
    case "pass":
    case "warn":
      return passedUnexpectedly(evaluation, query);
    case "error":
    case "incomplete":
    case "skip":
      return evaluation;
  }
}

/** A decided failure stays decided: what else could not be determined does not make the verdict incomplete. */
function failedAsExpected(evaluation: Evaluation): Evaluation {
  const results = Object.fromEntries(
    layers.map((layer) => [layer, layerResult(evaluation.layers[layer].checks.map(marked))]),
  ) as Record<Layer, Evaluation["layers"][Layer]>;
  return { ...evaluation, layers: results, outcome: "warn", hardFail: false };
}

function marked(result: CheckResult): CheckResult {
  if (result.outcome !== "fail") return result;
  return {
    ...result,
    outcome: "warn",
    message: `expected to fail: ${result.message}`,
    expectedFail: true,
  };
}

function passedUnexpectedly(evaluation: Evaluation, { id, expectedFail }: CompiledQuery): Evaluation {
  const source = expectedFail ?? null;
  const file = source === null ? "" : ` --spec ${source.file}`;
  const result: CheckResult = {
    check: expectedFailKey,
    metric: expectedFailKey,
    layer: "correctness",
    outcome: "fail",
    value: evaluation.outcome,
    limit: true,
    message: `the run passes, but the query expects a failure: remove \`expected_fail\` (tracejury promote --flip ${id}${file})`,
    remedy: null,
    missing: [],
    spanIds: [],
    source,
    judge: null,
  };
  const correctness = layerResult([...evaluation.layers.correctness.checks, result]);
  return { ...evaluation, layers: { ...evaluation.layers, correctness }, outcome: "fail", hardFail: true };
}
