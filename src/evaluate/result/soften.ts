import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../query/compiled.ts";
import { keepingFaults } from "./faults.ts";
import { waiving } from "./waive.ts";

/**
 * Applies `expected_fail` and waivers to a check's result. An expected or waived violation becomes a warning:
 * it is *softened*. Each result is softened at once, so that a softened failure neither skips later stages
 * nor hides other checks.
 */
export type Soften = (result: CheckResult) => CheckResult;

/**
 * Returns undefined if a query has neither `expected_fail` nor waivers. `today` is `YYYY-MM-DD`; without it,
 * waivers are ignored.
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

/** Applies `soften` to a list; returns the same list if nothing changes. */
export function softened(
  results: readonly CheckResult[],
  soften: Soften | undefined,
): readonly CheckResult[] {
  return soften === undefined ? results : results.map(soften);
}

/** Changes a failed check, including a forbidden tool, to a warning with a mark. */
function expectedFailure(result: CheckResult): CheckResult {
  if (result.outcome !== "fail") return result;
  return {
    ...keepingFaults(result),
    outcome: "warn",
    message: `expected to fail: ${result.message}`,
    expectedFail: true,
  };
}
