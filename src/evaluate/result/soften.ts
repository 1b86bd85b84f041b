import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../query/compiled.ts";
import { keepingFaults } from "./faults.ts";

/**
 * Softens a check result: a violation that `expected_fail` or a waiver allows becomes a warning. Each result is softened before it is used,
 * so that a softened failure neither skips later stages nor hides other checks.
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

type Waiver = CompiledSpec["waivers"][number];

/**
 * Returns a function that applies a spec's waivers to results of one query: a waived violation becomes a warning with owner and reason.
 * After the waiver's last day, the violation counts again, and its message has the date. Undefined if no waiver applies to the query.
 */
function waiving(
  query: CompiledQuery,
  waivers: readonly Waiver[],
  today: string,
): ((result: CheckResult) => CheckResult) | undefined {
  const own = waivers.filter((waiver) => isAbout(waiver, query));
  return own.length === 0 ? undefined : (result) => waived(result, own, today);
}

function isAbout({ query: name }: Waiver, { id, text }: CompiledQuery): boolean {
  return name === undefined || name === id || name === text;
}

function waived(result: CheckResult, waivers: readonly Waiver[], today: string): CheckResult {
  if (result.outcome !== "fail" && result.outcome !== "warn") return result;
  const covering = waivers.filter(
    ({ check }) => check === undefined || check === result.check || check === result.layer,
  );
  const holding = covering.find(({ expires }) => today <= expires);
  if (holding !== undefined) {
    const { owner, reason, expires } = holding;
    return {
      ...keepingFaults(result),
      outcome: "warn",
      message: `waived until ${expires} by ${owner} (${reason}): ${result.message}`,
      waiver: { owner, reason, expires },
    };
  }
  const [expired] = covering;
  if (expired === undefined) return result;
  return {
    ...keepingFaults(result),
    message: `${result.message} (the waiver of ${expired.owner} expired on ${expired.expires})`,
  };
}
