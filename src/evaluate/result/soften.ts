import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../query/compiled.ts";
import { keepingFaults } from "./faults.ts";
import { waiving } from "./waive.ts";

/**
 * What `expected_fail` and the spec's waivers make of a check's result. Applied to each result as it comes, so that a softened failure
 * keeps no later stage from being asked, and hides no other check.
 */
export type Soften = (result: CheckResult) => CheckResult;

/** Undefined if a query has neither. `today` is `YYYY-MM-DD`; without it waivers are ignored. */
export function softening(
  query: CompiledQuery,
  waivers: readonly CompiledSpec["waivers"][number][],
  today: string | undefined,
): Soften | undefined {
  const waive = today === undefined ? undefined : waiving(query, waivers, today);
  if (query.expectedFail === undefined) return waive;
  return waive === undefined ? expectedFailure : (result) => waive(expectedFailure(result));
}

/** Leaves a list as it is where nothing softens it. */
export function softened(
  results: readonly CheckResult[],
  soften: Soften | undefined,
): readonly CheckResult[] {
  return soften === undefined ? results : results.map(soften);
}

/** A failed check, a forbidden tool included, warns and is marked. */
function expectedFailure(result: CheckResult): CheckResult {
  if (result.outcome !== "fail") return result;
  return {
    ...keepingFaults(result),
    outcome: "warn",
    message: `expected to fail: ${result.message}`,
    expectedFail: true,
  };
}
