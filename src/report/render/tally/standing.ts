import type { Outcome } from "../../../model/outcome.ts";
import type { Relaxation } from "./exit-code.ts";
import { decidedOf, type ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "../json/result.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";
import { countsAlone, isAccepted } from "./tally.ts";

/**
 * Effect of a verdict on the exit code: none, 1 or 2. `doubtful` is an undecided verdict that the user
 * accepts.
 */
export type Standing = "passed" | "warned" | "doubtful" | "skipped" | "failed" | "error";

/**
 * Returns a function that gives the effect of verdicts and checks, by the result's rules and reliability
 * gates.
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
    // Other undecided checks do not count if the run failed as expected.
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

/** Whether the run failed as its query's `expected_fail` predicts. */
export function isExpectedFailure({ expected_fail: expected, outcome }: VerdictJson): boolean {
  return expected === true && outcome === "warn";
}

/** Returns the effect of an undecided verdict under the user's setting. */
export function relaxed(rule: Relaxation): Standing {
  return rule === "error" ? "error" : rule === "fail" ? "failed" : "doubtful";
}
