import type { Outcome } from "../../../model/outcome.ts";
import type { Relaxation } from "./exit-code.ts";
import { decidedOf, type ReportedRun, type ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import type { GatedGroup } from "../report/gated-groups.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";
import { countsAlone, isAccepted } from "./tally.ts";

/**
 * Effect of a verdict or check on the exit code: `failed` gives 1, `error` gives 2, each other value gives 0. `doubtful` is an undecided
 * result that the settings accept.
 */
export type Standing = "passed" | "warned" | "doubtful" | "skipped" | "failed" | "error";

/**
 * Returns a function that gives the standing of a verdict or of a check outcome. The exit rules and the
 * reliability gates decide the standing.
 */
export function standingIn(result: TestResult): (reported: ReportedVerdict, outcome?: Outcome) => Standing {
  const alone = countsAlone(result.groups);
  const { rules } = result;
  const { known } = rules;
  return (reported, outcome = decidedOf(reported).outcome) => {
    if (outcome === "pass") return "passed";
    if (outcome === "skip") return "skipped";
    if (outcome === "warn" && !rules.failOnWarn) return "warned";
    if (known?.compare(reported.verdict) === "covered") return "warned";
    // If a run failed as expected, its undecided checks do not affect the exit code.
    if (isExpectedFailure(reported.verdict)) return "warned";
    switch (outcome) {
      case "error":
        return "error";
      case "fail":
        return alone(reported) ? "failed" : "warned";
      case "warn":
        return isAccepted(reported.verdict) ? "warned" : "failed";
      case "incomplete":
        return relaxed(rules.onIncomplete);
    }
  };
}

/** Whether the run failed and its query has `expected_fail`. */
export function isExpectedFailure({ expected_fail: expected, outcome }: VerdictJson): boolean {
  return expected === true && outcome === "warn";
}

/** Returns the standing of a query's reliability gate. A gate whose violated parts are known from an earlier result is a warning. */
export function standingOfGate(
  { rules: { known } }: TestResult,
  group: GatedGroup,
  gate: NonNullable<GatedGroup["report"]["gate"]>,
): Standing {
  if (gate.outcome === "pass") return "passed";
  if (known?.coversGate({ ...group, gate }) === true) return "warned";
  return gate.outcome === "fail" ? "failed" : "error";
}

export function standingOfMissing(
  { rules, tally }: TestResult,
  { spec, queryId }: TestResult["missing"][number],
): Standing {
  if (rules.known?.wasMissing(spec, queryId) === true) return "warned";
  const isAccepted = rules.allowEmpty === true && tally.total === 0 && rules.onMissing === "error";
  return isAccepted ? "doubtful" : relaxed(rules.onMissing);
}

export function standingOfAmbiguous({ rules }: TestResult, run: ReportedRun): Standing {
  return rules.known?.wasAmbiguous(run) === true ? "warned" : "error";
}

/** Returns the standing of an incomplete verdict or a missing query, by the user's setting. */
function relaxed(rule: Relaxation): Standing {
  return rule === "error" ? "error" : rule === "fail" ? "failed" : "doubtful";
}
