import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../query/compiled.ts";
import { keepingFaults } from "./faults.ts";
import { waiving } from "./waive.ts";

/**
 * Softens a check result: a violation that `expected_fail` or a waiver allows becomes a warning. Results are softened at once, so that a
 * softened failure neither skips later stages nor hides other checks.
 */
export type Soften = (result: CheckResult) => CheckResult;

/**
 * Returns the function that softens results; undefined if the query has neither `expected_fail` nor waivers.
 * @param today date as `YYYY-MM-DD`; if undefined, waivers are ignored
 */
export function softening(
  query: CompiledQuery,
  waivers: readonly CompiledSpec["waivers"][number][],
  today: string | undefined,
): Soften | undefined {
  const waive = today === undefined ? undefined : waiving(query, waivers, today);
  if (query.expectedFail === undefined) return waive;
  return waive === undefined ? expectedFailure : (result) => waive(expectedFailure(result));
}

/** Applies `soften` to each result; returns the same list if `soften` is undefined. */
export function softened(
  results: readonly CheckResult[],
  soften: Soften | undefined,
): readonly CheckResult[] {
  return soften === undefined ? results : results.map(soften);
}

/** Changes a failure, also of a forbidden tool, to a warning that is marked as expected. */
function expectedFailure(result: CheckResult): CheckResult {
  if (result.outcome !== "fail") return result;
  return {
    ...keepingFaults(result),
    outcome: "warn",
    message: `expected to fail: ${result.message}`,
    expectedFail: true,
  };
}
