import { checksOf } from "../../model/outcome.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import type { Evaluation } from "../evaluate.ts";
import { layerResult } from "./layer-result.ts";

/** Key of the check that fails if a run passes although the query has `expected_fail`. */
export const expectedFailKey = "expected_fail";

/**
 * Applies a query's `expected_fail: true`; returns the evaluation of any other query unchanged. If a check failed as expected, the verdict
 * is `warn`, even if other checks are incomplete. A run that passes or only warns without an expected failure fails the check
 * `expected_fail`.
 * @param evaluation evaluation in which `soften` has already changed expected failures to warnings
 */
export function expectFailure(evaluation: Evaluation, query: CompiledQuery): Evaluation {
  if (query.expectedFail === undefined) return evaluation;
  if (checksOf(evaluation).some((check) => check.expectedFail === true))
    return { ...evaluation, outcome: "warn", hardFail: false };
  const { outcome } = evaluation;
  return outcome === "pass" || outcome === "warn" ? passedUnexpectedly(evaluation, query) : evaluation;
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
