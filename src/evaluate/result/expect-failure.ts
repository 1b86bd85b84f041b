import { checksOf } from "../../model/outcome.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import type { Evaluation } from "../evaluate.ts";
import { layerResult } from "./layer-result.ts";

/** Key of the check that fails if a run passes although a failure is expected. */
export const expectedFailKey = "expected_fail";

/**
 * Applies `expected_fail: true` of a query to an evaluation whose results are already softened (`soften.ts`:
 * an expected or waived violation is a warning). A decided failure remains decided, even if other checks are
 * incomplete. A run that passes or only warns fails the check `expected_fail`. If the outcome is unknown, the
 * evaluation does not change.
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
